import { Operation } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { lumen } from "../../../src/ledger/Asset.ts"
import { submitRequests } from "../../../src/sandbox/scenarios/LendingMarket.ts"
import { LendingNewcomer } from "../../../src/sandbox/scenarios/LendingNewcomer.ts"
import { perform } from "../../../src/sandbox/scenarios/Scenario.ts"

/** An account that owes 50 EURC against 2,000 lumens, and has them and 10 more. */
export const LendingDebt = Effect.gen(function*() {
  const scene = yield* LendingNewcomer
  const { eurc, issuer, native, source } = scene
  yield* perform("the account trusts EURC", { as: source, operations: [Operation.changeTrust({ asset: eurc })] })
  yield* submitRequests("the account borrows", source, ["supplyCollateral", native, 2_000n * lumen], ["borrow", eurc, 50n * lumen])
  yield* perform("the issuer pays the account", {
    as: issuer,
    operations: [Operation.payment({ destination: source.publicKey(), asset: eurc, amount: "10" })]
  })
  return scene
})
