import { Operation } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { perform } from "../../../src/sandbox/scenarios/Scenario.ts"
import { LendingDebt } from "./LendingDebt.ts"

/** An account that owes 50 EURC against 2,000 lumens and has spent them: it must buy EURC for the repayment. */
export const LendingDebtToBuy = Effect.gen(function*() {
  const scene = yield* LendingDebt
  const { eurc, lender, source } = scene
  yield* perform("the account spends what it borrowed", {
    as: source,
    operations: [Operation.payment({ destination: lender.publicKey(), asset: eurc, amount: "60" })]
  })
  return scene
})
