import { FileSystem } from "@effect/platform"
import { Clock, Config, ConfigError, Context, Effect, Layer, Option, Redacted } from "effect"
import { timingSafeEqual } from "node:crypto"
import type { LiveKey } from "../domain/ApiKeyRecord.ts"
import { showMillis } from "../domain/Instant.ts"
import { reloadable } from "../domain/Reloads.ts"
import { apiKeyDigest, freshApiKey, isApiKey } from "./ApiKey.ts"

interface StaticKey {
  readonly label: string
  readonly digest: Uint8Array
}

const label = /^[A-Za-z0-9._-]{1,64}$/

/** Reads entries `label=key` beside those that are known. A refusal names the entry by its place, never by what it holds. */
const parseKeys = (name: "API_KEYS" | "API_KEYS_FILE", entries: Iterable<readonly [number, string]>, known: ReadonlyArray<StaticKey>) => {
  const invalid = (reason: string) => ConfigError.InvalidData([name], reason)
  const keys = [...known]
  for (const [index, entry] of entries) {
    const at = entry.indexOf("=")
    const called = entry.slice(0, Math.max(at, 0)).trim()
    const key = entry.slice(at + 1).trim()
    const place = `${name === "API_KEYS" ? "entry" : "line"} ${index + 1}`
    if (!label.test(called)) return Effect.fail(invalid(`${place} needs a label of letters, digits, dots, dashes: label=key`))
    if (!isApiKey(key)) return Effect.fail(invalid(`the key with the label ${called} must be lk_ and 43 base64url characters`))
    const digest = apiKeyDigest(key)
    if (keys.some((other) => other.label === called)) return Effect.fail(invalid(`the label ${called} is used twice`))
    if (keys.some((other) => timingSafeEqual(other.digest, digest))) {
      return Effect.fail(invalid(`the key with the label ${called} is listed twice`))
    }
    keys.push({ label: called, digest })
  }
  return Effect.succeed<ReadonlyArray<StaticKey>>(keys)
}

/** `API_KEYS`; none where it is not set. */
export const staticKeysSetting: Effect.Effect<ReadonlyArray<StaticKey>, ConfigError.ConfigError> = Effect.flatMap(
  Config.option(Config.redacted(Config.nonEmptyString("API_KEYS"))),
  Option.match({
    onNone: () => Effect.succeed([]),
    onSome: (setting) => parseKeys("API_KEYS", Redacted.value(setting).split(",").entries(), [])
  })
)

/** A line that is empty, or a remark. */
const isRemark = (line: string): boolean => /^\s*(#.*)?$/.test(line)

/** The keys of a file: `label=key` in each line, beside empty lines and remarks after `#`. */
const keysInFile = (file: string, known: ReadonlyArray<StaticKey>) =>
  Effect.gen(function*() {
    const files = yield* FileSystem.FileSystem
    const text = yield* Effect.mapError(files.readFileString(file), () => ConfigError.InvalidData(["API_KEYS_FILE"], "cannot be read"))
    return yield* parseKeys("API_KEYS_FILE", [...text.split(/\r?\n/).entries()].filter(([, line]) => !isRemark(line)), known)
  })

/** The keys of `API_KEYS` and of the file that `API_KEYS_FILE` names, as they are read each time; none where neither is set. */
const staticKeys = Effect.gen(function*() {
  const file = yield* Config.option(Config.nonEmptyString("API_KEYS_FILE"))
  const known = yield* staticKeysSetting
  return Option.isNone(file) ? null : keysInFile(file.value, known)
})

/** `API_KEYS_FILE`; nothing is checked where it is not set. */
export const keysFileSetting = Effect.flatMap(staticKeys, (read) => read ?? Effect.succeed([]))

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

const records = (keys: ReadonlyArray<StaticKey>) =>
  Effect.map(Clock.currentTimeMillis, (now) => {
    const createdAt = showMillis(now)
    return keys.map((key) => ({ digest: key.digest, record: record(key.label, createdAt) }))
  })

/** The service over the keys that were read last. */
const over = (read: () => Effect.Effect.Success<ReturnType<typeof records>>) =>
  StaticKeys.of({
    find: (digest) => read().filter((candidate) => timingSafeEqual(candidate.digest, digest))[0]?.record ?? null,
    get isEmpty() {
      return read().length === 0
    }
  })

/** Keys that are no rows of the key store: no route manages them. */
export class StaticKeys extends Context.Tag("closeout/keys/StaticKeys")<StaticKeys, {
  /** The record of the key with this SHA-256, or null. All are compared, whichever matches. */
  readonly find: (digest: Uint8Array) => LiveKey | null
  /** Whether there is none. */
  readonly isEmpty: boolean
}>() {
  /**
   * The keys of the setting `API_KEYS` (`label=key,...`), and those of `API_KEYS_FILE`, which is read again on SIGHUP; none where neither
   * is set.
   */
  static readonly layer: Layer.Layer<StaticKeys, ConfigError.ConfigError, FileSystem.FileSystem> = Layer.effect(
    StaticKeys,
    Effect.gen(function*() {
      const inFile = yield* staticKeys
      if (inFile !== null) return over(yield* reloadable("API_KEYS_FILE", Effect.flatMap(inFile, records)))
      const fixed = yield* Effect.flatMap(staticKeysSetting, records)
      return over(() => fixed)
    })
  )

  /** One key made at start, for a service that serves nothing but its own sandbox. */
  static readonly layerGenerated: Layer.Layer<StaticKeys | GeneratedKey> = Layer.unwrapEffect(
    Effect.sync(() => {
      const key = freshApiKey()
      return Layer.merge(
        Layer.effect(
          StaticKeys,
          Effect.map(records([{ label: "generated", digest: apiKeyDigest(key) }]), (made) => over(() => made))
        ),
        Layer.succeed(GeneratedKey, Redacted.make(key))
      )
    })
  )
}

/** The key that `StaticKeys.layerGenerated` made, to be shown once to the person who started the process. */
export class GeneratedKey extends Context.Tag("closeout/keys/GeneratedKey")<GeneratedKey, Redacted.Redacted>() {}
