import { BigInt as Big, HashSet } from "effect"
import { native } from "../../domain/Asset.ts"
import type { LedgerState } from "../../ledger/LedgerState.ts"
import type { AtomicGroup } from "../situation/AtomicGroup.ts"
import { isFed } from "../situation/DebtCover.ts"
import { type Exits, toBeLeft } from "../situation/Exits.ts"
import { leewayOf, type LumenShortage } from "../situation/Fees.ts"
import { belowReserve, type Holdings, sellingLiabilitiesIn, spendable } from "../situation/Holdings.ts"
import type { PlannedExit } from "../situation/PlannedExit.ts"
import { bought, type Done, Freed, type Progress } from "../situation/Progress.ts"
import { isHeldByOffers, type TokenShortage } from "../situation/RepayShortage.ts"
import { knownAssetsIn, type Situation } from "../situation/Situation.ts"
import { purchaseOf } from "./buying/RepayPurchase.ts"
import { type ContractMove, contractMove } from "./ContractMove.ts"
import { hasTrustlines, payoutTrustlineMove } from "./PayoutTrustlineMove.ts"
import { type PendingCall, pendingCalls } from "./PendingCalls.ts"
import { openExitPoint } from "./points/ExitPoints.ts"

/** What is done next about positions, before any classic work. `progress`: what it brings the close. */
export type ExitMove =
  /** Nothing any more. */
  | { readonly _tag: "None" }
  /** A classic transaction of these groups: trustlines and purchases that an exit needs. */
  | { readonly _tag: "Prepare"; readonly progress: Progress; readonly groups: ReadonlyArray<AtomicGroup> }
  /** Offers, data entries and empty trustlines go first, for the lumens or the asset they hold. */
  | { readonly _tag: "Free"; readonly progress: Progress }
  /** A contract transaction. */
  | ContractMove
  | LumenShortage

const freeing: ExitMove = { _tag: "Free", progress: Freed() }

/** What a position lacks to pay its debt, as long as nothing was done about it; null: nothing. */
const unmetShortage = (exits: Exits, one: PlannedExit, done: Done): TokenShortage | null => {
  if (one.exit._tag !== "Refused" || one.exit.refusal._tag !== "RepayAssetShort") return null
  return HashSet.has(done, bought(one)) || isFed(exits, one) ? null : one.exit.refusal
}

/** Debts that cannot be paid from what the account has: what offers hold is freed, what the owner decides to buy is bought. */
const shortages = (situation: Situation, ledgerState: LedgerState, { address }: Holdings, done: Done): ExitMove | null => {
  for (const one of toBeLeft(situation.exits)) {
    const lacks = unmetShortage(situation.exits, one, done)
    if (lacks === null) continue
    const asset = situation.exits.assets.get(lacks.token)
    if (asset === undefined) continue
    if (isHeldByOffers(ledgerState, address, asset, lacks) && !HashSet.has(done, Freed())) return freeing
    const purchase = HashSet.has(done, Freed()) ? null : purchaseOf(situation, ledgerState, one)
    if (purchase !== null) {
      return {
        _tag: "Prepare",
        progress: bought(one),
        groups: purchase.map((each) => (each.failure === null ? each : { ...each, points: [openExitPoint(situation, one)] }))
      }
    }
  }
  return null
}

/** Whether freeing would bring anything. */
const canFree = ({ dataNames, trustlines, offers }: Holdings): boolean =>
  offers.length > 0 || dataNames.length > 0 || trustlines.some(({ balance }) => balance === 0n)

/** What is missing for a contract transaction that the account pays itself; null where it suffices, or someone else pays. */
const lumensLacking = (
  { exits, input }: Situation,
  { header: { baseReserve } }: LedgerState,
  { account }: Holdings,
  { resourceFee }: ContractMove
): LumenShortage | null => {
  if (input.feePayer === "fee_bump") return null
  const needed = resourceFee + exits.inclusionFee
  const available = spendable(account, baseReserve)
  if (available >= needed) return null
  return {
    _tag: "NoLumens",
    needed: needed + belowReserve(account, baseReserve),
    spendable: Big.max(available, 0n),
    leeway: leewayOf(resourceFee),
    wrappable: true
  }
}

/** Whether offers hold some of what a sale through contracts hands over. */
const isLocked = (situation: Situation, ledgerState: LedgerState, { call: { holds }, one }: PendingCall): boolean => {
  if (one !== null) return false
  const assets = knownAssetsIn(situation)
  return holds.flatMap(({ token }) => assets.get(token) ?? []).some((asset) =>
    asset !== native && sellingLiabilitiesIn(ledgerState, situation.input.source, asset) > 0n
  )
}

/** The next move about positions from a state of the ledger on; `done`: what was already done in this projection. */
export const exitMove = (situation: Situation, ledgerState: LedgerState, holdings: Holdings, done: Done): ExitMove => {
  const short = shortages(situation, ledgerState, holdings, done)
  if (short !== null) return short
  const pending = pendingCalls(situation, done)
  const [first] = pending
  if (first === undefined) return { _tag: "None" }
  const mayFree = !HashSet.has(done, Freed()) && canFree(holdings)
  // What offers hold of an asset cannot be handed over.
  if (mayFree && isLocked(situation, ledgerState, first)) return freeing
  const trustlines = hasTrustlines(first, done) ? null : payoutTrustlineMove(situation, ledgerState, holdings, pending)
  if (trustlines !== null) {
    const { affordable, groups, progress } = trustlines
    return affordable || !mayFree ? { _tag: "Prepare", progress, groups } : freeing
  }
  const move = contractMove(situation, ledgerState, first, done)
  const lacking = lumensLacking(situation, ledgerState, holdings, move)
  if (lacking === null) return move
  return mayFree ? freeing : lacking
}
