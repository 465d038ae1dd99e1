import type { xdr } from "@stellar/stellar-sdk"
import type { SoleTransaction } from "./Apply.ts"
import { isNative } from "./Asset.ts"
import type { DraftEntry } from "./Draft.ts"
import { idOfEntry } from "./EntryId.ts"
import { pairOf } from "./exchange/BookOrder.ts"
import { inconsistencies } from "./Invariants.ts"
import type { LedgerState } from "./LedgerState.ts"

/** Stroops in an entry. What contracts hold is not counted: a classic transaction cannot change it. */
const lumensIn = (entry: xdr.LedgerEntry | null | undefined): bigint => {
  switch (entry?.data.type) {
    case "account":
      return entry.data.account.balance
    case "claimableBalance":
      return isNative(entry.data.claimableBalance.asset) ? entry.data.claimableBalance.amount : 0n
    case "liquidityPool": {
      const { params: { assetA }, reserveA } = entry.data.liquidityPool.body.constantProduct
      return isNative(assetA) ? reserveA : 0n
    }
    default:
      return 0n
  }
}

const lumensLost = (deltas: ReadonlyArray<DraftEntry>, fee: bigint): ReadonlyArray<string> => {
  const change = deltas.reduce((sum, { before, now }) => sum + lumensIn(now) - lumensIn(before), 0n)
  return change === -fee ? [] : [`lumens changed by ${change} stroops, and the fee is ${fee}`]
}

/** A pool never has less behind each share than before, to the stroop: trades add a fee, and what is rounded stays. */
const poolsDrained = (deltas: ReadonlyArray<DraftEntry>): ReadonlyArray<string> =>
  deltas.flatMap(({ before, now }) => {
    if (before?.data.type !== "liquidityPool" || now?.data.type !== "liquidityPool") return []
    const [was, is] = [before.data.liquidityPool.body.constantProduct, now.data.liquidityPool.body.constantProduct]
    const hadLess = was.reserveA * was.reserveB * is.totalPoolShares ** 2n <= is.reserveA * is.reserveB * was.totalPoolShares ** 2n
    return hadLess ? [] : [`${idOfEntry(now)} has less behind a share than before`]
  })

/** Whether the best offers of a pair would trade with each other. */
const isCrossed = (state: LedgerState, { buying, selling }: xdr.OfferEntry): boolean => {
  const [there, back] = [state.book(pairOf(selling, buying)).at(0)?.offer, state.book(pairOf(buying, selling)).at(0)?.offer]
  if (there === undefined || back === undefined) return false
  return BigInt(there.price.n) * BigInt(back.price.n) < BigInt(there.price.d) * BigInt(back.price.d)
}

const booksCrossed = (deltas: ReadonlyArray<DraftEntry>, before: LedgerState, after: LedgerState): ReadonlyArray<string> =>
  deltas.flatMap((delta) => {
    const { data } = delta.now ?? delta.before ?? {}
    return data?.type === "offer" && isCrossed(after, data.offer) && !isCrossed(before, data.offer)
      ? [`the book of offer ${data.offer.offerId} is crossed`]
      : []
  })

/**
 * What a classic transaction did that no transaction can do, one line each; nothing when all is well. These are the invariants that the network's
 * own software checks: lumens are conserved, counters and liabilities follow the entries, pools keep their product, no book is crossed. `before`
 * may be a part of the ledger.
 */
export const brokenBy = (
  before: LedgerState,
  { result, state, touched }: Pick<SoleTransaction, "touched" | "result" | "state">
): ReadonlyArray<string> => {
  const deltas = touched()
  return [
    ...inconsistencies(deltas, { before, after: state }),
    ...lumensLost(deltas, result.feeCharged),
    ...poolsDrained(deltas),
    ...booksCrossed(deltas, before, state)
  ]
}
