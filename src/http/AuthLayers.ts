import { type ConfigError, Effect, Layer } from "effect"
import { AdminAuth, ApiKeyAuth, type MetricsAuth, SessionAuth } from "../api/Security.ts"
import * as MetricsToken from "./metrics/MetricsToken.ts"
import { notYet } from "./NotYet.ts"
import { CurrentCaller, requireKey } from "./request/Caller.ts"

/** The key was looked up, its scheme checked, before anything was decoded; here it is only asked for. */
const apiKey = Layer.succeed(ApiKeyAuth, { apiKey: () => Effect.asVoid(Effect.flatMap(CurrentCaller, requireKey)) })

/** Nobody gets past the tokens of what is not built yet. */
const unbuilt = Layer.mergeAll(
  Layer.succeed(AdminAuth, { adminToken: notYet }),
  Layer.succeed(SessionAuth, { session: notYet })
)

/** Who may pass to the routes of each group. */
export const layer: Layer.Layer<ApiKeyAuth | AdminAuth | SessionAuth | MetricsAuth, ConfigError.ConfigError> = Layer.mergeAll(
  apiKey,
  MetricsToken.layer,
  unbuilt
)
