/** Requests an hour that the ledger API grants by its headers. */
export const rateLimit = 3600

/** What every answer says of the caller's share: it is never used up here, unless a fault says so. */
export const rateLimitHeaders = {
  "x-ratelimit-limit": rateLimit.toString(),
  "x-ratelimit-remaining": rateLimit.toString(),
  "x-ratelimit-reset": "3600"
}
