import { type ConfigError, Effect, Layer, Option, Redacted } from "effect"
import { AdminAuth } from "../api/Security.ts"
import { audited } from "../domain/Audit.ts"
import { Unauthorized } from "../domain/failure/Request.ts"
import { AdminNotConfigured } from "../domain/failure/Upstream.ts"
import { isSameToken } from "./TokenMatch.ts"
import { tokenSetting } from "./TokenSetting.ts"

/** `ADMIN_TOKEN`; none where it is not set. */
export const adminTokenSetting = tokenSetting("ADMIN_TOKEN")

/** A request without any token is no attempt with a wrong one. */
const refused = (given: Redacted.Redacted): Effect.Effect<never, Unauthorized> => {
  const noticed = Redacted.value(given) === ""
    ? Effect.void
    : audited("admin token refused", { action: "admin_token_refused", by: "stranger" })
  return Effect.zipRight(noticed, new Unauthorized())
}

/** `ADMIN_TOKEN` as bearer. Without that setting nobody manages keys over HTTP. */
export const layer: Layer.Layer<AdminAuth, ConfigError.ConfigError> = Layer.effect(
  AdminAuth,
  Effect.map(adminTokenSetting, (token) => ({
    adminToken: (given) =>
      Option.match(token, {
        onNone: () => new AdminNotConfigured(),
        onSome: (right) => (isSameToken(given, right) ? Effect.void : refused(given))
      })
  }))
)
