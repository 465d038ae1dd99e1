import type { xdr } from "@stellar/stellar-sdk"
import { HashSet } from "effect"
import type { ContractAddress } from "../../domain/Address.ts"
import type { AssetId } from "../../domain/Asset.ts"
import type { TransactionReason } from "../../domain/Plan.ts"
import type { LedgerState } from "../../ledger/LedgerState.ts"
import type { ContractCall } from "../../operations/ContractCall.ts"
import { InvokeContract } from "../../operations/InvokeContract.ts"
import { RestoreFootprint } from "../../operations/RestoreFootprint.ts"
import { type AtomicGroup, atomicGroup } from "../situation/AtomicGroup.ts"
import type { CallSimulation, Credits } from "../situation/CallSimulation.ts"
import { agreedSlippage } from "../situation/CloseInput.ts"
import { usualResourceFee } from "../situation/Fees.ts"
import { largestResourceFee } from "../situation/FeeSettings.ts"
import { trustlineIn } from "../situation/Holdings.ts"
import { type Moves, movesOf, tokenMovesOf } from "../situation/Moved.ts"
import { called, type Done, type Progress, Restored } from "../situation/Progress.ts"
import { knownAssetsIn, type Situation } from "../situation/Situation.ts"
import { tokenNamesIn } from "../situation/SpokenAmount.ts"
import { payoutLack } from "./PayoutLack.ts"
import type { PendingCall } from "./PendingCalls.ts"

