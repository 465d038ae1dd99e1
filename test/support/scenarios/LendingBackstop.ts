import { Effect } from "effect"
import { addressVal, i128 } from "../../../src/ledger/soroban/Values.ts"
import { accountVal, callContract } from "../../../src/sandbox/scenarios/CallContract.ts"
import { STROOPS } from "../../../src/sandbox/scenarios/LendingMarket.ts"
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
    args: [accountVal(lender), accountVal(source), i128(120n * STROOPS)]
  })
  yield* callContract("the account backs the pool", {
    as: source,
    contract: backstop,
    fn: "deposit",
    args: [accountVal(source), addressVal(pool), i128(100n * STROOPS)]
  })
  yield* emissionsFor(2, assets)
  return scene
})
