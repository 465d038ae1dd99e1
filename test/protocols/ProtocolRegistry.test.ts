import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Layer } from "effect"
import type { ProtocolName } from "../../src/domain/ProtocolName.ts"
import type { Protocol } from "../../src/protocols/Protocol.ts"
import { ProtocolRegistry } from "../../src/protocols/ProtocolRegistry.ts"
import { ContractAddresses, noContracts } from "../../src/registry/ContractAddresses.ts"
import { anyContract } from "../support/Addresses.ts"
import { bare } from "./support/Bare.ts"
import { noEntries, sourcesOf } from "./support/Sources.ts"

const somewhere = { pool: [anyContract()] as const }

const contracts = ContractAddresses.layerValue({
  protocols: { ...noContracts, lend_1: somewhere, amm_1: somewhere, cdp_1: somewhere },
  tokens: "none"
})

const registryOf = (...protocols: ReadonlyArray<ProtocolName | Protocol>) =>
  Effect.provide(
    ProtocolRegistry,
    ProtocolRegistry.layerOf(protocols.map((one) => (typeof one === "string" ? bare(one) : one))).pipe(
      Layer.provide([contracts, sourcesOf(noEntries)])
    )
  )

describe("the registry of protocols", () => {
  it.effect("lists decoders by name, in whatever order they were given", () =>
    Effect.map(
      registryOf("lend_1", "amm_2", "amm_1"),
      ({ all }) => assert.deepStrictEqual(all.map(({ name }) => name), ["amm_1", "amm_2", "lend_1"])
    ))

  it.effect("calls a protocol by its label, and by its name where it has none", () =>
    Effect.gen(function*() {
      const { labelOf } = yield* registryOf("lend_1", { ...bare("amm_1"), label: "Aquarius" })
      assert.deepStrictEqual((["amm_1", "lend_1", "cdp_1"] as const).map(labelOf), ["Aquarius", "lend_1", "cdp_1"])
    }))

  it.effect("calls untracked what has addresses and no decoder", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual((yield* registryOf()).untracked, ["amm_1", "cdp_1", "lend_1"])
      assert.deepStrictEqual((yield* registryOf("lend_1", "amm_2")).untracked, ["amm_1", "cdp_1"])
    }))

  it.effect("takes no two decoders for one protocol", () =>
    Effect.map(Effect.exit(registryOf("amm_1", "amm_1")), (exit) => assert.isTrue(Exit.isFailure(exit))))
})
