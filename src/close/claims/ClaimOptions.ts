import type { ClaimableBalance } from "../../domain/Account.ts"
import { showAmount } from "../../domain/Amount.ts"
import type { AssetId } from "../../domain/Asset.ts"
import { counted } from "../../domain/CountedNoun.ts"
import type { DecisionOption, DecisionPoint } from "../../domain/Decision.ts"
import type { ValueItem } from "../../domain/Value.ts"
import { lumenQuote } from "../leaving/payouts/LumenQuote.ts"
import { offeredMaximum } from "../market/Floors.ts"
import { DecisionId, subjectTag } from "../situation/DecisionId.ts"
import { assetValue } from "../situation/TokenValues.ts"
import type { ClaimSituation } from "./ClaimSituation.ts"

/** The most that giving balances up is offered for, units. One never grows. Several are joined by those that strangers add. */
export const mostForfeited = (
  { ledgerState, input: { source }, market }: ClaimSituation,
  { asset, id }: { readonly asset: AssetId; readonly id: string },
  found: bigint
): bigint =>
  subjectTag(id) === "claim"
    ? found
    : offeredMaximum(found, lumenQuote({ ledgerState, source }, { asset, amount: found }, market.routes.get(asset) ?? []))

/** Leaving balances behind, up to so many units; `note` continues after its first sentence. */
export const forfeitOption = (loses: ReadonlyArray<ValueItem>, most: bigint, note: string): DecisionOption => ({
  id: "forfeit",
  note: `You give it up permanently.${note}`,
  loses,
  params: { maxAmount: showAmount(most) }
})

const mostNamed = 10

/** What balances come to, by asset. */
const sumsOf = (balances: ReadonlyArray<ClaimableBalance>): ReadonlyArray<ValueItem> => {
  const sums = new Map<AssetId, bigint>()
  for (const { amount, asset } of balances) sums.set(asset, (sums.get(asset) ?? 0n) + amount)
  return [...sums].map(([asset, units]) => assetValue(asset, units))
}

/** The question about all balances that nothing is known to buy. */
export const othersPoint = (balances: ReadonlyArray<ClaimableBalance>, answered: boolean): DecisionPoint => {
  const assets = new Set(balances.map(({ asset }) => asset)).size
  const first = balances.toSorted((a, b) => (a.amount > b.amount ? -1 : 1)).slice(0, mostNamed)
  return {
    id: DecisionId.otherClaims,
    type: "claims",
    subject: `${counted(balances.length, "claimable balance")} of ${
      counted(assets, "asset")
    } that the account does not hold and that have no known buyer. The largest: ${
      first.map(({ amount, asset }) => `${showAmount(amount)} ${asset}`).join(", ")
    }`,
    about: { kind: "claims", count: balances.length, asset: null, amount: null, from: null },
    options: [{
      id: "forfeit",
      note: "You give them up permanently. To claim one of them, decide claims: and its asset, CODE-ISSUER.",
      loses: sumsOf(balances),
      params: { maxCount: 2 * balances.length + 1000 }
    }],
    default: null,
    required: true,
    answered
  }
}
