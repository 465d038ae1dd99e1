import { Effect } from "effect"
import { Network } from "../../../src/sandbox/Network.ts"
import { withPrice } from "../../../src/sandbox/scenarios/VaultsEntries.ts"
import { VaultsPair } from "./VaultsPair.ts"

/**
 * An account with two vaults, after lumens fell to 3.6 cents: the vault in USD is worth 107 per cent of its debt, and anyone may liquidate
 * it.
 */
export const VaultsUnderwater = Effect.gen(function*() {
  const scene = yield* VaultsPair
  yield* (yield* Network).amend((state) => withPrice(state, "USD", 360_000n))
  return scene
})
