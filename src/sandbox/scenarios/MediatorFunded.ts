import { Keypair } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { lumen } from "../../ledger/Asset.ts"
import { Network } from "../Network.ts"
import { fund } from "./Scenario.ts"

/** Base reserves an account without anything must keep. */
const ownReserves = 2

/** An account that holds exactly its base reserve, so that it can spend nothing of its own: what a mediator should be. */
export const MediatorFunded = Effect.gen(function*() {
  const mediator = Keypair.random()
  const { state } = yield* (yield* Network).snapshot
  yield* fund(((ownReserves * state.header.baseReserve) / Number(lumen)).toFixed(7), mediator)
  return { mediator }
})
