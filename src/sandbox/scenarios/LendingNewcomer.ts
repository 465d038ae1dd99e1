import { Keypair } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { LendingMarket } from "./LendingMarket.ts"
import { fund } from "./Scenario.ts"

/** A lending market, with an account of 5,000 lumens and a destination that have nothing to do with it yet. */
export const LendingNewcomer = Effect.gen(function*() {
  const market = yield* LendingMarket
  const [source, destination] = [Keypair.random(), Keypair.random()]
  yield* fund("5000", source, destination)
  return { ...market, source, destination }
})
