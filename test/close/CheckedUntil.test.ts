import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect, Option } from "effect"
import { checkedUntil, checkedUntilSetting } from "../../src/close/watch/CheckedUntil.ts"

const hash = "0123456789abcdef".repeat(4)

/** The setting of the testnet, read from these settings. */
const reading = (settings: Readonly<Record<string, string>>) =>
  Effect.withConfigProvider(checkedUntil("testnet"), ConfigProvider.fromMap(new Map(Object.entries(settings))))

describe("the setting for what a person has looked at", () => {
  it("has a name for each network", () => {
    assert.deepStrictEqual((["mainnet", "testnet"] as const).map(checkedUntilSetting), [
      "MAINNET_MEDIATOR_CHECKED_UNTIL",
      "TESTNET_MEDIATOR_CHECKED_UNTIL"
    ])
  })

  it.effect("is the hash of a transaction, of that network alone, and none where it is unset or empty", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* reading({ TESTNET_MEDIATOR_CHECKED_UNTIL: hash }), Option.some(hash))
      for (const settings of [{}, { TESTNET_MEDIATOR_CHECKED_UNTIL: "" }, { MAINNET_MEDIATOR_CHECKED_UNTIL: hash }]) {
        assert.deepStrictEqual(yield* reading(settings), Option.none())
      }
    }))

  it.effect("is refused where it is anything else, with its name and its form", () =>
    Effect.gen(function*() {
      const problem = "(Invalid data at TESTNET_MEDIATOR_CHECKED_UNTIL: \"must be a transaction hash (64 lower-case hex characters)\")"
      for (const text of [hash.toUpperCase(), hash.slice(1), `${hash}0`, `${hash.slice(1)}g`, "newest"]) {
        assert.strictEqual(String(yield* Effect.flip(reading({ TESTNET_MEDIATOR_CHECKED_UNTIL: text }))), problem, text)
      }
    }))
})
