import type { xdr } from "@stellar/stellar-sdk"
import { type AssetId, native } from "../../domain/Asset.ts"
import type { LedgerState } from "../../ledger/LedgerState.ts"
import type { ContractCall } from "../../operations/ContractCall.ts"
import { InvokeContract } from "../../operations/InvokeContract.ts"
import { RestoreFootprint } from "../../operations/RestoreFootprint.ts"
import type { LumensLacking } from "../model/Fees.ts"
import { largestResourceFee } from "../model/FeeSettings.ts"
import { belowReserve, type Holdings, sellingLiabilitiesIn, spendable } from "../model/Holdings.ts"
import type { Situation } from "../model/Situation.ts"
import { type AtomicGroup, atomicGroup } from "../model/AtomicGroup.ts"
import { askedAgain } from "./ExitPoints.ts"
import { callMark, type CallSimulation, callsOf, type Credits, isCovered, isFed, type PlannedExit, purchaseMark, toBeLeft } from "../model/Exits.ts"
import { hasRoom, lineProblem, lineUnaffordable, trustlineGroups } from "../model/PayoutTrustlines.ts"
import { lastClaim, simulatedFee } from "../model/LastClaim.ts"
import { purchaseOf } from "./RepayPurchase.ts"

/** What is done next about positions, before any classic work. `mark` tells it from what comes after in the same projection. */
export type ExitMove =
  /** Nothing any more. */
  | { readonly kind: "none" }
  /** A classic transaction of these groups: lines and purchases that an exit needs. */
  | { readonly kind: "prepare"; readonly mark: string; readonly groups: ReadonlyArray<AtomicGroup> }
  /** Offers, data entries and empty lines go first, for the lumens or the asset they hold. */
  | { readonly kind: "free"; readonly mark: string }
  /** A contract transaction. */
  | ContractMove
  | LumensLacking

export interface ContractMove {
  readonly kind: "contract"
  readonly mark: string
  readonly group: AtomicGroup
  readonly operation: xdr.Operation
  readonly level: "low" | "med"
  /** Null: it could not be simulated yet, so this stands for the transaction that will be built then. */
  readonly resources: xdr.SorobanTransactionData | null
  /** The ledger it was simulated on; null with no resources. */
  readonly simulatedAt: number | null
  /** Stroops. */
  readonly resourceFee: bigint
  /** What it does to the account, beside its fee. */
  readonly credits: Credits
  /** Why it is not known exactly; null when it is. */
  readonly doubt: string | null
}

/** Stroops reckoned with for a call that could not be simulated yet. */
const usualResourceFee = 2_000_000n

/** What a call is expected to do, as long as no simulation says it. */
const expectedCredits = ({ exits: { assets } }: Situation, { holds, payouts }: ContractCall): Credits => {
  const credits = new Map<AssetId, bigint>()
  const add = (token: ContractCall["payouts"][number]["token"], amount: bigint): void => {
    const asset = assets.get(token)
    if (asset !== undefined) credits.set(asset, (credits.get(asset) ?? 0n) + amount)
  }
  for (const { expected, token } of payouts) add(token, expected)
  for (const { amount, token } of holds) add(token, -amount)
  return credits
}

const doubtOf = ({ simulation }: PlannedExit, index: number): string => {
  if (index > 0) return "depends on the call before it"
  switch (simulation?._tag) {
    case "Changed":
      return "was outdated by others as often as it was built"
    case "Unreached":
      return "was not simulated in time"
    case "TooDear":
      return "costs more than this service pays unasked"
    default:
      return "cannot be simulated yet"
  }
}

