import { Clock, Context, Duration, Effect } from "effect"
import type { ApiKeyRecord } from "../domain/ApiKeyRecord.ts"
import { audited, type AuditedActor } from "../domain/Audit.ts"
import type { ApiKeyNotFound, KeyLimitReached } from "../domain/failure/Request.ts"
import type { KeyStoreUnavailable } from "../domain/failure/Upstream.ts"
import { showMillis } from "../domain/Instant.ts"
import { atMostHourly } from "./AtMostHourly.ts"
import { guarded } from "./database/Guarded.ts"
import type { Issued, KeyFilter, KeyTable, KeyTerms, Manager, NewKey, Person } from "./KeyTable.ts"

/** How long records of revoked and expired keys are kept. */
const keptEnded = Duration.toMillis("90 days")

const actor = (manager: Manager) => (manager._tag === "Operator" ? "operator" : "self-service")

const created = (by: AuditedActor) => ({ record }: Issued) => audited("API key created", { action: "key_created", by, keyId: record.id })

/** What the rest of the key store knows and has to know. */
interface Around {
  /** Called with the id of every key that was revoked or rotated here. */
  readonly ended: (id: string) => void
  /** When a key was used last, in milliseconds, where the table does not have it yet. */
  readonly unwritten: (id: string) => number | null
}

const withLastUse = (record: ApiKeyRecord, unwritten: number | null): ApiKeyRecord =>
  unwritten === null ? record : { ...record, lastUsedAt: showMillis(Math.max(unwritten, Date.parse(record.lastUsedAt ?? showMillis(0)))) }

/** Makes, lists and ends API keys, each manager those that are theirs. */
export class KeyManagement extends Context.Tag("closeout/keys/KeyManagement")<KeyManagement, {
  /** A new key by the operator, shown this once. */
  readonly createAny: (wanted: NewKey, terms?: KeyTerms) => Effect.Effect<Issued, KeyStoreUnavailable>
  /** A new key of a person, shown this once. They may have five live ones. */
  readonly createOwn: (person: Person, terms?: KeyTerms) => Effect.Effect<Issued, KeyStoreUnavailable | KeyLimitReached>
  /** The newest thousand records, those of revoked and expired keys among them. */
  readonly list: (manager: Manager, which: KeyFilter) => Effect.Effect<ReadonlyArray<ApiKeyRecord>, KeyStoreUnavailable>
  /** Ends a key. May be repeated. */
  readonly revoke: (manager: Manager, id: string) => Effect.Effect<ApiKeyRecord, KeyStoreUnavailable | ApiKeyNotFound>
  /**
   * Gives the successor of a live key, with the same owner, label, expiry, rate and window of that rate. The key itself ends at once, or
   * after so many seconds.
   */
  readonly rotate: (manager: Manager, id: string, graceSeconds?: number) => Effect.Effect<Issued, KeyStoreUnavailable | ApiKeyNotFound>
}>() {
  /** Management over a table. */
  static readonly over = (table: KeyTable, around: Around): Context.Tag.Service<KeyManagement> => {
    const forgetting = Effect.flatMap(Clock.currentTimeMillis, (now) => guarded("forget ended keys")(table.forget(now - keptEnded)))
    const ended = (id: string) => Effect.zipRight(Effect.sync(() => around.ended(id)), tidied)
    const tidied = atMostHourly(forgetting)
    return {
      createAny: (wanted, terms) =>
        guarded("create a key")(table.createAny(wanted, terms)).pipe(
          Effect.tap(created("operator"))
        ),
      createOwn: (person, terms) =>
        guarded("create a key")(table.createOwn(person, terms)).pipe(
          Effect.tap(created("self-service"))
        ),
      list: (manager, which) =>
        Effect.map(
          guarded("list keys")(table.list(manager, which)),
          (records) => records.map((record) => withLastUse(record, around.unwritten(record.id)))
        ),
      revoke: (manager, id) =>
        guarded("revoke a key")(table.revoke(manager, id)).pipe(
          Effect.map((record) => withLastUse(record, around.unwritten(record.id))),
          Effect.tap((record) => ended(record.id)),
          Effect.tap((record) => audited("API key revoked", { action: "key_revoked", by: actor(manager), keyId: record.id }))
        ),
      rotate: (manager, id, graceSeconds = 0) =>
        guarded("rotate a key")(table.rotate(manager, id, graceSeconds)).pipe(
          Effect.tap(() => ended(id)),
          Effect.tap(({ record: { id: keyId, rotatedFrom } }) =>
            audited("API key rotated", { action: "key_rotated", by: actor(manager), keyId, rotatedFrom, graceSeconds })
          )
        )
    }
  }
}
