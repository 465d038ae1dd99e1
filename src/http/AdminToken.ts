import { Config, ConfigError, Effect, Layer, Option, Redacted } from "effect"
import { AdminAuth } from "../api/Security.ts"
import { Unauthorized } from "../domain/failure/Request.ts"
import { AdminNotConfigured } from "../domain/failure/Upstream.ts"
import { isSameToken } from "./TokenMatch.ts"

/** A token that could be guessed would give everything away. */
const shortest = 16

/** `ADMIN_TOKEN`; none where it is not set. */
export const adminTokenSetting = Effect.flatMap(
  Config.option(Config.redacted(Config.nonEmptyString("ADMIN_TOKEN"))),
  (token) =>
    Option.exists(token, (text) => Redacted.value(text).length < shortest || !/^\S+$/.test(Redacted.value(text)))
      ? Effect.fail(ConfigError.InvalidData(["ADMIN_TOKEN"], `needs at least ${shortest} characters, none of them a blank`))
      : Effect.succeed(token)
)

/** `ADMIN_TOKEN` as bearer. Without that setting nobody manages keys over HTTP. */
export const layer: Layer.Layer<AdminAuth, ConfigError.ConfigError> = Layer.effect(
  AdminAuth,
  Effect.map(adminTokenSetting, (token) => ({
    adminToken: (given) =>
      Option.match(token, {
        onNone: () => new AdminNotConfigured(),
        onSome: (right) => (isSameToken(given, right) ? Effect.void : new Unauthorized())
      })
  }))
)
