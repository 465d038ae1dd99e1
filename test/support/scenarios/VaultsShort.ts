import { Operation } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { perform } from "../../../src/sandbox/scenarios/Scenario.ts"
import { VaultsPair } from "./VaultsPair.ts"

/** An account with two vaults that has spent 30 of the 100 EURx it owes. */
export const VaultsShort = Effect.gen(function*() {
  const scene = yield* VaultsPair
  const { eur, maker, source } = scene
  yield* perform("the account spends some of what it owes", {
    as: source,
    operations: [Operation.payment({ destination: maker.publicKey(), asset: eur, amount: "30" })]
  })
  return scene
})
