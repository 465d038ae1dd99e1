import { HttpServerRequest } from "@effect/platform"
import { type ConfigError, type Context, Effect, Layer } from "effect"
import { CloseSessionAuth } from "../api/Security.ts"
import { RouteNotFound, type Unauthorized } from "../domain/failure/Request.ts"
import type { KeyStoreUnavailable } from "../domain/failure/Upstream.ts"
import type { CloseSession } from "../keys/CloseToken.ts"
import { SelfService } from "../keys/SelfService.ts"
import type { Networks } from "../Networks.ts"
import { closePageState } from "./close-page/ClosePageState.ts"
import { bearerSession } from "./request/Caller.ts"

/** The session of the page `/close` of a request; fails where its bearer is no token of one that is still open. */
export const closeSessionIn = (
  selfService: Context.Tag.Service<SelfService>,
  request: HttpServerRequest.HttpServerRequest
): Effect.Effect<CloseSession, Unauthorized | KeyStoreUnavailable> => bearerSession(selfService.closeSession, request)

/** The token of `POST /close/session` as bearer, where there is such a page. */
export const layer: Layer.Layer<CloseSessionAuth, ConfigError.ConfigError, SelfService | Networks> = Layer.effect(
  CloseSessionAuth,
  Effect.map(Effect.all([SelfService, closePageState]), ([selfService, state]) => ({
    closeSession: () =>
      state === "on"
        ? Effect.asVoid(Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => closeSessionIn(selfService, request)))
        : new RouteNotFound()
  }))
)
