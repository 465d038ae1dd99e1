import { assert, describe, it } from "@effect/vitest"
import { Asset, getLiquidityPoolId, type Keypair, LiquidityPoolAsset, LiquidityPoolFeeV18, Operation } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { perform } from "../../src/sandbox/scenarios/Scenario.ts"
import { Issued, Pair } from "../close/support/Accounts.ts"
import { accountOf } from "../close/support/LedgerView.ts"
import { Service } from "../close/support/Service.ts"
import { closed, optionsFor, served } from "./support/Closes.ts"

/** Puts lumens and at most so many units into a pool of the ledger. */
const deposited = (from: Keypair, asset: Asset, lumens: string, units: string) => {
  const pool = new LiquidityPoolAsset(Asset.native(), asset, LiquidityPoolFeeV18)
  const id = getLiquidityPoolId("constant_product", pool.getLiquidityPoolParameters())
  return perform("a deposit into the pool", {
    as: from,
    operations: [
      Operation.changeTrust({ asset: pool }),
      Operation.liquidityPoolDeposit({
        liquidityPoolId: Buffer.from(id).toString("hex"),
        maxAmountA: lumens,
        maxAmountB: units,
        minPrice: { n: 1, d: 2_147_483_647 },
        maxPrice: { n: 2_147_483_647, d: 1 }
      })
    ]
  })
}

describe("a share so small that its pool pays nothing of one asset", () => {
  it.live("is withdrawn, and the close goes on", () =>
    served(
      false,
      Effect.gen(function*() {
        const service = yield* Service
        const { destination, source } = yield* service.on(Pair("200"))
        const { asset, issuer } = yield* service.on(Issued("USD", [source, "0.0000001"]))
        yield* service.on(deposited(issuer, asset, "50", "0.0000010"))
        yield* service.on(deposited(source, asset, "4.9", "0.0000001"))
        const { receipt } = yield* closed(optionsFor(service, source, destination.publicKey()))
        assert.strictEqual(yield* accountOf(source), null)
        // Of 200 lumens nothing but fees and what rounding leaves in the pool.
        assert.closeTo(Number(receipt.closed.receivedLumens), 200, 0.1)
      })
    ), 60_000)
})
