import { Schema } from "effect"
import { Int } from "./Leaf.ts"

/** The rate a key may be used at. */
export const RateLimitSetting = Schema.Struct({
  limit: Int.pipe(Schema.between(1, 1_000_000)).annotations({ description: "Requests a window." }),
  windowSeconds: Int.pipe(Schema.between(1, 86_400)).annotations({ description: "Length of the window in seconds." })
}).annotations({ identifier: "RateLimitSetting", description: "The rate that a key may be used at." })
export type RateLimitSetting = typeof RateLimitSetting.Type

/** What is kept of an API key. The key itself is shown once; only its SHA-256 is stored. */
export const ApiKeyRecord = Schema.Struct({
  id: Schema.String.annotations({ description: "Names the key without being it." }),
  owner: Schema.String.annotations({ description: "Who it is for." }),
  label: Schema.NullOr(Schema.String).annotations({ description: "The name that its owner gave it, or null." }),
  last4: Schema.NullOr(Schema.String).annotations({
    description: "The last four characters of the key; null for keys made before this was stored."
  }),
  createdAt: Schema.String.annotations({ description: "When it was made, ISO 8601." }),
  expiresAt: Schema.NullOr(Schema.String).annotations({
    description:
      "ISO 8601: from then on the key is refused. Null: it does not expire. A key rotated with `graceSeconds` expires when they end."
  }),
  revokedAt: Schema.NullOr(Schema.String).annotations({ description: "ISO 8601; null while the key is live." }),
  rotatedFrom: Schema.NullOr(Schema.String).annotations({ description: "Id of the key it succeeds, or null." }),
  lastUsedAt: Schema.NullOr(Schema.String).annotations({ description: "ISO 8601, or null when it never was." }),
  rateLimit: Schema.NullOr(RateLimitSetting).annotations({ description: "Its own rate, or null for the general one." })
}).annotations({ identifier: "ApiKeyRecord", description: "An API key without the key." })
export type ApiKeyRecord = typeof ApiKeyRecord.Type

/** A key that opens the API. */
export interface LiveKey extends ApiKeyRecord {
  /** Names the rate limit's window of this key. Rotation hands it on, so that a successor starts with no fresh limit. */
  readonly rateWindow: string
}

/** Whether the key may be used at that time, in milliseconds since 1970. */
export const isLiveAt = ({ expiresAt, revokedAt }: Pick<ApiKeyRecord, "expiresAt" | "revokedAt">, now: number): boolean =>
  revokedAt === null && (expiresAt === null || now < Date.parse(expiresAt))
