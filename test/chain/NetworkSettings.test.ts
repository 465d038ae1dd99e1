import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect, Option, Redacted } from "effect"
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

  it.effect("may do without a ledger API where that is asked for", () =>
    Effect.gen(function*() {
      const loaded = yield* load({ TESTNET_RPC_URLS: "https://a.example", TESTNET_RPC_ONLY: "on" })
      const { ledgerApiUrls, rpcUrls } = loaded._tag === "Right" ? Option.getOrThrow(loaded.right) : assert.fail("not loaded")
      assert.deepStrictEqual([hosts(rpcUrls), hosts(ledgerApiUrls)], [["https://a.example/"], []])
    }))

  it.effect("have a header for each contract RPC that asks for one", () =>
    Effect.gen(function*() {
      const loaded = yield* load({
        TESTNET_RPC_URLS: "https://a.example,https://b.example,https://c.example",
        TESTNET_RPC_HEADERS: "Authorization: Bearer one, ,x-key:two ",
        TESTNET_LEDGER_API_URLS: "https://d.example"
      })
      const { rpcHeaders = new Map(), rpcUrls } = loaded._tag === "Right" ? Option.getOrThrow(loaded.right) : assert.fail("not loaded")
      const shown = rpcUrls.map((url) => rpcHeaders.get(url)).map((one) => one && [one.name, Redacted.value(one.value)])
      assert.deepStrictEqual(shown, [["Authorization", "Bearer one"], undefined, ["x-key", "two"]])
    }))

  it.effect("never show a header that cannot be used", () =>
    Effect.gen(function*() {
      const urls = { TESTNET_RPC_URLS: "https://a.example,https://b.example", TESTNET_LEDGER_API_URLS: "https://d.example" }
      for (
        const headers of ["x-key: hunter2", "x-key: hunter2,,", "hunter2,", "Host: hunter2,", "x key: hunter2,", "x-key: hunter2\u00e9,"]
      ) {
        const loaded = yield* load({ ...urls, TESTNET_RPC_HEADERS: headers })
        assert.strictEqual(loaded._tag, "Left", headers)
        const told = loaded._tag === "Left" ? String(loaded.left) : ""
        assert.include(told, "TESTNET_RPC_HEADERS")
        assert.notInclude(told, "hunter2")
      }
    }))

  const wrong: ReadonlyArray<readonly [string, Record<string, string>]> = [
    ["only one kind of URL", { TESTNET_RPC_URLS: "https://a.example" }],
    ["a ledger API that is not to be used", {
      TESTNET_RPC_URLS: "https://a.example",
      TESTNET_LEDGER_API_URLS: "https://b.example",
      TESTNET_RPC_ONLY: "on"
    }],
    ["a URL that is none", { TESTNET_RPC_URLS: "a.example", TESTNET_LEDGER_API_URLS: "https://b.example" }],
    ["another scheme", { TESTNET_RPC_URLS: "file:///etc/hosts", TESTNET_LEDGER_API_URLS: "https://b.example" }]
  ]
  for (const [name, settings] of wrong) {
    it.effect(`stop the start with ${name}`, () => Effect.map(load(settings), (loaded) => assert.strictEqual(loaded._tag, "Left")))
  }
})
