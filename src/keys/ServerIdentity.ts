import { SqlClient } from "@effect/sql"
import { Keypair, StrKey } from "@stellar/stellar-sdk"
import { Config, ConfigError, Context, Effect, Layer, Option, Redacted } from "effect"
import { createHmac, randomBytes } from "node:crypto"
import type { KeyStoreUnavailable } from "../domain/failure/Upstream.ts"
import { publicUrlSetting } from "../domain/PublicUrl.ts"
import { guarded } from "./database/Guarded.ts"

/** `SEP10_SECRET`; null where it is not set. */
export const sep10Setting = Effect.flatMap(
  Config.option(Config.redacted(Config.nonEmptyString("SEP10_SECRET"))),
  Option.match({
    onNone: () => Effect.succeed(null),
    onSome: (secret) =>
      StrKey.isValidEd25519SecretSeed(Redacted.value(secret))
        ? Effect.succeed(Redacted.value(secret))
        : Effect.fail(ConfigError.InvalidData(["SEP10_SECRET"], "must be a secret seed: S and 55 more characters"))
  })
)

/** The name that wallets show: the host of `PUBLIC_URL`. */
const domainSetting = Effect.map(publicUrlSetting, Option.match({ onNone: () => "localhost", onSome: ({ host }) => host }))

/** The seed of the store: whichever instance comes first makes it, and all use that one. */
const keptSeed: Effect.Effect<string, KeyStoreUnavailable, SqlClient.SqlClient> = guarded("read the server's own key")(
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const fresh = StrKey.encodeEd25519SecretSeed(randomBytes(32))
    yield* sql`INSERT INTO closeout_secrets (name, secret) VALUES ('sep10', ${fresh}) ON CONFLICT (name) DO NOTHING`
    const [row] = yield* sql<{ readonly secret: string }>`SELECT secret FROM closeout_secrets WHERE name = 'sep10'`
    return row === undefined ? yield* Effect.dieMessage("the key that was just stored is missing") : row.secret
  })
)

/** What follows from the server's secret seed. */
export interface ServerSecrets {
  /** Made when it is first asked for: the first key that a process makes takes it a while, and no start waits for that. */
  readonly keypair: () => Keypair
  /** The key that session tokens are signed with. It follows from the server's key and tells nothing of it. */
  readonly sessionKey: Uint8Array
}

const secretsOf = (seed: string): ServerSecrets => {
  let made: Keypair | null = null
  return {
    keypair: () => made ??= Keypair.fromSecret(seed),
    sessionKey: createHmac("sha256", seed).update("closeout session tokens, 1").digest()
  }
}

/**
 * Who this service is to wallets (SEP-10): the key that signs challenges, `SEP10_SECRET` or one made once and kept in the key store, and the
 * domain, the host of `PUBLIC_URL`. All instances have the same, so that what one began another can finish.
 */
export class ServerIdentity extends Context.Tag("closeout/keys/ServerIdentity")<ServerIdentity, {
  readonly domain: string
  /** Read once. Fails while the key store, which has the seed, was not reached since the start. */
  readonly secrets: Effect.Effect<ServerSecrets, KeyStoreUnavailable>
}>() {
  static readonly layer: Layer.Layer<ServerIdentity, ConfigError.ConfigError, SqlClient.SqlClient> = Layer.effect(
    ServerIdentity,
    Effect.gen(function*() {
      const domain = yield* domainSetting
      const seed = yield* sep10Setting
      const sql = yield* SqlClient.SqlClient
      const read = Effect.map(Effect.provideService(keptSeed, SqlClient.SqlClient, sql), secretsOf)
      let known = seed === null ? null : secretsOf(seed)
      const secrets = Effect.suspend(() =>
        known === null ? Effect.tap(read, (found) => Effect.sync(() => void (known = found))) : Effect.succeed(known)
      )
      // No caller waits for it where the store is there.
      yield* Effect.ignore(secrets)
      return { domain, secrets }
    })
  )
}