const callMove = (situation: Situation, one: PlannedExit, call: ContractCall, index: number): ContractMove => {
  const { source } = situation.input
  const { id, position, simulation } = one
  const ready = index === 0 && simulation?._tag === "Ready" ? simulation : null
  // What is dearer than may be built at all is in the way by itself.
  const dear = index === 0 && simulation?._tag === "TooDear" && simulation.resourceFee <= largestResourceFee ? simulation.resourceFee : null
  const claimed = index > 0 && call === lastClaim(one) ? simulatedFee(one.claim) : null
  const resourceFee = ready?.resources.resourceFee ?? dear ?? claimed ?? usualResourceFee
  const operation = InvokeContract.build(source, call, ready?.auth ?? [])
  const decoded = InvokeContract.decode(operation.body, source)
  return {
    kind: "contract",
    mark: callMark(one, index),
    operation,
    level: "med",
    resources: ready?.resources ?? null,
    simulatedAt: ready?.ledger ?? null,
    resourceFee,
    credits: ready?.credits ?? expectedCredits(situation, call),
    doubt: ready !== null ? null : `${call.function} of ${call.contract} ${doubtOf(one, index)}; its payouts are those of the ledger that was read.`,
    group: atomicGroup([{
      type: "EXIT_POSITIONS",
      title: `Leave a position in ${position.protocol}: ${call.function}`,
      description: "One contract call in a transaction of its own. Afterwards everything is read again.",
      entry: id,
      contract: call.contract,
      operations: [],
      ...(decoded === null ? {} : { call: { operation: decoded, feeStroops: resourceFee + situation.exits.inclusionFee } })
    }])
  }
}

type Restoration = Extract<CallSimulation, { readonly _tag: "Restore" }>

const restoreMove = (situation: Situation, { id, position }: PlannedExit, { ledger, resources }: Restoration): ContractMove => {
  const { source } = situation.input
  const operation = RestoreFootprint.build(source)
  const decoded = RestoreFootprint.decode(operation.body, source, resources.resources.footprint.readWrite)
  return {
    kind: "contract",
    mark: `${id}#restore`,
    operation,
    level: "low",
    resources,
    simulatedAt: ledger,
    resourceFee: resources.resourceFee,
    credits: new Map(),
    doubt: null,
    group: atomicGroup([{
      type: "RESTORE_ENTRIES",
      title: `Restore archived entries of ${position.protocol}`,
      description: "The ledger has put away entries that the exit needs; they come back for rent.",
      entry: id,
      contract: position.contract,
      operations: [],
      ...(decoded === null ? {} : { call: { operation: decoded, feeStroops: resources.resourceFee + situation.exits.inclusionFee } })
    }])
  }
}

interface Pending {
  readonly one: PlannedExit
  readonly call: ContractCall
  readonly index: number
}

const pendingCalls = ({ exits }: Situation, done: ReadonlySet<string>): ReadonlyArray<Pending> =>
  toBeLeft(exits)
    .filter((one) => one.exit._tag === "Calls" || isCovered(exits, one, done))
    .flatMap((one) => callsOf(one).map((call, index) => ({ one, call, index })))
    .filter(({ index, one }) => !done.has(callMark(one, index)))

/** What calls pay on lines, in stroops: as much as all of them together. */
const payoutsOf = ({ exits: { assets } }: Situation, calls: ReadonlyArray<ContractCall>): ReadonlyMap<AssetId, bigint> => {
  const sum = new Map<AssetId, bigint>()
  for (const { expected, token } of calls.flatMap(({ payouts }) => payouts)) {
    const asset = assets.get(token)
    if (asset !== undefined && asset !== native) sum.set(asset, (sum.get(asset) ?? 0n) + expected)
  }
  return sum
}

/** Lines cost a reserve each: without it nothing can be prepared. */
const preparation = (
  situation: Situation,
  ledgerState: LedgerState,
  holdings: Holdings,
  pending: ReadonlyArray<Pending>,
  done: ReadonlySet<string>
): ExitMove | null => {
  const { account, address } = holdings
  const [first] = pending
  if (first === undefined) return null
  const { baseFee, baseReserve } = ledgerState.header
  const awaited = payoutsOf(situation, pending.map(({ call }) => call))
  // A claim that comes last of a position has its line before the position is left: afterwards it would be too late to say that there is none.
  const own = payoutsOf(situation, pending.flatMap((each) =>
    each === first || (each.one === first.one && each.call.claimsOnly === true) ? [each.call] : []))
  // Only what the next exit pays gets its line now, with room for what later ones pay into it as well.
  const groups = trustlineGroups(ledgerState, address, new Map([...own].filter(([asset, amount]) => !hasRoom(ledgerState, address, asset, amount))
    .map(([asset, amount]) => [asset, awaited.get(asset) ?? amount])))
  const perLine = BigInt(baseReserve) + (situation.input.feePayer === "source" ? BigInt(baseFee) : 0n)
  const available = spendable(account, baseReserve)
  if (groups.length === 0) return null
  const assetIn = (one: AtomicGroup) => one.steps.flatMap(({ asset }) => asset ?? [])[0]
  if (available < perLine * BigInt(groups.length)) {
    if (!done.has("free")) return { kind: "free", mark: "free" }
    return {
      kind: "prepare",
      mark: `lines:${first.one.id}#${first.index}`,
      groups: groups.map((one) => ({ ...one, blockers: [lineUnaffordable(assetIn(one) ?? native, first.one, perLine * BigInt(groups.length) - available)] }))
    }
  }
  return {
    kind: "prepare",
    mark: `lines:${first.one.id}#${first.index}`,
    groups: groups.map((one) => {
      const asset = assetIn(one)
      const problem = asset === undefined ? null : lineProblem(ledgerState, address, asset, first.one)
      return problem === null ? one : { ...one, blockers: [problem] }
    })
  }
}

