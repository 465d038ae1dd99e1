import { type ConfigError, Effect, Layer } from "effect"
import { type AdminAuth, ApiKeyAuth, type CloseSessionAuth, type MetricsAuth, type SessionAuth } from "../api/Security.ts"
import type { SelfService } from "../keys/SelfService.ts"
import type { Networks } from "../Networks.ts"
import * as AdminToken from "./AdminToken.ts"
import * as CloseSessionBearer from "./CloseSessionBearer.ts"
import * as MetricsToken from "./metrics/MetricsToken.ts"
import { CurrentCaller, requireKey } from "./request/Caller.ts"
import * as SessionBearer from "./SessionBearer.ts"

/** The key was looked up, its scheme checked, before anything was decoded; here it is only asked for. */
const apiKey = Layer.succeed(ApiKeyAuth, { apiKey: () => Effect.asVoid(Effect.flatMap(CurrentCaller, requireKey)) })

/** Who may pass to the routes of each group. */
export const layer: Layer.Layer<
  ApiKeyAuth | AdminAuth | SessionAuth | CloseSessionAuth | MetricsAuth,
  ConfigError.ConfigError,
  SelfService | Networks
> = Layer.mergeAll(
  apiKey,
  AdminToken.layer,
  MetricsToken.layer,
  SessionBearer.layer,
  CloseSessionBearer.layer
)
