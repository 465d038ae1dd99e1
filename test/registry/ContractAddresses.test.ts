import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { StrKey } from "@stellar/stellar-sdk"
import { ConfigProvider, Effect, Layer } from "effect"
import type { Network } from "../../src/domain/Network.ts"
import { networks } from "../../src/domain/Network.ts"
import { ownProtocols } from "../../src/domain/ProtocolName.ts"
import { ContractAddresses, noContracts } from "../../src/registry/ContractAddresses.ts"
import { withFile } from "./WrittenFile.ts"

const load = (network: Network, settings: Record<string, string> = {}) =>
  Effect.provide(
    ContractAddresses,
    ContractAddresses.layerFile(network).pipe(
      Layer.provide(NodeContext.layer),
      Layer.provide(Layer.setConfigProvider(ConfigProvider.fromMap(new Map(Object.entries(settings)))))
    )
  )

const none = noContracts
const contract = "CDLZFC3SYJYDZT7K67VZ75HPJVIEUVNIXF47ZG2FB2RMQQVU2HHGCYSC"

const written = (document: unknown) => withFile(JSON.stringify(document), (file) => load("testnet", { TESTNET_CONTRACTS_FILE: file }))

describe("ContractAddresses", () => {
  for (const network of networks) {
    it.effect(`reads the shipped file of ${network}`, () =>
      Effect.gen(function*() {
        const contracts = yield* load(network)
        assert.notStrictEqual(contracts.protocols.lend_1, "none")
        assert.notStrictEqual(contracts.tokens, "none")
      }))
  }

  it.effect("knows that amm_3 is not on testnet", () =>
    Effect.map(load("testnet"), (contracts) => assert.strictEqual(contracts.protocols.amm_3, "none")))

  it.effect("takes the file of the setting", () =>
    Effect.gen(function*() {
      const contracts = yield* written({ network: "testnet", protocols: { ...none, amm_2: { factory: [contract] } }, tokens: "none" })
      assert.strictEqual(JSON.stringify(contracts.protocols.amm_2), JSON.stringify({ factory: [contract] }))
      assert.strictEqual(contracts.tokens, "none")
    }))

  const { cdp_1: _, ...incomplete } = none
  const broken: Record<string, unknown> = {
    "another network": { network: "mainnet", protocols: none, tokens: "none" },
    "a protocol left out": { network: "testnet", protocols: incomplete, tokens: "none" },
    "an unknown protocol": { network: "testnet", protocols: { ...none, amm4: "none" }, tokens: "none" },
    "tokens left out": { network: "testnet", protocols: none },
    "an empty list": { network: "testnet", protocols: { ...none, amm_2: { factory: [] } }, tokens: "none" },
    "no roles": { network: "testnet", protocols: { ...none, amm_2: {} }, tokens: "none" },
    "a bad address": { network: "testnet", protocols: { ...none, amm_2: { factory: [contract.slice(0, -1) + "D"] } }, tokens: "none" },
    "an address twice in one role": {
      network: "testnet",
      protocols: { ...none, lend_1: { poolV1: [contract, contract] } },
      tokens: "none"
    },
    "an address in two roles": {
      network: "testnet",
      protocols: { ...none, lend_1: { poolV1: [contract], poolV2: [contract] } },
      tokens: "none"
    },
    "an empty token list": { network: "testnet", protocols: none, tokens: [] },
    "a token twice": { network: "testnet", protocols: none, tokens: [contract, contract] },
    "more tokens than are queried": {
      network: "testnet",
      protocols: none,
      tokens: Array.from({ length: 101 }, (_, index) => StrKey.encodeContract(Buffer.alloc(32, index)))
    }
  }
  for (const [name, document] of Object.entries(broken)) {
    it.effect(`refuses a file with ${name}`, () =>
      Effect.gen(function*() {
        const failure = yield* Effect.flip(written(document))
        assert.strictEqual(failure._tag, "RegistryFileInvalid")
        // One line that states the place, not the shape of the whole file.
        assert.match(failure.message, /^[^\n]{1,400}$/)
      }))
  }

  it.effect("tells where a file lacks a name", () =>
    Effect.gen(function*() {
      const { message } = yield* Effect.flip(written({ network: "testnet", protocols: incomplete, tokens: "none" }))
      assert.match(message, /: protocols\.cdp_1: is missing$/)
    }))

  it.effect("declares nothing for the sandbox", () =>
    Effect.gen(function*() {
      const contracts = yield* Effect.provide(ContractAddresses, ContractAddresses.layerNone)
      assert.sameMembers(Object.keys(contracts.protocols), [...ownProtocols])
      assert.isTrue(Object.values(contracts.protocols).every((declared) => declared === "none"))
      assert.strictEqual(contracts.tokens, "none")
    }))
})
