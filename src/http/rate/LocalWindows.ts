import type { RateLimitSetting } from "../../domain/ApiKeyRecord.ts"
import { type Bucket, type Tally, tallyOf } from "./RateLimit.ts"

interface Window {
  /** Milliseconds of a clock that never jumps. */
  end: number
  count: number
}

/** Most windows held for each kind of bucket. */
export const maxWindows = 50_000

/** How many are dropped at a time: a map whose first entries were deleted one by one is slow to begin with. */
const dropped = 1_000

/**
 * The windows of one kind of bucket, the oldest first, those in which nothing was refused apart from the others. Full, it drops expired
 * windows, then the oldest in which nothing was refused, and then the oldest of the others: memory stays bounded however many addresses are
 * made up, and a client that was refused is not let in again by crowding.
 */
class Windows {
  readonly #calm = new Map<string, Window>()
  readonly #refused = new Map<string, Window>()

  get size(): number {
    return this.#calm.size + this.#refused.size
  }

  live(id: string, now: number): Window | null {
    const found = this.#calm.get(id) ?? this.#refused.get(id)
    return found !== undefined && now < found.end ? found : null
  }

  open(id: string, window: Window, now: number): Window {
    this.#calm.delete(id)
    this.#refused.delete(id)
    if (this.size >= maxWindows) this.#makeRoom(now)
    this.#calm.set(id, window)
    return window
  }

  refuse(id: string): void {
    const window = this.#calm.get(id)
    if (window === undefined) return
    this.#calm.delete(id)
    this.#refused.set(id, window)
  }

  #makeRoom(now: number): void {
    for (const held of [this.#refused, this.#calm]) {
      for (const [id, window] of held) {
        if (now >= window.end) held.delete(id)
      }
    }
    for (const held of [this.#calm, this.#refused]) {
      for (const id of held.keys()) {
        if (this.size <= maxWindows - dropped) return
        held.delete(id)
      }
    }
  }
}

/** Fixed windows in this process's memory. Times are milliseconds of a clock that never jumps. */
export class LocalWindows {
  readonly #windows = { key: new Windows(), address: new Windows(), day: new Windows() }

  /** Windows held now, of all kinds together. */
  get size(): number {
    return Object.values(this.#windows).reduce((sum, { size }) => sum + size, 0)
  }

  /** Counts one request. A window starts with its first request; a refused request does not prolong it. */
  count(bucket: Bucket, setting: RateLimitSetting, now: number): Tally {
    const windows = this.#windows[bucket.kind]
    const length = setting.windowSeconds * 1000
    const window = windows.live(bucket.id, now) ?? windows.open(bucket.id, { end: now + length, count: 0 }, now)
    const allowed = window.count < setting.limit
    if (allowed) window.count++
    else windows.refuse(bucket.id)
    return tallyOf({ allowed, count: window.count, leftMillis: window.end - now }, setting)
  }

  /** What is known of a bucket's window; null where there is none. */
  seen(bucket: Bucket, now: number): { readonly count: number; readonly leftMillis: number } | null {
    const window = this.#windows[bucket.kind].live(bucket.id, now)
    return window === null ? null : { count: window.count, leftMillis: window.end - now }
  }

  /** Takes over what a shared store says of a bucket, so that its counting continues from there when the store is away. */
  adopt(bucket: Bucket, shared: { readonly allowed: boolean; readonly count: number; readonly leftMillis: number }, now: number): void {
    const windows = this.#windows[bucket.kind]
    const window = windows.live(bucket.id, now) ?? windows.open(bucket.id, { end: now, count: 0 }, now)
    window.count = shared.count
    window.end = now + shared.leftMillis
    if (!shared.allowed) windows.refuse(bucket.id)
  }
}
