import { Clock, Context, Effect, Layer } from "effect"
import type { RateLimitSetting } from "../../domain/ApiKeyRecord.ts"

/** What a request is counted against: a live key, or the address of a client without one. */
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

interface Window {
  readonly end: number
  count: number
}

/** Most windows held for each kind of bucket. */
export const maxWindows = 50_000

/**
 * The windows of one kind of bucket, the oldest first. Full, it drops expired windows, and then the oldest: memory stays
 * bounded whatever addresses are made up, and keys are never crowded out by addresses.
 */
class Windows {
  readonly held = new Map<string, Window>()

  at(id: string, now: number, windowMillis: number): Window {
    const current = this.held.get(id)
    if (current !== undefined && now < current.end) return current
    this.held.delete(id)
    if (this.held.size >= maxWindows) this.makeRoom(now)
    const opened: Window = { end: now + windowMillis, count: 0 }
    this.held.set(id, opened)
    return opened
  }

  makeRoom(now: number): void {
    for (const [id, window] of this.held) {
      if (now < window.end && this.held.size < maxWindows) return
      this.held.delete(id)
    }
  }
}

/** Counts requests in fixed windows. A window starts with its first request; a refused request does not prolong it. */
export class RateLimitStore extends Context.Tag("closeout/http/RateLimitStore")<RateLimitStore, {
  /** Counts one request. A store on another machine decides itself what holds while that machine is away. */
  readonly count: (bucket: Bucket, setting: RateLimitSetting) => Effect.Effect<Tally>
  /** Windows held now, of both kinds together. */
  readonly size: Effect.Effect<number>
}>() {
  /** Windows in this process's memory, bounded. */
  static readonly layerMemory: Layer.Layer<RateLimitStore> = Layer.sync(RateLimitStore, () => {
    const windows = { key: new Windows(), address: new Windows() }
    return RateLimitStore.of({
      count: (bucket, { limit, windowSeconds }) =>
        Effect.map(Clock.currentTimeMillis, (now) => {
          const window = windows[bucket.kind].at(bucket.id, now, windowSeconds * 1000)
          const allowed = window.count < limit
          if (allowed) window.count++
          return {
            allowed,
            limit,
            remaining: Math.max(0, limit - window.count),
            resetSeconds: Math.max(1, Math.ceil((window.end - now) / 1000))
          }
        }),
      size: Effect.sync(() => windows.key.held.size + windows.address.held.size)
    })
  })
}
