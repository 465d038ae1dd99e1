import { failures } from "./ErrorTable.ts"

/** What every route may answer. */
export const everyRouteFailures = failures(
  "BadRequest",
  "SecretKeyRefused",
  "RateLimited",
  "InternalError",
  "ServiceBusy",
  "DeadlineExceeded"
)

/** What every route below a network may answer. */
export const networkFailures = failures("InvalidNetwork", "NetworkUnavailable", "UpstreamRateLimited", "UpstreamUnusable")

/** What every route that takes a body may answer. */
export const bodyFailures = failures("InvalidBody", "PayloadTooLarge", "UnsupportedMediaType")
