import { HttpServerRequest } from "@effect/platform"
import { Config, type ConfigError, Effect, Layer, Option, Redacted } from "effect"
import { createHash, timingSafeEqual } from "node:crypto"
import { MetricsAuth } from "../../api/Security.ts"
import { Unauthorized } from "../../domain/failure/Request.ts"
import { bearerToken } from "../request/Caller.ts"

const digest = (token: Redacted.Redacted): Uint8Array => createHash("sha256").update(Redacted.value(token)).digest()

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
          onSome: (token) => Option.exists(bearerToken(request), (given) => timingSafeEqual(digest(given), digest(token)))
        })
        return allowed ? undefined : yield* new Unauthorized()
      })
  }))
)
