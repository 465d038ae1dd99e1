import type { SqlClient } from "@effect/sql"
import { Clock, Context, Effect, Layer, Option, Redacted } from "effect"
import { isLiveAt, type LiveKey } from "../domain/ApiKeyRecord.ts"
import type { KeyStoreUnavailable } from "../domain/failure/Upstream.ts"
import { apiKeyDigest, isApiKey } from "./ApiKey.ts"
import { guarded } from "./database/Guarded.ts"
import { keyLookup } from "./KeyLookup.ts"
import { KeyManagement } from "./KeyManagement.ts"
import { digestText, keyTable } from "./KeyTable.ts"
import { lastUse } from "./LastUse.ts"
import { StaticKeys } from "./StaticKeys.ts"

const build = Effect.gen(function*() {
  const statics = yield* StaticKeys
  const table = yield* keyTable
  const lookup = yield* keyLookup(table)
  const uses = yield* lastUse(table)

  const store = KeyStore.of({
    verify: (key) =>
      Effect.gen(function*() {
        const text = Redacted.value(key)
        if (!isApiKey(text)) return Option.none()
        const digest = apiKeyDigest(text)
        const known = statics.find(digest)
        if (known !== null) return Option.some(known)
        const now = yield* Clock.currentTimeMillis
        const found = Option.filter(yield* lookup.find(digestText(digest)), (record) => isLiveAt(record, now))
        if (Option.isSome(found)) yield* uses.note(found.value.id)
        return found
      }),
    get hasStaticKeys() {
      return !statics.isEmpty
    },
    probe: guarded("probe")(table.probe)
  })
  return Context.make(KeyStore, store).pipe(
    Context.add(KeyManagement, KeyManagement.over(table, { ended: lookup.revoked, unwritten: uses.unwritten }))
  )
})

/** The API keys that may call the service. Only the SHA-256 of a key is kept. */
export class KeyStore extends Context.Tag("closeout/keys/KeyStore")<KeyStore, {
  /** The record of a live key; none when the text is no key, an unknown one, a revoked or an expired one. Static keys need no store that answers. */
  readonly verify: (key: Redacted.Redacted) => Effect.Effect<Option.Option<LiveKey>, KeyStoreUnavailable>
  /** Whether there are keys that need no store that answers. */
  readonly hasStaticKeys: boolean
  /** Succeeds while the store can be read and written. */
  readonly probe: Effect.Effect<void, KeyStoreUnavailable>
}>() {
  /** The static keys, and those of the database with their management. A key that is revoked elsewhere is dead here within three seconds. */
  static readonly layer: Layer.Layer<KeyStore | KeyManagement, never, StaticKeys | SqlClient.SqlClient> = Layer.scopedContext(build)
}
