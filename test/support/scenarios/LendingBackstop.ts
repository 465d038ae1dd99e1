import { Effect } from "effect"
import { lumen } from "../../../src/ledger/Asset.ts"
import { addressVal, i128 } from "../../../src/ledger/soroban/Values.ts"
import { accountVal, callContract } from "../../../src/sandbox/scenarios/CallContract.ts"
import { LendingNewcomer } from "../../../src/sandbox/scenarios/LendingNewcomer.ts"
import { emissionsFor } from "./LendingEmissions.ts"

/** An account with 100 shares of the backstop of a pool and 20 of its liquidity pool in hand, two days into emissions. */
export const LendingBackstop = Effect.gen(function*() {
  const scene = yield* LendingNewcomer
  const { assets, backstop, comet, lender, pool, source } = scene
  yield* callContract("the lender hands over shares of the liquidity pool", {
    as: lender,
    contract: comet,
    fn: "transfer",
    args: [accountVal(lender), accountVal(source), i128(120n * lumen)]
  })
  yield* callContract("the account backs the pool", {
    as: source,
    contract: backstop,
    fn: "deposit",
    args: [accountVal(source), addressVal(pool), i128(100n * lumen)]
  })
  yield* emissionsFor(2, assets)
  return scene
})
