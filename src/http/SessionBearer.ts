import { HttpServerRequest } from "@effect/platform"
import { type Context, Effect, Layer, Option, type Redacted } from "effect"
import { SessionAuth } from "../api/Security.ts"
import { Unauthorized } from "../domain/failure/Request.ts"
import type { KeyStoreUnavailable } from "../domain/failure/Upstream.ts"
import { SelfService } from "../keys/SelfService.ts"
import type { Session } from "../keys/SessionToken.ts"
import { bearerToken } from "./request/Caller.ts"

const live = (
  selfService: Context.Tag.Service<SelfService>,
  token: Redacted.Redacted
): Effect.Effect<Session, Unauthorized | KeyStoreUnavailable> =>
  Effect.flatMap(selfService.session(token), Option.match({ onNone: () => new Unauthorized(), onSome: Effect.succeed }))

/** The session of a request; fails where its bearer is no token of a session that is still open. */
export const sessionIn = (
  selfService: Context.Tag.Service<SelfService>,
  request: HttpServerRequest.HttpServerRequest
): Effect.Effect<Session, Unauthorized | KeyStoreUnavailable> =>
  Option.match(bearerToken(request), { onNone: () => new Unauthorized(), onSome: (token) => live(selfService, token) })

/** The token of `POST /keys/session` as bearer. */
export const layer: Layer.Layer<SessionAuth, never, SelfService> = Layer.effect(
  SessionAuth,
  Effect.map(SelfService, (selfService) => ({
    session: () => Effect.asVoid(Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => sessionIn(selfService, request)))
  }))
)
