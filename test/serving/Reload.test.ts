import { assert, describe, it } from "@effect/vitest"
import { Keypair } from "@stellar/stellar-sdk"
import { Context, Effect, Layer, TestClock } from "effect"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { AccountState } from "../../src/domain/Account.ts"
import { freshApiKey } from "../../src/keys/ApiKey.ts"
import { ContractAddresses, noContracts } from "../../src/registry/ContractAddresses.ts"
import { FundedPair } from "../../src/sandbox/scenarios/FundedPair.ts"
import { mintToken } from "../../src/sandbox/scenarios/Tokens.ts"
import { Serving } from "../../src/serving/Serving.ts"
import { bearer } from "../keys/support/Proving.ts"
import { contractOfByte } from "../support/Addresses.ts"
import { serviceLog } from "../support/ServiceLog.ts"
import { startTestService } from "../support/TestService.ts"
import { firstOf } from "../support/Thorough.ts"
import { TokenAt } from "../tokens/support/TokensServed.ts"

/** A file of a setting that a test can rewrite; deleted with the scope. */
const written = (text: string) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const folder = mkdtempSync(join(tmpdir(), "reload-"))
      const file = join(folder, "file")
      writeFileSync(file, text)
      return { file, folder, write: (next: string) => writeFileSync(file, next) }
    }),
    ({ folder }) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
  )

const reloading = () => {
  const { layer, lines } = serviceLog()
  const told = () => lines.filter(({ text }) => /reloaded/.test(text))
  /** The log lines about the files that this signal reloads. */
  const signal = (files = 1) =>
    Effect.gen(function*() {
      const before = told().length
      process.emit("SIGHUP", "SIGHUP")
      yield* Effect.repeat(Effect.yieldNow(), { until: () => told().length >= before + files })
      return told().slice(before).map(({ text }) => text.split(":")[0])
    })
  return { layer, lines, signal }
}

const sandbox = Serving.layerWith({ closeEvery: null, protocols: false, accounts: false })

/** The sandbox, served with a contracts file as a real network is. */
const withContractsFile = Layer.map(sandbox, (context) => {
  const serving = Context.get(context, Serving)
  const networks = serving.networks.map((network) => ({ ...network, contracts: ContractAddresses.layerFile("testnet") }))
  return Context.make(Serving, { ...serving, networks })
})

describe("SIGHUP", () => {
  it.scoped("reads static keys again: a key that was taken out opens nothing, and a wrong file leaves the keys as they were", () => {
    const { layer, lines, signal } = reloading()
    return Effect.gen(function*() {
      const [fixed, first, second] = [freshApiKey(), freshApiKey(), freshApiKey()]
      const { file, write } = yield* written(`# keys of the shop\n\none=${first}\n`)
      const { call } = yield* startTestService({ API_KEYS: `fixed=${fixed}`, API_KEYS_FILE: file }, undefined, layer)
      const states = Effect.forEach(
        [fixed, first, second],
        (key) => Effect.map(call("GET", "/testnet/paths", undefined, bearer(key)), ({ status }) => status)
      )
      assert.deepStrictEqual(yield* states, [400, 400, 401])
      write(`two=${second}\r\n`)
      assert.deepStrictEqual(yield* signal(), ["reloaded"])
      assert.deepStrictEqual(yield* states, [400, 401, 400])
      for (const wrong of [`two=${second}\nthree=short`, `two=${second}\nfixed=${first}`, `two=${fixed}`, second]) {
        write(wrong)
        assert.deepStrictEqual(yield* signal(), ["not reloaded"])
        assert.deepStrictEqual(yield* states, [400, 401, 400])
      }
      rmSync(file)
      assert.deepStrictEqual(yield* signal(), ["not reloaded"])
      assert.deepStrictEqual(yield* states, [400, 401, 400])
      const all = JSON.stringify(lines)
      for (const key of [fixed, first, second]) assert.notInclude(all, key.slice(3))
      assert.include(all, "line 1 needs a label")
    })
  })

  it.scoped("reads the exchange registry again, and keeps it where the file is wrong", () => {
    const { layer, signal } = reloading()
    return Effect.gen(function*() {
      const address = Keypair.random().publicKey()
      const entry = {
        address,
        name: "An exchange",
        domain: "exchange.example",
        requiresMediator: false,
        requiresMemo: true,
        memoType: "id"
      }
      const registry = (version: string, entries: ReadonlyArray<object>) =>
        JSON.stringify({ version, lastVerified: "1970-01-01", validUntil: "1970-02-01", source: "a test", entries })
      const { file, write } = yield* written(registry("1", []))
      const { call } = yield* startTestService({ EXCHANGE_REGISTRY_FILE: file }, undefined, layer)
      const kind = Effect.map(
        call<{ readonly kind: string }>("GET", `/testnet/destinations/${address}`),
        ({ body }) => body
      )
      const version = Effect.map(call<{ readonly version: string }>("GET", "/config/exchange-registry"), ({ body }) => body.version)
      const before = yield* kind
      assert.strictEqual(yield* version, "1")
      write(registry("2", [entry]))
      assert.deepStrictEqual(yield* signal(), ["reloaded"])
      assert.strictEqual(yield* version, "2")
      const after = yield* kind
      assert.notDeepEqual(after, before)
      write(registry("3", [entry, entry]))
      assert.deepStrictEqual(yield* signal(), ["not reloaded"])
      assert.strictEqual(yield* version, "2")
      assert.deepStrictEqual(yield* kind, after)
    })
  })

  for (const [setting, serving] of firstOf(1, [["TESTNET_CONTRACTS_FILE", withContractsFile], ["TESTNET_TOKENS_FILE", sandbox]] as const)) {
    it.scoped(`reads ${setting} again, and keeps what the network was read by where the file is wrong`, () => {
      const { layer, lines, signal } = reloading()
      return Effect.gen(function*() {
        const [held, other] = [contractOfByte(1), contractOfByte(2)]
        const list = (...tokens: ReadonlyArray<string>) =>
          JSON.stringify({ network: "testnet", ...(setting === "TESTNET_CONTRACTS_FILE" ? { protocols: noContracts } : {}), tokens })
        const { file, write } = yield* written(list(other))
        const service = yield* startTestService({ [setting]: file }, serving, layer)
        const { source } = yield* service.on(FundedPair)
        for (const token of [held, other]) yield* service.on(TokenAt(token))
        yield* service.on(mintToken(held, source.publicKey(), 5n))
        const foundBy = Effect.map(
          service.call<AccountState>("GET", `/testnet/account/${source.publicKey()}`),
          ({ body }) => body.contractTokens?.tokens.map(({ sources }) => sources)
        )
        assert.deepStrictEqual(yield* foundBy, [["events"]])
        write(list(held, other))
        assert.deepStrictEqual(yield* signal(), ["reloaded"])
        assert.deepStrictEqual(yield* foundBy, [["list", "events"]])
        for (const wrong of ["not a contract", contractOfByte(3).toLowerCase()]) {
          write(list(wrong))
          assert.deepStrictEqual(yield* signal(), ["not reloaded"])
          assert.deepStrictEqual(yield* foundBy, [["list", "events"]])
        }
        assert.include(lines.find(({ text }) => text.startsWith("not reloaded"))?.fields["reason"], file)
        // By now the old stack is gone, and took no part of the new one along.
        yield* TestClock.adjust("150 seconds")
        assert.deepStrictEqual(yield* foundBy, [["list", "events"]])
      })
    })
  }
})
