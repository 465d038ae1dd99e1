import { Effect } from "effect"
import { Network } from "../Network.ts"
import { woundDown } from "./VaultsEntries.ts"
import { VaultsPair } from "./VaultsPair.ts"

/** An account with two vaults in a contract whose operators have wound it down. */
export const VaultsWoundDown = Effect.gen(function*() {
  const scene = yield* VaultsPair
  yield* (yield* Network).amend(woundDown)
  return scene
})
