import { Operation } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { STROOPS, submitRequests } from "./LendingMarket.ts"
import { LendingNewcomer } from "./LendingNewcomer.ts"
import { perform } from "./Scenario.ts"

/** An account that lends 200 of its 300 USDC and owes nothing. */
export const LendingSupply = Effect.gen(function* () {
  const scene = yield* LendingNewcomer
  const { issuer, source, usdc } = scene
  yield* perform("the account trusts USDC", { as: source, operations: [Operation.changeTrust({ asset: usdc })] })
  yield* perform("the issuer pays the account", {
    as: issuer,
    operations: [Operation.payment({ destination: source.publicKey(), asset: usdc, amount: "300" })]
  })
  yield* submitRequests("the account lends", source, ["supply", usdc, 200n * STROOPS])
  return scene
})
