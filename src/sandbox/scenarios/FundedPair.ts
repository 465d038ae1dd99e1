import { Keypair } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { fund } from "./Scenario.ts"

/** A plain account that holds nothing but 100 lumens, and a destination: the least there is to close. */
export const FundedPair = Effect.gen(function*() {
  const source = Keypair.random()
  const destination = Keypair.random()
  yield* fund("100", source, destination)
  return { source, destination }
})