/** A transaction of one contract call, or of one restoration. */
export interface ContractMove {
  readonly _tag: "Contract"
  readonly progress: Progress
  readonly reason: TransactionReason
  /** The call; null: it restores what one needs. */
  readonly call: ContractCall | null
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

/** What a call is expected to do, as long as no simulation says it. A sale takes all that is held when it is built. */
const expectedCredits = (situation: Situation, ledgerState: LedgerState, { call: { holds, payouts }, sells }: PendingCall): Credits => {
  const credits = new Map<AssetId, bigint>()
  const assets = knownAssetsIn(situation)
  const add = (token: ContractCall["payouts"][number]["token"], amount: bigint): void => {
    const asset = assets.get(token)
    if (asset !== undefined) credits.set(asset, (credits.get(asset) ?? 0n) + amount)
  }
  for (const { expected, token } of payouts) add(token, expected)
  for (const { amount, token } of holds) add(token, -amount)
  const held = sells === null ? null : trustlineIn(ledgerState, situation.input.source, sells)
  if (sells !== null && held !== null) credits.set(sells, -held.balance)
  return credits
}

const doubtOf = ({ index, simulation }: PendingCall): string => {
  if (index > 0) return "depends on the previous call"
  switch (simulation?._tag) {
    case "Changed":
      return "was outdated by other transactions each time it was built"
    case "Unreached":
      return "was not simulated in time"
    case "TooDear":
      return "costs more than this service pays without a decision"
    case "Failed":
    case "Unavailable":
      return `fails on the current ledger (${simulation.reason}), which the earlier exits may change`
    default:
      return "cannot be simulated yet"
  }
}

/** Stroops of resources that a call is computed with as long as it is not ready. */
const reckonedFee = ({ index, knownFee, simulation }: PendingCall): bigint => {
  if (index > 0) return knownFee ?? usualResourceFee
  // A call dearer than the limit is a blocker by itself.
  return simulation?._tag === "TooDear" && simulation.resourceFee <= largestResourceFee ? simulation.resourceFee : usualResourceFee
}

type Ready = Extract<CallSimulation, { readonly _tag: "Ready" }>
type Outcome = Pick<ContractMove, "credits" | "doubt" | "resourceFee" | "resources" | "simulatedAt">

const simulatedOutcome = ({ credits, ledger, resources }: Ready): Outcome => ({
  resources,
  simulatedAt: ledger,
  resourceFee: resources.resourceFee,
  credits,
  doubt: null
})

const expectedOutcome = (situation: Situation, ledgerState: LedgerState, pending: PendingCall): Outcome => ({
  resources: null,
  simulatedAt: null,
  resourceFee: reckonedFee(pending),
  credits: expectedCredits(situation, ledgerState, pending),
  doubt: doubtOf(pending)
})

/**
 * What a call brings to the account and takes out of it: of assets as simulated, or as long as it is not as expected; of other tokens as
 * expected. The shares that are the position itself are no value of their own beside what they pay.
 */
const movesOfCall = (situation: Situation, { call, one }: PendingCall, credits: Credits): Moves => {
  const assets = knownAssetsIn(situation)
  const isOwn = (token: ContractAddress) => one !== null && (token === one.position.contract || token === one.position.shareToken)
  const others = tokenMovesOf([call]).filter(({ token }) => !assets.has(token) && !isOwn(token))
  return movesOf([...credits, ...others.map(({ token, units }) => [token, units] as const)])
}

const callText = ({ pays, takes }: Moves, { function: name }: ContractCall, isSimulated: boolean): string => {
  const amounts = pays.length + takes.length === 0 ? "" : `; amounts are approximate, as ${isSimulated ? "simulated" : "expected"} now`
  return `Calls ${name}${amounts}.`
}

const callMove = (situation: Situation, ledgerState: LedgerState, pending: PendingCall): ContractMove => {
  const { source } = situation.input
  const { call, id, one, price, simulation, step } = pending
  const ready = simulation?._tag === "Ready" ? simulation : null
  const outcome = ready === null ? expectedOutcome(situation, ledgerState, pending) : simulatedOutcome(ready)
  const operation = InvokeContract.build(source, call, ready?.auth ?? [])
  const decoded = InvokeContract.decode(operation.body, source)
  const moves = movesOfCall(situation, pending, outcome.credits)
  return {
    _tag: "Contract",
    progress: called(pending, pending.index),
    reason: step.reason,
    call,
    operation,
    level: "med",
    ...outcome,
    group: atomicGroup([{
      type: step.type,
      title: step.title(moves, tokenNamesIn(situation)),
      description: callText(moves, call, ready !== null),
      moves,
      entry: id,
      contract: call.contract,
      operations: [],
      ...(decoded === null ? {} : { call: { operation: decoded, feeStroops: outcome.resourceFee + situation.exits.inclusionFee } })
    }], {
      quoted: price,
      // What a sale may lack is what lies between its quote and the least that its call accepts.
      mayLack: price.receive > 0n
        ? new Map()
        : payoutLack(call, outcome.credits, knownAssetsIn(situation), agreedSlippage(situation.input, one?.answer))
    })
  }
}

type Restoration = Extract<CallSimulation, { readonly _tag: "Restore" }>

const restoreMove = (situation: Situation, { call, id, step }: PendingCall, { ledger, resources }: Restoration): ContractMove => {
  const { source } = situation.input
  const operation = RestoreFootprint.build(source)
  const decoded = RestoreFootprint.decode(operation.body, source, resources.resources.footprint.readWrite)
  return {
    _tag: "Contract",
    progress: Restored({ position: id }),
    reason: step.reason,
    call: null,
    operation,
    level: "low",
    resources,
    simulatedAt: ledger,
    resourceFee: resources.resourceFee,
    credits: new Map(),
    doubt: null,
    group: atomicGroup([{
      type: "RESTORE_ENTRIES",
      title: `Restore archived entries of ${step.of}`,
      description: "The ledger has archived entries that the next call needs. Restoring them costs rent.",
      entry: id,
      contract: call.contract,
      operations: [],
      ...(decoded === null ? {} : { call: { operation: decoded, feeStroops: resources.resourceFee + situation.exits.inclusionFee } })
    }])
  }
}

/** The transaction of a call that is not made yet; where entries that it needs are archived, the one that restores them. */
export const contractMove = (situation: Situation, ledgerState: LedgerState, pending: PendingCall, done: Done): ContractMove =>
  pending.simulation?._tag === "Restore" && !HashSet.has(done, Restored({ position: pending.id }))
    ? restoreMove(situation, pending, pending.simulation)
    : callMove(situation, ledgerState, pending)
