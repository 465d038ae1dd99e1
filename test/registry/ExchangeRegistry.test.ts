import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Keypair } from "@stellar/stellar-sdk"
import { ConfigProvider, Effect, Exit, Layer, Option, Schema, TestClock } from "effect"
import { ExchangeRegistry as RegistryDocument } from "../../src/domain/RegistryDocument.ts"
import { ExchangeRegistry } from "../../src/registry/ExchangeRegistry.ts"
import { withFile } from "./WrittenFile.ts"

const address = Keypair.random().publicKey()

const entry = { address, name: "Example", domain: "example.com", requiresMediator: true, requiresMemo: true, memoType: "id" }
const text = { version: "1", lastVerified: "2026-01-10", validUntil: "2026-02-10", source: "test", entries: [entry] }
const unverified = {
  address: Keypair.random().publicKey(),
  name: "Doubtful",
  evidence: [{ source: "a list", url: "https://list.example", checkedAt: "2026-01-10" }]
}

const load = (document: unknown) =>
  withFile(typeof document === "string" ? document : JSON.stringify(document), (file) =>
    Effect.provide(
      ExchangeRegistry,
      ExchangeRegistry.layerFile.pipe(
        Layer.provide(NodeContext.layer),
        Layer.provide(Layer.setConfigProvider(ConfigProvider.fromMap(new Map([["EXCHANGE_REGISTRY_FILE", file]]))))
      )
    ))

const january = TestClock.setTime(Date.UTC(2026, 0, 20))

describe("ExchangeRegistry", () => {
  it.effect("finds an entry by its address and nothing else", () =>
    Effect.gen(function*() {
      yield* january
      const registry = yield* load(text)
      assert.deepStrictEqual(Option.map(registry.lookup(address), (found) => found.memoType), Option.some("id" as const))
      assert.deepStrictEqual(registry.lookup(Keypair.random().publicKey()), Option.none())
    }))

  it.effect("keeps unverified addresses apart from entries, and lets unverified win", () =>
    Effect.gen(function*() {
      yield* january
      const registry = yield* load({ ...text, unverified: [unverified, { ...unverified, address }] })
      assert.deepInclude(registry.about(unverified.address), { listing: null })
      assert.strictEqual(registry.about(unverified.address).unverified?.name, "Doubtful")
      assert.deepStrictEqual(registry.lookup(address), Option.none())
      assert.isNotNull(registry.about(address).unverified)
      assert.deepStrictEqual(registry.about(Keypair.random().publicKey()), { listing: null, unverified: null })
    }))

  it.effect("is fresh until the end of its last day, UTC", () =>
    Effect.gen(function*() {
      yield* january
      const registry = yield* load(text)
      assert.isTrue(registry.freshAt(Date.UTC(2026, 1, 10, 23, 59, 59, 999)))
      assert.isFalse(registry.freshAt(Date.UTC(2026, 1, 11)))
      assert.strictEqual(registry.expiresAt, Date.UTC(2026, 1, 11))
    }))

  const broken: Record<string, unknown> = {
    "no JSON": "{",
    "a field missing": { ...text, validUntil: undefined },
    "an unknown field": { ...text, entires: [] },
    "a bad checksum": { ...text, entries: [{ ...entry, address: address.slice(0, -1) + (address.endsWith("A") ? "B" : "A") }] },
    "an address twice": { ...text, entries: [entry, { ...entry, name: "Other" }] },
    "a day that does not exist": { ...text, validUntil: "2026-02-30" },
    "checked after it expires": { ...text, lastVerified: "2026-02-11" },
    "checked in the future": { ...text, lastVerified: "2026-01-21" },
    "a memo without a type": { ...text, entries: [{ ...entry, memoType: "none" }] },
    "a memo type without a memo": { ...text, entries: [{ ...entry, requiresMemo: false }] },
    "evidence from the future": { ...text, entries: [{ ...entry, evidence: { url: "https://example.com", date: "2026-01-21" } }] },
    "muxed addresses credited without evidence": { ...text, entries: [{ ...entry, muxed: true }] },
    "an unverified address twice": { ...text, unverified: [unverified, unverified] },
    "an unverified address without evidence": { ...text, unverified: [{ ...unverified, evidence: [] }] },
    "a rule for an unverified address": { ...text, unverified: [{ ...unverified, memoType: "id" }] },
    "a list that was read in the future": {
      ...text,
      unverified: [{ ...unverified, evidence: [{ ...unverified.evidence[0], checkedAt: "2026-01-21" }] }]
    }
  }
  for (const [name, document] of Object.entries(broken)) {
    it.effect(`refuses a file with ${name}`, () =>
      Effect.gen(function*() {
        yield* january
        const failure = yield* Effect.flip(load(document))
        assert.strictEqual(failure._tag, "RegistryFileInvalid")
      }))
  }

  it.effect("refuses a file that is not there", () =>
    Effect.gen(function*() {
      const layer = ExchangeRegistry.layerFile.pipe(
        Layer.provide(NodeContext.layer),
        Layer.provide(Layer.setConfigProvider(ConfigProvider.fromMap(new Map([["EXCHANGE_REGISTRY_FILE", "/nowhere/registry.json"]]))))
      )
      assert.isTrue(Exit.isFailure(yield* Effect.exit(Effect.provide(ExchangeRegistry, layer))))
    }))

  it.effect("ships at least the twenty addresses that other tools list, none of them with a rule", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(Date.UTC(2026, 10, 26))
      const registry = yield* Effect.provide(
        ExchangeRegistry,
        ExchangeRegistry.layerFile.pipe(
          Layer.provide(NodeContext.layer),
          Layer.provide(Layer.setConfigProvider(ConfigProvider.fromMap(new Map())))
        )
      )
      assert.isFalse(registry.freshAt(Date.UTC(2026, 0, 1)))
      assert.deepStrictEqual(registry.document.entries, [])
      assert.isAtLeast(registry.document.unverified?.length ?? 0, 20)
    }))

  it.effect("holds a value to the same rules", () =>
    Effect.gen(function*() {
      yield* january
      const document = yield* Schema.decodeUnknown(RegistryDocument)(text)
      const good = yield* Effect.provide(ExchangeRegistry, ExchangeRegistry.layerValue(document))
      assert.deepStrictEqual(good.document, document)
      const twice = { ...document, entries: [...document.entries, ...document.entries] }
      const failure = yield* Effect.flip(Effect.provide(ExchangeRegistry, ExchangeRegistry.layerValue(twice)))
      assert.include(failure.reason, "twice")
    }))
})
