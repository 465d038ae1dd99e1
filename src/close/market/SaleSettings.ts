import { Context, Effect, Layer } from "effect"
import { wholeNumberSetting } from "../../domain/WholeNumberSetting.ts"
import { mostBpsUnasked } from "./PriceImpact.ts"

/** `RECOMMENDED_PRICE_IMPACT_BPS`, default 300. */
export const recommendedImpactSetting = wholeNumberSetting("RECOMMENDED_PRICE_IMPACT_BPS", { least: 0, most: mostBpsUnasked, usual: 300 })

/** Which sales a plan recommends. */
export class SaleSettings extends Context.Tag("closeout/close/SaleSettings")<SaleSettings, {
  /** Basis points: the largest price impact of a sale that is recommended. */
  readonly recommendedImpactBps: number
}>() {
  /** `RECOMMENDED_PRICE_IMPACT_BPS`, default 300. */
  static readonly layer = Layer.effect(
    SaleSettings,
    Effect.map(recommendedImpactSetting, (recommendedImpactBps) => ({ recommendedImpactBps }))
  )
}
