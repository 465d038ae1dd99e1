import { Clock, Config, ConfigError, Context, Effect, Layer, Option, Redacted } from "effect"
import { timingSafeEqual } from "node:crypto"
import type { ApiKeyRecord } from "../domain/ApiKeyRecord.ts"
import type { KeyStoreUnavailable } from "../domain/failure/Upstream.ts"
import { showMillis } from "../domain/Instant.ts"
import { apiKeyDigest, freshApiKey, isApiKey } from "./ApiKey.ts"

interface StaticKey {
  readonly label: string
  readonly digest: Uint8Array
}

const label = /^[A-Za-z0-9._-]{1,64}$/

const invalid = (reason: string) => ConfigError.InvalidData(["API_KEYS"], reason)

/** Reads `label=key,...`. A refusal names the entry by its place, never by what it holds. */
const parseKeys = (setting: string) => {
  const keys: Array<StaticKey> = []
  for (const [index, entry] of setting.split(",").entries()) {
    const at = entry.indexOf("=")
    const name = entry.slice(0, Math.max(at, 0)).trim()
    const key = entry.slice(at + 1).trim()
    if (!label.test(name)) return Effect.fail(invalid(`entry ${index + 1} needs a label of letters, digits, dots, dashes: label=key`))
    if (!isApiKey(key)) return Effect.fail(invalid(`the key labelled ${name} must be lk_ and 43 base64url characters`))
    const digest = apiKeyDigest(key)
    if (keys.some((other) => other.label === name)) return Effect.fail(invalid(`the label ${name} is used twice`))
    if (keys.some((other) => timingSafeEqual(other.digest, digest))) return Effect.fail(invalid(`the key labelled ${name} is listed twice`))
    keys.push({ label: name, digest })
  }
  return Effect.succeed(keys)
}

const record = (name: string, createdAt: string): ApiKeyRecord => ({
  id: name,
  owner: name,
  createdAt,
  revokedAt: null,
  rotatedFrom: null,
  lastUsedAt: null,
  rateLimit: null
})

const staticStore = Effect.fn("KeyStore.static")(function*(keys: ReadonlyArray<StaticKey>) {
  const createdAt = showMillis(yield* Clock.currentTimeMillis)
  const known = keys.map((key) => ({ digest: key.digest, record: record(key.label, createdAt) }))
  return KeyStore.of({
    verify: (key) =>
      Effect.sync(() => {
        const text = Redacted.value(key)
        if (!isApiKey(text)) return Option.none()
        const digest = apiKeyDigest(text)
        const matches = known.filter((candidate) => timingSafeEqual(candidate.digest, digest))
        return Option.map(Option.fromNullable(matches[0]), (match) => match.record)
      }),
    probe: Effect.void
  })
})

/** The API keys that may call the service. Only the SHA-256 of a key is kept. */
export class KeyStore extends Context.Tag("closeout/keys/KeyStore")<KeyStore, {
  /** The record of a live key; none when the text is no key, an unknown one, or a revoked one. */
  readonly verify: (key: Redacted.Redacted) => Effect.Effect<Option.Option<ApiKeyRecord>, KeyStoreUnavailable>
  /** Succeeds while the store answers. */
  readonly probe: Effect.Effect<void, KeyStoreUnavailable>
}>() {
  /** The keys of the setting `API_KEYS` (`label=key,...`). */
  static readonly layerStatic: Layer.Layer<KeyStore, ConfigError.ConfigError> = Layer.effect(
    KeyStore,
    Effect.gen(function*() {
      const setting = yield* Config.redacted(Config.nonEmptyString("API_KEYS"))
      return yield* staticStore(yield* parseKeys(Redacted.value(setting)))
    })
  )

  /** One key made at start, for a service that serves nothing but its own sandbox. */
  static readonly layerGenerated: Layer.Layer<KeyStore | GeneratedKey> = Layer.unwrapEffect(
    Effect.sync(() => {
      const key = freshApiKey()
      return Layer.merge(
        Layer.effect(KeyStore, staticStore([{ label: "generated", digest: apiKeyDigest(key) }])),
        Layer.succeed(GeneratedKey, Redacted.make(key))
      )
    })
  )
}

/** The key that `KeyStore.layerGenerated` made, to be shown once to whoever started the process. */
export class GeneratedKey extends Context.Tag("closeout/keys/GeneratedKey")<GeneratedKey, Redacted.Redacted>() {}
