import { Clock, Config, ConfigError, Context, Effect, Layer, Option, Redacted } from "effect"
import { timingSafeEqual } from "node:crypto"
import type { LiveKey } from "../domain/ApiKeyRecord.ts"
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

/** `API_KEYS`; none where it is not set. */
export const staticKeysSetting: Effect.Effect<ReadonlyArray<StaticKey>, ConfigError.ConfigError> = Effect.flatMap(
  Config.option(Config.redacted(Config.nonEmptyString("API_KEYS"))),
  Option.match({ onNone: () => Effect.succeed([]), onSome: (setting) => parseKeys(Redacted.value(setting)) })
)

const record = (name: string, createdAt: string): LiveKey => ({
  id: name,
  owner: name,
  label: name,
  last4: null,
  createdAt,
  expiresAt: null,
  revokedAt: null,
  rotatedFrom: null,
  lastUsedAt: null,
  rateLimit: null,
  rateWindow: name
})

const lookup = (keys: ReadonlyArray<StaticKey>) =>
  Effect.map(Clock.currentTimeMillis, (now) => {
    const createdAt = showMillis(now)
    const known = keys.map((key) => ({ digest: key.digest, record: record(key.label, createdAt) }))
    return StaticKeys.of({
      find: (digest) => known.filter((candidate) => timingSafeEqual(candidate.digest, digest))[0]?.record ?? null,
      isEmpty: known.length === 0
    })
  })

/** Keys that are no rows of the key store: they live as long as the process, and no route manages them. */
export class StaticKeys extends Context.Tag("closeout/keys/StaticKeys")<StaticKeys, {
  /** The record of the key with this SHA-256, or null. All are compared, whichever matches. */
  readonly find: (digest: Uint8Array) => LiveKey | null
  /** Whether there is none. */
  readonly isEmpty: boolean
}>() {
  /** The keys of the setting `API_KEYS` (`label=key,...`); none where it is unset. */
  static readonly layer: Layer.Layer<StaticKeys, ConfigError.ConfigError> = Layer.effect(
    StaticKeys,
    Effect.flatMap(staticKeysSetting, lookup)
  )

  /** One key made at start, for a service that serves nothing but its own sandbox. */
  static readonly layerGenerated: Layer.Layer<StaticKeys | GeneratedKey> = Layer.unwrapEffect(
    Effect.sync(() => {
      const key = freshApiKey()
      return Layer.merge(
        Layer.effect(StaticKeys, lookup([{ label: "generated", digest: apiKeyDigest(key) }])),
        Layer.succeed(GeneratedKey, Redacted.make(key))
      )
    })
  )
}

/** The key that `StaticKeys.layerGenerated` made, to be shown once to whoever started the process. */
export class GeneratedKey extends Context.Tag("closeout/keys/GeneratedKey")<GeneratedKey, Redacted.Redacted>() {}
