import { HttpApiBuilder } from "@effect/platform"
import { Effect } from "effect"
import { Api } from "../../api/Api.ts"
import { ChallengeBody, SessionBody } from "../../api/SessionBodies.ts"
import { Networks } from "../../Networks.ts"
import { keysPage } from "../keys-page/KeysPage.ts"
import { withBody } from "../request/Body.ts"
import { challengeSteps } from "./ChallengeSteps.ts"

const page = Effect.map(Networks, ({ enabled }) => keysPage([...enabled.keys()]))

/** Handlers of the group `selfService`. */
export const layer = HttpApiBuilder.group(
  Api,
  "selfService",
  (handlers) =>
    Effect.map(Effect.all([page, challengeSteps("open")]), ([html, { challenge, session }]) =>
      handlers
        .handle("page", () => Effect.succeed(html))
        .handleRaw("challenge", withBody(ChallengeBody, ({ payload }) => challenge(payload)))
        .handleRaw("session", withBody(SessionBody, ({ payload, request }) => session(payload, request))))
)
