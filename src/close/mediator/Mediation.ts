import { stroops } from "../../domain/Amount.ts"
import { native } from "../../domain/Asset.ts"
import type { Header } from "../../ledger/Header.ts"
import { sponsorshipsOf } from "../../stellar/Entries.ts"
import { type AtomicGroup, atomicGroup } from "../situation/AtomicGroup.ts"
import { type FeeBid, feeBid, type LumenShortage } from "../situation/Fees.ts"
import type { Holdings } from "../situation/Holdings.ts"
import type { Situation } from "../situation/Situation.ts"

/** A merge into the mediator, and the payment that passes the lumens on: two operations that always stand alone. */
const operationCount = 2n

/** Whether the close ends at an exchange that credits payments but no merges. */
export const needsMediator = ({ destination }: Pick<Situation, "destination">): boolean => destination?.listing?.requiresMediator === true

/** The last transaction through the mediator; or the lumens missing for it; or null while the account is not empty. */
export type Mediation =
  | { readonly _tag: "Mediation"; readonly group: AtomicGroup; readonly bid: FeeBid }
  | LumenShortage

/**
 * What passes the lumens of an empty account on to the exchange. The account itself pays the fee, even if others were fee-bumped: the
 * amount is its balance less the whole bid, because what will really be charged is not known beforehand. What is not charged stays
 * with the mediator.
 */
export const mediationOf = (situation: Situation, holdings: Holdings, header: Header): Mediation | null => {
  const { destination, mediator } = situation
  const { account, address } = holdings
  const empty = account.numSubEntries === account.signers.length && sponsorshipsOf(account).numSponsoring === 0
  if (destination === null || mediator === null || !empty) return null
  const bid = feeBid({ ...situation, input: { ...situation.input, feePayer: "source" } }, holdings, header)
  const fee = bid.perOperation * operationCount
  const amount = account.balance - fee
  if (bid.spendable < fee || amount <= 0n) {
    return { _tag: "NoLumens", needed: amount <= 0n ? fee + 1n : fee, spendable: bid.spendable, leeway: 0n, wrappable: false }
  }
  return {
    _tag: "Mediation",
    bid,
    group: atomicGroup([{
      type: "MERGE",
      title: "Merge the account and pay the exchange",
      description: `All lumens go through the mediator ${mediator.address} as a payment with your memo. ` +
        "The account itself pays this fee. The part of the bid that is not charged stays with the mediator.",
      entry: destination.address,
      operations: [
        { type: "account_merge", source: address, destination: mediator.address },
        { type: "payment", source: mediator.address, destination: destination.address, asset: native, amount: stroops(amount) }
      ]
    }])
  }
}
