import type { RateLimitSetting } from "../../domain/ApiKeyRecord.ts"

/** What a request is counted against: the window of a live key, which its successors share, or the address of a client without one. */
export interface Bucket {
  readonly kind: "key" | "address"
  readonly id: string
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

/** What callers are told of a window. */
export const tallyOf = ({ allowed, count, leftMillis }: Counted, { limit }: RateLimitSetting): Tally => ({
  allowed,
  limit,
  remaining: Math.max(0, limit - count),
  resetSeconds: Math.max(1, Math.ceil(leftMillis / 1000))
})
