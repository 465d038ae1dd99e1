import { assert, describe, it } from "@effect/vitest"
import { Keypair } from "@stellar/stellar-sdk"
import { ConfigProvider, Effect, Exit, Inspectable, Layer, Option, Redacted } from "effect"
import { MediatorSigner } from "../../src/close/situation/MediatorSigner.ts"

const withSettings = (settings: Readonly<Record<string, string>>) =>
  Effect.provide(MediatorSigner, MediatorSigner.layerConfig("mainnet")).pipe(
    Effect.withConfigProvider(ConfigProvider.fromMap(new Map(Object.entries(settings))))
  )

describe("the mediator's key", () => {
  it.effect("is of its own network only, and optional", () =>
    Effect.gen(function*() {
      const pair = Keypair.random()
      assert.isTrue(Option.isNone((yield* withSettings({})).mediator))
      assert.isTrue(Option.isNone((yield* withSettings({ TESTNET_MEDIATOR_SECRET: pair.secret() })).mediator))
      assert.isTrue(Option.isNone((yield* Effect.provide(MediatorSigner, MediatorSigner.layerNone)).mediator))
      const { mediator } = yield* withSettings({ MAINNET_MEDIATOR_SECRET: pair.secret() })
      assert.strictEqual(Option.getOrThrow(mediator).address, pair.publicKey())
    }))

  it.effect("signs a hash as its account", () =>
    Effect.gen(function*() {
      const pair = Keypair.random()
      const hash = new Uint8Array(32).fill(7)
      const { mediator } = yield* Effect.provide(MediatorSigner, MediatorSigner.layerSecret(Redacted.make(pair.secret())))
      const { hint, signature } = yield* Option.getOrThrow(mediator).sign(hash)
      assert.isTrue(pair.verify(hash, signature.value))
      assert.deepStrictEqual([...hint.value], [...pair.signatureHint()])
    }))

  it.effect("is never shown, not even when it is wrong", () =>
    Effect.gen(function*() {
      const pair = Keypair.random()
      // The last letter is part of the checksum.
      const wrong = pair.secret().slice(0, -1) + (pair.secret().endsWith("A") ? "B" : "A")
      const refused = yield* Effect.exit(withSettings({ MAINNET_MEDIATOR_SECRET: wrong }))
      assert.isTrue(Exit.isFailure(refused))
      assert.notInclude(String(refused), wrong)
      assert.include(String(refused), "MAINNET_MEDIATOR_SECRET")
      const fatal = yield* Effect.exit(Layer.build(MediatorSigner.layerSecret(Redacted.make(wrong))).pipe(Effect.scoped))
      assert.isTrue(Exit.isFailure(fatal))
      assert.notInclude(String(fatal), wrong)
      const held = yield* withSettings({ MAINNET_MEDIATOR_SECRET: pair.secret() })
      assert.notInclude(Inspectable.toStringUnknown(held) + JSON.stringify(held) + String(held), pair.secret())
    }))
})
