import { Keypair } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { fund } from "./Scenario.ts"

/** An account that plays an exchange's deposit address: plain on the ledger, as the real ones are. */
export const ExchangeDeposit = Effect.gen(function*() {
  const deposit = Keypair.random()
  yield* fund("1000", deposit)
  return { deposit }
})
