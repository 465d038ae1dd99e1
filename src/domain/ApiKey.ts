import { Schema } from "effect"

/** The rate a key may be used at. */
export const RateLimitSetting = Schema.Struct({
  limit: Schema.Int.pipe(Schema.between(1, 1_000_000)).annotations({ description: "Requests a window." }),
  windowSeconds: Schema.Int.pipe(Schema.between(1, 86_400)).annotations({ description: "Length of the window in seconds." })
}).annotations({ identifier: "RateLimitSetting" })
export type RateLimitSetting = typeof RateLimitSetting.Type

/** What is kept of an API key. The key itself is shown once; only its SHA-256 is stored. */
export const ApiKeyRecord = Schema.Struct({
  id: Schema.String,
  owner: Schema.String,
  createdAt: Schema.String.annotations({ description: "ISO 8601." }),
  revokedAt: Schema.NullOr(Schema.String),
  rotatedFrom: Schema.NullOr(Schema.String),
  lastUsedAt: Schema.NullOr(Schema.String),
  rateLimit: Schema.NullOr(RateLimitSetting)
}).annotations({ identifier: "ApiKeyRecord", description: "An API key without the key." })
export type ApiKeyRecord = typeof ApiKeyRecord.Type
