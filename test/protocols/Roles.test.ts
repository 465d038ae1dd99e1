import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Exit, Layer } from "effect"
import * as All from "../../src/protocols/All.ts"
import { ProtocolRegistry } from "../../src/protocols/ProtocolRegistry.ts"
import { ContractAddresses, noContracts } from "../../src/registry/ContractAddresses.ts"
import { anyContract } from "../support/Addresses.ts"
import { noEntries, sourcesOf } from "./support/Sources.ts"

const address = anyContract()

const started = <E>(contracts: Layer.Layer<ContractAddresses, E>) =>
  Effect.exit(
    Effect.provide(ProtocolRegistry, ProtocolRegistry.layerFrom(All.layer).pipe(Layer.provide([contracts, sourcesOf(noEntries)])))
  )

describe("roles of a contracts file", () => {
  it.effect.each(
    [["lend_1", "pools"], ["cdp_1", "lockingpool"], ["lend_1", "emitter"], ["amm_1", "plane"], ["amm_3", "multihop"]] as const
  )(
    "one that %s does not have stops the start: %s",
    ([name, role]) =>
      Effect.gen(function*() {
        const exit = yield* started(
          ContractAddresses.layerValue({ protocols: { ...noContracts, [name]: { [role]: [address] } }, tokens: "none" })
        )
        assert(Exit.isFailure(exit))
        assert.include(Cause.pretty(exit.cause), `${name} has no role ${role}`)
      })
  )

  it.effect("a locking pool without vaults stops the start: nothing names the assets in it", () =>
    Effect.gen(function*() {
      const exit = yield* started(
        ContractAddresses.layerValue({ protocols: { ...noContracts, cdp_1: { lockingPool: [address] } }, tokens: "none" })
      )
      assert(Exit.isFailure(exit))
      assert.include(Cause.pretty(exit.cause), "cdp_1 has a lockingPool and no vaults")
    }))

  it.effect.each(["mainnet", "testnet"] as const)("those of the shipped file for %s are known", (network) =>
    Effect.gen(function*() {
      const file = ContractAddresses.layerFile(network).pipe(Layer.provide(NodeContext.layer))
      const exit = yield* started(file)
      assert(Exit.isSuccess(exit))
      const { protocols } = yield* Effect.provide(ContractAddresses, file)
      assert.deepStrictEqual(exit.value.all.filter(({ contracts, name }) => contracts.length === 0 && protocols[name] !== "none"), [])
    }))
})
