import type { Keypair, xdr } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { addressOf, addressVal, asAddress, bytes, i128, string, u32 } from "../../../src/ledger/soroban/Values.ts"
import { Network } from "../../../src/sandbox/Network.ts"
import { accountVal, callContract } from "../../../src/sandbox/scenarios/CallContract.ts"
import { lendingContracts } from "../../../src/sandbox/scenarios/LendingContracts.ts"
import { type LendingAssets, withPoolSetUp } from "../../../src/sandbox/scenarios/LendingEntries.ts"
import { LendingNewcomer } from "../../../src/sandbox/scenarios/LendingNewcomer.ts"
import { lendTo } from "./LendingSupply.ts"

/** Deploys a pool by a factory, and sets it up. `salt` makes an admin's pools distinct. */
export const deployPool = Effect.fnUntraced(
  function*(factory: xdr.ScAddress, admin: Keypair, assets: LendingAssets, salt = 0) {
    const { amend, passphrase } = yield* Network
    const name = "Deployed"
    const pool = asAddress(
      yield* callContract("a pool is deployed", {
        as: admin,
        contract: factory,
        fn: "deploy",
        args: [
          accountVal(admin),
          string(name),
          bytes(new Uint8Array(32).fill(salt)),
          addressVal(lendingContracts.oracle),
          u32(1_000_000),
          u32(6),
          i128(0n)
        ]
      })
    )
    yield* amend((state) => withPoolSetUp(state, pool, { assets, admin: addressOf(admin.publicKey()), name, passphrase }))
    return pool
  }
)

/** An account that lends to a recently deployed pool, which only the factory's events name. */
export const LendingDeployed = Effect.gen(function*() {
  const scene = yield* LendingNewcomer
  const deployed = yield* deployPool(lendingContracts.poolFactory, scene.lender, scene.assets)
  yield* lendTo(deployed, scene)
  return { ...scene, deployed }
})
