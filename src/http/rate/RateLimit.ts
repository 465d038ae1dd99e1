import { Config } from "effect"
import type { RateLimitSetting } from "../../domain/ApiKeyRecord.ts"
import { wholeNumberSetting } from "../../domain/WholeNumberSetting.ts"
import type { Identity } from "../request/Caller.ts"

/**
 * What a request is counted against: the window of a live key, which its successors share, or the address of a client without one. What may
 * be done a few times a day has buckets of its own, so that no crowd of addresses crowds them out.
 */
export interface Bucket {
  readonly kind: "key" | "address" | "day"
  readonly id: string
}

/** What every request is counted against. */
interface RequestBucket extends Bucket {
  readonly kind: "key" | "address"
}

/** The state of a bucket's window after a request was counted. */
export interface Tally {
  readonly allowed: boolean
  readonly limit: number
  readonly remaining: number
  /** Whole seconds until the window ends, at least 1. */
  readonly resetSeconds: number
}

/** A window as it was counted: whether the request was let in, how many were by now, and milliseconds to its end. */
export interface Counted {
  readonly allowed: boolean
  readonly count: number
  readonly leftMillis: number
}

/** What callers learn of a window. */
export const tallyOf = ({ allowed, count, leftMillis }: Counted, { limit }: RateLimitSetting): Tally => ({
  allowed,
  limit,
  remaining: Math.max(0, limit - count),
  resetSeconds: Math.max(1, Math.ceil(leftMillis / 1000))
})

/** `RATE_LIMIT`: requests in a window. */
export const limitSetting = wholeNumberSetting("RATE_LIMIT", { least: 1, most: 1_000_000, usual: 120 })

/** `RATE_WINDOW_SECONDS`. */
export const windowSetting = wholeNumberSetting("RATE_WINDOW_SECONDS", { least: 1, most: 86_400, usual: 60 })

/** The rate of a key without its own, and of a client without a key: `RATE_LIMIT` requests in `RATE_WINDOW_SECONDS`. */
export const rateLimitSetting: Config.Config<RateLimitSetting> = Config.all({
  limit: limitSetting,
  windowSeconds: windowSetting
})

/** How much more often than without a key an address may send a key that cannot be checked now. */
const uncheckedShare = 10

/**
 * What a request counts against, and at what rate. A bearer that is no live key counts against the address. One that cannot be checked
 * counts against a bucket of its own, since it may be a live key.
 */
export const bucketOf = (
  identity: Identity,
  address: string,
  general: RateLimitSetting
): { readonly bucket: RequestBucket; readonly setting: RateLimitSetting } => {
  switch (identity._tag) {
    case "None":
      return { bucket: { kind: "address", id: address }, setting: general }
    case "Some":
      return { bucket: { kind: "key", id: identity.value.rateWindow }, setting: identity.value.rateLimit ?? general }
    case "KeyStoreUnavailable":
      return { bucket: { kind: "address", id: `unchecked ${address}` }, setting: { ...general, limit: general.limit * uncheckedShare } }
  }
}

/** The headers that tell a caller where it stands. */
export const rateLimitHeaders = ({ limit, remaining, resetSeconds }: Tally) => ({
  "ratelimit-limit": String(limit),
  "ratelimit-remaining": String(remaining),
  "ratelimit-reset": String(resetSeconds)
})
