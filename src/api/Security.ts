import { HttpApiMiddleware, HttpApiSecurity, OpenApi } from "@effect/platform"
import { failures } from "./ErrorTable.ts"

const bearer = (description: string) => HttpApiSecurity.annotate(HttpApiSecurity.bearer, OpenApi.Description, description)

/** The API key of a caller's server. */
export class ApiKeyAuth extends HttpApiMiddleware.Tag<ApiKeyAuth>()("closeout/api/ApiKeyAuth", {
  failure: failures("Unauthorized", "KeyStoreUnavailable"),
  security: { apiKey: bearer("API key, sent as `Authorization: Bearer <key>`. It belongs on the caller's server, never in a browser.") }
}) {}

/** The operator's token for key management (`ADMIN_TOKEN`). */
export class AdminAuth extends HttpApiMiddleware.Tag<AdminAuth>()("closeout/api/AdminAuth", {
  failure: failures("Unauthorized", "AdminNotConfigured"),
  security: { adminToken: bearer("The operator's token for key management.") }
}) {}

/** The token of a self-service session, got by signing a challenge. */
export class SessionAuth extends HttpApiMiddleware.Tag<SessionAuth>()("closeout/api/SessionAuth", {
  failure: failures("Unauthorized", "KeyStoreUnavailable"),
  security: { session: bearer("The token that `POST /keys/session` gave.") }
}) {}

/** The token of a session of the page `/close`, got by signing a challenge. It is for one account. */
export class CloseSessionAuth extends HttpApiMiddleware.Tag<CloseSessionAuth>()("closeout/api/CloseSessionAuth", {
  failure: failures("Unauthorized", "RouteNotFound", "KeyStoreUnavailable"),
  security: { closeSession: bearer("The token that `POST /close/session` gave.") }
}) {}

/** The token that reads metrics (`METRICS_TOKEN`). */
export class MetricsAuth extends HttpApiMiddleware.Tag<MetricsAuth>()("closeout/api/MetricsAuth", {
  failure: failures("Unauthorized"),
  security: { metricsToken: bearer("The token for reading metrics.") }
}) {}

/** The names that the document gives the tokens of routes. */
export type SecurityScheme = keyof (
  & typeof ApiKeyAuth.security
  & typeof AdminAuth.security
  & typeof SessionAuth.security
  & typeof CloseSessionAuth.security
  & typeof MetricsAuth.security
)
