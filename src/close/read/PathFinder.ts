import { Context, Effect, Layer } from "effect"
import type { ChainFailure } from "../../chain/ChainFailure.ts"
import { LedgerApi } from "../../chain/LedgerApi.ts"
import { type Stroops, stroops } from "../../domain/Amount.ts"
import { type AssetId, native } from "../../domain/Asset.ts"
import type { ConversionPath } from "../../domain/ConversionPath.ts"
import { floorOf } from "../model/Floors.ts"

/** Finds ways from an asset to lumens. */
export class PathFinder extends Context.Tag("closeout/close/PathFinder")<PathFinder, {
  /**
   * The best strict-send path the ledger API knows now, with its floor after slippage in basis points. Null when there is none, when
   * the floor would be nothing, and for lumens themselves; an outage is a failure.
   */
  readonly find: (fromAsset: AssetId, amount: Stroops, maxSlippageBps: number) => Effect.Effect<ConversionPath | null, ChainFailure>
}>() {
  static readonly layer = Layer.effect(
    PathFinder,
    Effect.map(LedgerApi, (api) =>
      PathFinder.of({
        find: Effect.fn("PathFinder.find")(function*(fromAsset, amount, maxSlippageBps) {
          if (fromAsset === native) return null
          const [best] = yield* api.strictSendPaths(fromAsset, amount, native)
          const floor = best === undefined ? 0n : floorOf(best.destinationAmount, maxSlippageBps)
          if (best === undefined || floor === 0n) return null
          return { fromAsset, toAsset: "native", path: best.path, estimatedReceive: best.destinationAmount, destMin: stroops(floor) }
        })
      }))
  )
}
