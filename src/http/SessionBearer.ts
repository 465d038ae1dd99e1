import { HttpServerRequest } from "@effect/platform"
import { type Context, Effect, Layer } from "effect"
import { SessionAuth } from "../api/Security.ts"
import type { Unauthorized } from "../domain/failure/Request.ts"
import type { KeyStoreUnavailable } from "../domain/failure/Upstream.ts"
import { SelfService } from "../keys/SelfService.ts"
import type { Session } from "../keys/SessionToken.ts"
import { bearerSession } from "./request/Caller.ts"

/** The session of a request; fails where its bearer is no token of a session that is still open. */
export const sessionIn = (
  selfService: Context.Tag.Service<SelfService>,
  request: HttpServerRequest.HttpServerRequest
): Effect.Effect<Session, Unauthorized | KeyStoreUnavailable> => bearerSession(selfService.session, request)

/** The token of `POST /keys/session` as bearer. */
export const layer: Layer.Layer<SessionAuth, never, SelfService> = Layer.effect(
  SessionAuth,
  Effect.map(SelfService, (selfService) => ({
    session: () => Effect.asVoid(Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => sessionIn(selfService, request)))
  }))
)
