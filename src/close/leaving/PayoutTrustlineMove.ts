import { HashSet } from "effect"
import { type AssetId, native } from "../../domain/Asset.ts"
import type { LedgerState } from "../../ledger/LedgerState.ts"
import type { ContractCall } from "../../operations/ContractCall.ts"
import type { AtomicGroup } from "../situation/AtomicGroup.ts"
import { type Holdings, spendable } from "../situation/Holdings.ts"
import { callsOf } from "../situation/PlannedExit.ts"
import { type Done, type Progress, TrustlinesMade } from "../situation/Progress.ts"
import type { Situation } from "../situation/Situation.ts"
import { hasRoom, reserveOf, trustlineGroups, trustlineProblem, trustlineUnaffordable } from "./payouts/PayoutTrustlines.ts"
import type { PendingCall } from "./PendingCalls.ts"

/** The trustlines that a call needs for what it pays. */
export interface PayoutTrustlineMove {
  readonly progress: Progress
  /** One for each trustline, with what blocks it. */
  readonly groups: ReadonlyArray<AtomicGroup>
  /** Whether the lumens at hand pay the reserves and fees of all of them. */
  readonly affordable: boolean
}

/** Whether the trustlines of a call were made: those of a claim that comes last with the calls before it. */
export const hasTrustlines = ({ call: { claimsOnly = false }, index, one }: PendingCall, done: Done): boolean =>
  one !== null &&
  callsOf(one).some((_, at) =>
    HashSet.has(done, TrustlinesMade({ position: one.id, index: at })) && (at === index || (claimsOnly && at < index))
  )

/** What calls pay onto trustlines, in stroops: as much as all of them together. */
const payoutsOf = ({ exits: { assets } }: Situation, calls: ReadonlyArray<ContractCall>): ReadonlyMap<AssetId, bigint> => {
  const sum = new Map<AssetId, bigint>()
  for (const { expected, token } of calls.flatMap(({ payouts }) => payouts)) {
    const asset = assets.get(token)
    if (asset !== undefined && asset !== native) sum.set(asset, (sum.get(asset) ?? 0n) + expected)
  }
  return sum
}

const assetIn = ({ steps }: AtomicGroup): AssetId | undefined => steps.flatMap(({ asset }) => asset ?? [])[0]

/** The trustlines of the first of some calls; null where it needs none. */
export const payoutTrustlineMove = (
  situation: Situation,
  ledgerState: LedgerState,
  { account, address }: Holdings,
  pending: ReadonlyArray<PendingCall>
): PayoutTrustlineMove | null => {
  const [first] = pending
  // Only positions pay onto trustlines: what tokens are sold for is lumens.
  const one = first?.one ?? null
  if (first === undefined || one === null) return null
  const { baseFee, baseReserve } = ledgerState.header
  const awaited = payoutsOf(situation, pending.map(({ call }) => call))
  // A claim that comes last of a position gets its trustline before the position is left: afterwards it would be too late to say that there is none.
  const own = payoutsOf(
    situation,
    pending.flatMap((each) => each === first || (each.one === one && each.call.claimsOnly === true) ? [each.call] : [])
  )
  // Only what the next exit pays gets its trustline now, with room for what later ones pay into it as well.
  const groups = trustlineGroups(
    ledgerState,
    address,
    new Map(
      [...own].filter(([asset, amount]) => !hasRoom(ledgerState, address, asset, amount))
        .map(([asset, amount]) => [asset, awaited.get(asset) ?? amount])
    )
  )
  if (groups.length === 0) return null
  const fees = situation.input.feePayer === "source" ? baseFee * groups.length : 0
  const lacking = BigInt(fees) + reserveOf(ledgerState, address, groups) - spendable(account, baseReserve)
  const problemOf = (asset: AssetId | undefined) => {
    if (lacking > 0n) return trustlineUnaffordable(asset ?? native, one, lacking)
    return asset === undefined ? null : trustlineProblem(ledgerState, address, asset, one)
  }
  return {
    progress: TrustlinesMade({ position: one.id, index: first.index }),
    affordable: lacking <= 0n,
    groups: groups.map((group) => {
      const problem = problemOf(assetIn(group))
      return problem === null ? group : { ...group, blockers: [problem] }
    })
  }
}
