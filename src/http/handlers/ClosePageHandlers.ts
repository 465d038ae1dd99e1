import { HttpApiBuilder, HttpServerResponse } from "@effect/platform"
import { Effect } from "effect"
import { Api } from "../../api/Api.ts"
import { ChallengeBody, SessionBody } from "../../api/SessionBodies.ts"
import { RouteNotFound } from "../../domain/failure/Request.ts"
import { closePageState } from "../close-page/ClosePageState.ts"
import { withBody } from "../request/Body.ts"
import { challengeSteps } from "./ChallengeSteps.ts"

/** Handlers of the group `closePage`. */
export const layer = HttpApiBuilder.group(
  Api,
  "closePage",
  (handlers) =>
    Effect.map(Effect.all([closePageState, challengeSteps("openClose")]), ([state, { challenge, session }]) => {
      const usable = state === "on" ? Effect.void : new RouteNotFound()
      return handlers
        .handle(
          "page",
          () => (state === "off" ? new RouteNotFound() : Effect.succeed(HttpServerResponse.html(state === "on" ? "" : "SEP10_SECRET")))
        )
        .handleRaw("challenge", withBody(ChallengeBody, ({ payload }) => Effect.zipRight(usable, challenge(payload))))
        .handleRaw("session", withBody(SessionBody, ({ payload, request }) => Effect.zipRight(usable, session(payload, request))))
    })
)
