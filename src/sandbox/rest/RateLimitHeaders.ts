/** Requests an hour that the ledger API grants by its headers. */
export const RATE_LIMIT = 3600

/** What every answer says of the caller's share: it is never used up here, unless a fault says so. */
export const rateLimitHeaders = {
  "x-ratelimit-limit": RATE_LIMIT.toString(),
  "x-ratelimit-remaining": RATE_LIMIT.toString(),
  "x-ratelimit-reset": "3600"
}
