import type { AccountAddress } from "../../domain/Address.ts"
import { type Stroops, stroops } from "../../domain/Amount.ts"
import { native } from "../../domain/Asset.ts"
import type { OperationOf } from "../../operations/OperationDefinition.ts"
import type { Route, Sale } from "../situation/Routes.ts"
import type { Trial, Workbench } from "../situation/Workbench.ts"

/** What converting an amount into lumens would bring now, and the way it would go. */
export interface ConversionQuote {
  readonly receive: Stroops
  readonly path: Route
  /** What it was tried on, after it. */
  readonly after: Workbench
}

/** So much of an asset, on the account that sells it. */
export interface OwnSale extends Sale {
  readonly source: AccountAddress
}

/** The conversion of an amount of an asset into lumens of the same account. */
export const conversion = ({ amount, asset, source }: OwnSale, path: Route, destMin: Stroops): OperationOf<"path_payment_strict_send"> => ({
  type: "path_payment_strict_send",
  source,
  sendAsset: asset,
  sendAmount: amount,
  destination: source,
  destAsset: native,
  destMin,
  path
})

const received = (results: Trial["results"]): bigint => {
  const last = results.at(-1)
  if (last?.type !== "opInner" || last.tr.type !== "pathPaymentStrictSend") return 0n
  const result = last.tr.pathPaymentStrictSendResult
  return result.type === "pathPaymentStrictSendSuccess" ? result.success.last.amount : 0n
}

/** Stroops that a sale brings along one route on the workbench; 0 where it cannot be made. */
export const paidAlong = (bench: Workbench, sale: OwnSale, path: Route): bigint => {
  const { after, results } = bench.attempt([conversion(sale, path, stroops(1n))])
  return after === null ? 0n : received(results)
}

/** Tries every route on the workbench and returns the best; null when none brings a single stroop. */
export const bestQuote = (bench: Workbench, sale: OwnSale, routes: ReadonlyArray<Route>): ConversionQuote | null => {
  let best: ConversionQuote | null = null
  for (const path of routes) {
    const { after, results } = bench.attempt([conversion(sale, path, stroops(1n))])
    const receive = received(results)
    if (after !== null && receive > (best?.receive ?? 0n)) best = { receive: stroops(receive), path, after }
  }
  return best
}
