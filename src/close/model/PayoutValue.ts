import { stroops } from "../../domain/Amount.ts"
import { type AssetId, native } from "../../domain/Asset.ts"
import { assetContract } from "../../stellar/AssetTokens.ts"
import { bestQuote } from "./Conversion.ts"
import { credited } from "./Credited.ts"
import { callsOf, type PlannedExit } from "./Exits.ts"
import { trustlineIn } from "./Holdings.ts"
import { withRoom } from "./PayoutTrustlines.ts"
import type { Situation } from "./Situation.ts"
import { Workbench } from "./Workbench.ts"

/** What the calls of a position pay of each asset of the ledger, stroops, and whether they pay anything else. */
export const assetsPaid = (
  { exits }: Pick<Situation, "exits">,
  one: PlannedExit
): { readonly assets: ReadonlyMap<AssetId, bigint>; readonly others: boolean } => {
  const payouts = callsOf(one).flatMap((call) => call.payouts)
  const sums = new Map<AssetId, bigint>()
  for (const { expected, token } of payouts) {
    const asset = exits.assets.get(token)
    if (asset !== undefined) sums.set(asset, (sums.get(asset) ?? 0n) + expected)
  }
  return { assets: sums, others: payouts.some(({ token }) => !exits.assets.has(token)) }
}

/** What so much of an asset would bring in lumens when it has arrived, stroops; null: nothing buys it, or there was no time to ask. */
const worthOf = (
  { exits: { giftRoutes }, input: { source }, market, ledgerState }: Situation,
  asset: AssetId,
  amount: bigint
): bigint | null => {
  if (asset === native) return amount
  const routes = giftRoutes.get(asset) ?? market.routes.get(asset)
  if (routes === undefined || amount <= 0n) return null
  const ready = withRoom(Workbench.open(ledgerState, source), source, asset, amount)
  const line = ready === null ? null : trustlineIn(ready.state, source, asset)
  if (ready === null || line === null || line.balance + amount > line.limit) return null
  const bench = Workbench.open(credited(ready.state, source, new Map([[asset, amount]])), source)
  return bestQuote(bench, { source, asset, amount: stroops(amount) }, routes)?.receive ?? null
}

/** Whether quotes of an asset count for what strangers give: those of assets that nobody lists, a stranger makes himself. */
export const isListed = ({ passphrase, tokenList }: Pick<Situation, "passphrase" | "tokenList">, asset: AssetId): boolean =>
  asset === native || tokenList.has(assetContract(asset, passphrase))

/** Stroops that those of a position's payouts would bring which have a quote, of these assets; null where none has. */
export const payoutValue = (situation: Situation, one: PlannedExit, counts: (asset: AssetId) => boolean = () => true): bigint | null => {
  const { assets } = assetsPaid(situation, one)
  const worths = [...assets].filter(([asset]) => counts(asset)).flatMap(([asset, amount]) => worthOf(situation, asset, amount) ?? [])
  return worths.length === 0 ? null : worths.reduce((sum, worth) => sum + worth, 0n)
}
