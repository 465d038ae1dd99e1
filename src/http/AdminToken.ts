import { type ConfigError, Effect, Layer, Option, type Redacted } from "effect"
import { AdminAuth } from "../api/Security.ts"
import { audited } from "../domain/Audit.ts"
import { Unauthorized } from "../domain/failure/Request.ts"
import { AdminNotConfigured } from "../domain/failure/Upstream.ts"
import { givenToken } from "./request/Caller.ts"
import { isSameToken } from "./TokenMatch.ts"
import { tokenSetting } from "./TokenSetting.ts"

/** `ADMIN_TOKEN`; none where it is not set. */
export const adminTokenSetting = tokenSetting("ADMIN_TOKEN")

const refused = Effect.zipRight(
  audited("admin token rejected", { action: "admin_token_refused", by: "stranger" }),
  new Unauthorized()
)

/** A request without any token is no attempt with a wrong one. */
const checked = (right: Redacted.Redacted) =>
  Effect.flatMap(givenToken, (given) => {
    if (Option.isNone(given)) return new Unauthorized()
    return isSameToken(given.value, right) ? Effect.void : refused
  })

/** `ADMIN_TOKEN` as bearer. Without that setting no one manages keys over HTTP. */
export const layer: Layer.Layer<AdminAuth, ConfigError.ConfigError> = Layer.effect(
  AdminAuth,
  Effect.map(adminTokenSetting, (token) => ({
    adminToken: () => Option.match(token, { onNone: () => new AdminNotConfigured(), onSome: checked })
  }))
)