/** Debts that cannot be paid from what is at hand: what offers hold is freed, what the owner decides to buy is bought. */
const shortages = (situation: Situation, ledgerState: LedgerState, { address }: Holdings, done: ReadonlySet<string>): ExitMove | null => {
  for (const one of toBeLeft(situation.exits)) {
    if (one.exit._tag !== "Refused" || one.exit.refusal._tag !== "RepayAssetShort" || done.has(purchaseMark(one)) || isFed(situation.exits, one)) continue
    const { held, needed, token } = one.exit.refusal
    const asset = situation.exits.assets.get(token)
    if (asset === undefined) continue
    const locked = asset === native ? 0n : sellingLiabilitiesIn(ledgerState, address, asset)
    if (locked > 0n && held + locked >= needed && !done.has("free")) return { kind: "free", mark: "free" }
    const bought = done.has("free") ? null : purchaseOf(situation, ledgerState, one)
    if (bought !== null) {
      return {
        kind: "prepare",
        mark: purchaseMark(one),
        groups: bought.map((each) => (each.failure === null ? each : { ...each, points: [askedAgain(situation, one)] }))
      }
    }
  }
  return null
}

/** Whether the lines of a call were seen to: those of a claim that comes last with the calls before it. */
const isPrepared = ({ call: { claimsOnly = false }, index, one }: Pending, done: ReadonlySet<string>): boolean =>
  callsOf(one).some((_, at) => done.has(`lines:${one.id}#${at}`) && (at === index || (claimsOnly && at < index)))

/** Whether freeing would bring anything. */
const canFree = ({ dataNames, trustlines, offers }: Holdings): boolean => offers.length > 0 || dataNames.length > 0 || trustlines.some(({ balance }) => balance === 0n)

/** The next move about positions from a state of the ledger on; `done`: marks of the moves that were already made in this projection. */
export const exitMove = (situation: Situation, ledgerState: LedgerState, holdings: Holdings, done: ReadonlySet<string>): ExitMove => {
  const short = shortages(situation, ledgerState, holdings, done)
  if (short !== null) return short
  const pending = pendingCalls(situation, done)
  const [first] = pending
  if (first === undefined) return { kind: "none" }
  const prepared = isPrepared(first, done) ? null : preparation(situation, ledgerState, holdings, pending, done)
  if (prepared !== null && (prepared.kind !== "free" || canFree(holdings))) return prepared
  if (prepared !== null) return preparation(situation, ledgerState, holdings, pending, new Set([...done, "free"])) ?? { kind: "none" }
  const { call, index, one } = first
  const restore = one.simulation?._tag === "Restore" && index === 0 && !done.has(`${one.id}#restore`) ? one.simulation : null
  const move = restore === null ? callMove(situation, one, call, index) : restoreMove(situation, one, restore)
  if (situation.input.feePayer === "fee_bump") return move
  const needed = move.resourceFee + situation.exits.inclusionFee
  const available = spendable(holdings.account, ledgerState.header.baseReserve)
  if (available >= needed) return move
  return !done.has("free") && canFree(holdings) ? { kind: "free", mark: "free" } : {
    kind: "no_lumens",
    needed: needed + belowReserve(holdings.account, ledgerState.header.baseReserve),
    spendable: available > 0n ? available : 0n,
    wrappable: true
  }
}
