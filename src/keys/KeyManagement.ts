import { Clock, Context, Duration, Effect } from "effect"
import type { ApiKeyRecord } from "../domain/ApiKeyRecord.ts"
import type { ApiKeyNotFound, KeyLimitReached } from "../domain/failure/Request.ts"
import type { KeyStoreUnavailable } from "../domain/failure/Upstream.ts"
import { guarded } from "./database/Guarded.ts"
import type { Issued, KeyTable, Manager, NewKey, Person } from "./KeyTable.ts"
import { nowAndThen } from "./NowAndThen.ts"

/** How long records of revoked keys are kept. */
const keptRevoked = Duration.toMillis("90 days")

/** A line for every change, by ids: who it was is told, and neither owner nor key. */
const audited = (what: string, manager: Manager, ids: Readonly<Record<string, string | null>>) =>
  Effect.annotateLogs(Effect.logInfo(what), { by: manager._tag === "Operator" ? "operator" : "self-service", ...ids })

/** Makes, lists and ends API keys, each manager those that are theirs. */
export class KeyManagement extends Context.Tag("closeout/keys/KeyManagement")<KeyManagement, {
  /** A new key by the operator, shown this once. */
  readonly createAny: (wanted: NewKey) => Effect.Effect<Issued, KeyStoreUnavailable>
  /** A new key of a person, shown this once. They may have five live ones. */
  readonly createOwn: (person: Person) => Effect.Effect<Issued, KeyStoreUnavailable | KeyLimitReached>
  /** The newest thousand records, those of revoked keys among them; of one owner, where one is named. */
  readonly list: (manager: Manager, owner: string | null) => Effect.Effect<ReadonlyArray<ApiKeyRecord>, KeyStoreUnavailable>
  /** Ends a key. May be repeated. */
  readonly revoke: (manager: Manager, id: string) => Effect.Effect<ApiKeyRecord, KeyStoreUnavailable | ApiKeyNotFound>
  /** Ends a live key and gives its successor, with the same owner and rate. */
  readonly rotate: (manager: Manager, id: string) => Effect.Effect<Issued, KeyStoreUnavailable | ApiKeyNotFound>
}>() {
  /** Management over a table. `revoked` is told the id of every key that was ended here. */
  static readonly over = (table: KeyTable, revoked: (id: string) => void): Context.Tag.Service<KeyManagement> => {
    const forgetting = Effect.flatMap(Clock.currentTimeMillis, (now) => guarded("forget revoked keys")(table.forget(now - keptRevoked)))
    const ended = (id: string) => Effect.zipRight(Effect.sync(() => revoked(id)), tidied)
    const tidied = nowAndThen(forgetting)
    return {
      createAny: (wanted) =>
        guarded("create a key")(table.createAny(wanted)).pipe(
          Effect.tap(({ record }) => audited("API key created", { _tag: "Operator" }, { keyId: record.id }))
        ),
      createOwn: (person) =>
        guarded("create a key")(table.createOwn(person)).pipe(
          Effect.tap(({ record }) => audited("API key created", person, { keyId: record.id }))
        ),
      list: (manager, owner) => guarded("list keys")(table.list(manager, owner)),
      revoke: (manager, id) =>
        guarded("revoke a key")(table.revoke(manager, id)).pipe(
          Effect.tap((record) => ended(record.id)),
          Effect.tap((record) => audited("API key revoked", manager, { keyId: record.id }))
        ),
      rotate: (manager, id) =>
        guarded("rotate a key")(table.rotate(manager, id)).pipe(
          Effect.tap(() => ended(id)),
          Effect.tap(({ record }) => audited("API key rotated", manager, { keyId: record.id, rotatedFrom: record.rotatedFrom }))
        )
    }
  }
}
