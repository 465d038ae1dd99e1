import type { AccountAddress } from "../../../domain/Address.ts"
import { stroops } from "../../../domain/Amount.ts"
import { type AssetId, native } from "../../../domain/Asset.ts"
import type { LedgerState } from "../../../ledger/LedgerState.ts"
import { bestQuote } from "../../market/Conversion.ts"
import { trustlineIn } from "../../situation/Holdings.ts"
import type { Route } from "../../situation/Routes.ts"
import { Workbench } from "../../situation/Workbench.ts"
import { withCredits } from "./LedgerCredits.ts"
import { withRoom } from "./PayoutTrustlines.ts"

/** An account on a ledger whose books and pools were read. */
export interface Seller {
  readonly ledgerState: LedgerState
  readonly source: AccountAddress
}

/** Stroops of lumens that an amount of an asset would bring along some routes, were it on the account and nothing else of it; null without a quote. */
export const lumenQuote = (
  { ledgerState, source }: Seller,
  { amount, asset }: { readonly asset: AssetId; readonly amount: bigint },
  routes: ReadonlyArray<Route>
): bigint | null => {
  if (asset === native) return amount
  if (routes.length === 0) return null
  const ready = withRoom(Workbench.open(ledgerState, source), source, asset, amount)
  const line = ready === null ? null : trustlineIn(ready.state, source, asset)
  if (ready === null || line === null || line.balance + amount > line.limit) return null
  const bench = Workbench.open(withCredits(ready.state, source, new Map([[asset, amount]])), source)
  return bestQuote(bench, { source, asset, amount: stroops(amount) }, routes)?.receive ?? null
}
