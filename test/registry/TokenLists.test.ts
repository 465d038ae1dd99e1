import { NodeFileSystem } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { StrKey } from "@stellar/stellar-sdk"
import { ConfigProvider, Effect, Layer } from "effect"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { ContractAddress } from "../../src/domain/Address.ts"
import { ContractAddresses, noContracts } from "../../src/registry/ContractAddresses.ts"
import { TokenLists } from "../../src/registry/TokenLists.ts"
import { temporaryFolder } from "../support/TemporaryFolder.ts"

const tokenOf = (index: number) => {
  const bytes = Buffer.alloc(32)
  bytes.writeUInt32BE(index)
  return ContractAddress.make(StrKey.encodeContract(bytes))
}

const [shipped, listed] = [tokenOf(1), tokenOf(2)] as const

/** The list of testnet with a file of this content, over a contracts file that lists another token. */
const listWith = (contents: string | null) =>
  Effect.scoped(Effect.gen(function*() {
    const folder = yield* temporaryFolder
    const file = join(folder, "tokens.json")
    if (contents !== null) writeFileSync(file, contents)
    const settings = new Map(contents === null ? [] : [["TESTNET_TOKENS_FILE", file]])
    return yield* Effect.provide(
      TokenLists,
      TokenLists.layerFile("testnet").pipe(
        Layer.provide(ContractAddresses.layerValue({ protocols: noContracts, tokens: [shipped] })),
        Layer.provide(NodeFileSystem.layer),
        Layer.provide(Layer.setConfigProvider(ConfigProvider.fromMap(settings)))
      )
    )
  }))

const file = (tokens: unknown, network = "testnet") => JSON.stringify({ network, tokens })

describe("a token list", () => {
  it.effect("is the one that the setting names, in its order", () =>
    Effect.map(listWith(file([listed, shipped])), (list) => assert.deepStrictEqual(list, [listed, shipped])))

  it.effect("is that of the contracts file where none is named", () =>
    Effect.map(listWith(null), (list) => assert.deepStrictEqual(list, [shipped])))

  const refused: ReadonlyArray<readonly [string, string, RegExp]> = [
    ["of another network", file([listed], "mainnet"), /of mainnet, not of testnet/],
    ["with a token twice", file([listed, listed]), /each token once/],
    ["without tokens", file([]), /tokens/],
    ["with what is no contract", file(["GAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAWHF"]), /a contract address/],
    ["with more than are ever asked about", file(Array.from({ length: 101 }, (_, index) => tokenOf(index))), /at most 100/],
    ["with fields that mean nothing", JSON.stringify({ network: "testnet", tokens: [listed], none: true }), /none/],
    ["that is no JSON", "tokens", /tokens/]
  ]
  for (const [name, contents, reason] of refused) {
    it.effect(`${name} stops the start`, () =>
      Effect.map(Effect.flip(listWith(contents)), (failure) => {
        assert.match(`${failure.message}`, reason)
      }))
  }
})
