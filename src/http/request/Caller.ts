import { HttpServerRequest } from "@effect/platform"
import { Context, Effect, Option, Redacted } from "effect"
import type { LiveKey } from "../../domain/ApiKeyRecord.ts"
import { Unauthorized } from "../../domain/failure/Request.ts"
import type { KeyStoreUnavailable } from "../../domain/failure/Upstream.ts"
import type { KeyStore } from "../../keys/KeyStore.ts"

const bearer = /^bearer +(\S+) *$/i

/** The bearer token of a request; none when there is none or the scheme is another. */
export const bearerToken = (request: HttpServerRequest.HttpServerRequest): Option.Option<Redacted.Redacted> =>
  Option.map(Option.fromNullable(bearer.exec(request.headers["authorization"] ?? "")?.[1]), (token) => Redacted.make(token))

/** The same of the request that is being answered. */
export const givenToken = Effect.map(HttpServerRequest.HttpServerRequest, bearerToken)

/** The session of a request, found by its bearer; fails where that is no token of a session that is still open. */
export const bearerSession = <A>(
  find: (token: Redacted.Redacted) => Effect.Effect<Option.Option<A>, KeyStoreUnavailable>,
  request: HttpServerRequest.HttpServerRequest
): Effect.Effect<A, Unauthorized | KeyStoreUnavailable> =>
  Option.match(bearerToken(request), {
    onNone: () => new Unauthorized(),
    onSome: (token) => Effect.flatMap(find(token), Option.match({ onNone: () => new Unauthorized(), onSome: Effect.succeed }))
  })

/** What is known of the sender of a request. A store that did not answer is not the same as a key that is unknown. */
export type Identity = Option.Option<LiveKey> | KeyStoreUnavailable

/** Looks the bearer token up. */
export const identify = (
  keys: Context.Tag.Service<KeyStore>,
  request: HttpServerRequest.HttpServerRequest
): Effect.Effect<Identity> =>
  Option.match(bearerToken(request), {
    onNone: () => Effect.succeedNone,
    onSome: (token) => Effect.catchAll(keys.verify(token), (down): Effect.Effect<Identity> => Effect.succeed(down))
  })

/** Who sent the request that is being answered. */
export class CurrentCaller extends Context.Reference<CurrentCaller>()("closeout/http/CurrentCaller", {
  defaultValue: (): Identity => Option.none()
}) {}

/** The caller's key, or why there is none. */
export const requireKey = (identity: Identity): Effect.Effect<LiveKey, Unauthorized | KeyStoreUnavailable> => {
  if (identity._tag === "KeyStoreUnavailable") return identity
  return Option.match(identity, { onNone: () => new Unauthorized(), onSome: Effect.succeed })
}
