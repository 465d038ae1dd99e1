import { HttpServerRequest } from "@effect/platform"
import { Config, type ConfigError, Effect, Layer, Option } from "effect"
import { MetricsAuth } from "../../api/Security.ts"
import { Unauthorized } from "../../domain/failure/Request.ts"
import { bearerToken } from "../request/Caller.ts"
import { isSameToken } from "../TokenMatch.ts"

const isLoopback = (address: string): boolean => /^(127\.\d+\.\d+\.\d+|::1|::ffff:127\.\d+\.\d+\.\d+)$/i.test(address)

/** A proxy on this machine looks like this machine, so what was forwarded is from somewhere else. */
const isFromHere = ({ headers, remoteAddress }: HttpServerRequest.HttpServerRequest): boolean =>
  Option.exists(remoteAddress, isLoopback) && headers["x-forwarded-for"] === undefined && headers["forwarded"] === undefined

/** `METRICS_TOKEN` as bearer; where it is unset, whoever asks from this very machine. */
export const layer: Layer.Layer<MetricsAuth, ConfigError.ConfigError> = Layer.effect(
  MetricsAuth,
  Effect.map(Config.option(Config.redacted(Config.nonEmptyString("METRICS_TOKEN"))), (setting) => ({
    metricsToken: () =>
      Effect.gen(function*() {
        const request = yield* HttpServerRequest.HttpServerRequest
        const allowed = Option.match(setting, {
          onNone: () => isFromHere(request),
          onSome: (token) => Option.exists(bearerToken(request), (given) => isSameToken(given, token))
        })
        return allowed ? undefined : yield* new Unauthorized()
      })
  }))
)
