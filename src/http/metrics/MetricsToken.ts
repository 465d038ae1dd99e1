import { type ConfigError, Effect, Layer, Option } from "effect"
import { MetricsAuth } from "../../api/Security.ts"
import { Unauthorized } from "../../domain/failure/Request.ts"
import { givenToken } from "../request/Caller.ts"
import { isSameToken } from "../TokenMatch.ts"
import { tokenSetting } from "../TokenSetting.ts"

/** `METRICS_TOKEN`; none where it is not set. */
export const metricsTokenSetting = tokenSetting("METRICS_TOKEN")

/**
 * `METRICS_TOKEN` as bearer. Where it is unset no one is let in here, not even from this very machine: a proxy on it looks the same as a
 * person. Metrics are then served by a listener of their own (`MetricsListener.ts`).
 */
export const layer: Layer.Layer<MetricsAuth, ConfigError.ConfigError> = Layer.effect(
  MetricsAuth,
  Effect.map(metricsTokenSetting, (setting) => ({
    metricsToken: () =>
      Effect.gen(function*() {
        const given = yield* givenToken
        const allowed = Option.exists(setting, (token) => Option.exists(given, (one) => isSameToken(one, token)))
        return allowed ? undefined : yield* new Unauthorized()
      })
  }))
)
