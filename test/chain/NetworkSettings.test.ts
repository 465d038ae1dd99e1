import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect, Option } from "effect"
import { NetworkSettings } from "../../src/chain/NetworkSettings.ts"

const load = (settings: Record<string, string>, network: "mainnet" | "testnet" = "testnet") =>
  Effect.withConfigProvider(Effect.either(NetworkSettings.config(network)), ConfigProvider.fromMap(new Map(Object.entries(settings))))

const hosts = (urls: ReadonlyArray<URL>) => urls.map(({ href }) => href)

describe("settings of a network", () => {
  it.effect("switch it off when there is no URL", () =>
    Effect.gen(function*() {
      const off = yield* load({ MAINNET_RPC_URLS: "https://rpc.example", TESTNET_RPC_URLS: "", TESTNET_PASSPHRASE: "unused" })
      assert.isTrue(off._tag === "Right" && Option.isNone(off.right))
    }))

  it.effect("are read from comma lists, in order, with the public passphrase by default", () =>
    Effect.gen(function*() {
      const loaded = yield* load({
        MAINNET_RPC_URLS: "https://one.example/key , http://two.example",
        MAINNET_LEDGER_API_URLS: "https://ledger.example"
      }, "mainnet")
      const address = loaded._tag === "Right" ? Option.getOrThrow(loaded.right) : assert.fail("not loaded")
      assert.deepStrictEqual(hosts(address.rpcUrls), ["https://one.example/key", "http://two.example/"])
      assert.deepStrictEqual(hosts(address.ledgerApiUrls), ["https://ledger.example/"])
      assert.strictEqual(address.passphrase, "Public Global Stellar Network ; September 2015")
      assert.deepStrictEqual([address.network, address.sandbox], ["mainnet", false])
    }))

  it.effect("may name another passphrase", () =>
    Effect.gen(function*() {
      const loaded = yield* load({
        TESTNET_RPC_URLS: "https://a.example",
        TESTNET_LEDGER_API_URLS: "https://b.example",
        TESTNET_PASSPHRASE: "ours"
      })
      assert.strictEqual(loaded._tag === "Right" ? Option.getOrThrow(loaded.right).passphrase : "", "ours")
    }))

  const wrong: ReadonlyArray<readonly [string, Record<string, string>]> = [
    ["only one kind of URL", { TESTNET_RPC_URLS: "https://a.example" }],
    ["a URL that is none", { TESTNET_RPC_URLS: "a.example", TESTNET_LEDGER_API_URLS: "https://b.example" }],
    ["another scheme", { TESTNET_RPC_URLS: "file:///etc/hosts", TESTNET_LEDGER_API_URLS: "https://b.example" }]
  ]
  for (const [name, settings] of wrong) {
    it.effect(`stop the start with ${name}`, () => Effect.map(load(settings), (loaded) => assert.strictEqual(loaded._tag, "Left")))
  }
})
