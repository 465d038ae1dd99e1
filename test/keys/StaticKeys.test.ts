import { NodeFileSystem } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer, Option, Redacted, TestClock } from "effect"
import { freshApiKey, isApiKey } from "../../src/keys/ApiKey.ts"
import * as KeyDatabase from "../../src/keys/database/KeyDatabase.ts"
import { KeyStore } from "../../src/keys/KeyStore.ts"
import { GeneratedKey, StaticKeys } from "../../src/keys/StaticKeys.ts"
import { settings } from "../support/TestHttp.ts"

const over = <Made, E>(statics: Layer.Layer<StaticKeys | Made, E>) =>
  KeyStore.layer.pipe(Layer.provideMerge(statics), Layer.provide(Layer.fresh(KeyDatabase.layerMemory)))

const store = (setting: string) =>
  Effect.map(
    Layer.build(over(Layer.provide(StaticKeys.layer, NodeFileSystem.layer)).pipe(Layer.provide(settings({ API_KEYS: setting })))),
    (context) => Context.get(context, KeyStore)
  )

describe("static keys", () => {
  it.scoped("knows each key of the setting by its label", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(Date.UTC(2026, 0, 2))
      const [one, two] = [freshApiKey(), freshApiKey()]
      const keys = yield* store(`first=${one}, second = ${two}`)
      const found = yield* keys.verify(Redacted.make(two))
      assert.deepStrictEqual(
        Option.map(found, (record) => [record.id, record.owner, record.createdAt]),
        Option.some(["second", "second", "2026-01-02T00:00:00.000Z"])
      )
      assert.isTrue(Option.isSome(yield* keys.verify(Redacted.make(one))))
    }))

  it.scoped("knows no other key", () =>
    Effect.gen(function*() {
      const key = freshApiKey()
      const keys = yield* store(`only=${key}`)
      for (const other of ["", freshApiKey(), key.slice(3), key + "A", key.slice(0, -1), key.toUpperCase(), ` ${key}`, "only"]) {
        assert.deepStrictEqual(yield* keys.verify(Redacted.make(other)), Option.none())
      }
    }))

  it.scoped("refuses settings that are malformed, without repeating a key", () =>
    Effect.gen(function*() {
      const key = freshApiKey()
      for (
        const setting of [
          key,
          `=${key}`,
          `a=${key},b=${key}`,
          `a=${key},a=${freshApiKey()}`,
          `a=${key.slice(1)}`,
          `a=${key},`,
          "a=short",
          `a b=${key}`
        ]
      ) {
        const failure = yield* Effect.flip(store(setting))
        assert.notInclude(String(failure), key.slice(3))
      }
    }))

  it.scoped("makes a key that it knows, a new one at each start", () =>
    Effect.gen(function*() {
      const start = Effect.gen(function*() {
        const key = yield* GeneratedKey
        const keys = yield* KeyStore
        assert.isTrue(Option.isSome(yield* keys.verify(key)))
        return Redacted.value(key)
      }).pipe(Effect.provide(Layer.fresh(over(StaticKeys.layerGenerated))))
      const first = yield* start
      assert.isTrue(isApiKey(first))
      assert.notStrictEqual(yield* start, first)
    }))
})
