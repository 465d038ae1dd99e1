import { Effect } from "effect"
import { Network } from "../../../src/sandbox/Network.ts"
import { woundDown } from "../../../src/sandbox/scenarios/VaultsEntries.ts"
import { VaultsPair } from "./VaultsPair.ts"

/** An account with two vaults in a contract that its operators have wound down. */
export const VaultsWoundDown = Effect.gen(function*() {
  const scene = yield* VaultsPair
  yield* (yield* Network).amend(woundDown)
  return scene
})
