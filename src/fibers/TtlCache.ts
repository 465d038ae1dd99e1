import { Duration } from "effect"

/** Bounds of a cache. */
export interface TtlCacheOptions<A> {
  /** How long a value is used. Left out: until it is the oldest of too many. */
  readonly timeToLive?: Duration.Duration
  /** How many values are kept at most. Left out: any number. */
  readonly most?: number
  /** How much all values may weigh together, and how much one does. Left out: a value weighs nothing. */
  readonly mostWeight?: number
  readonly weightOf?: (value: A) => number
}

/** A cache whose values expire. Moments are milliseconds of `steadyNow`. */
export interface TtlCache<Key, A> {
  /** The value under a key at a moment; undefined where there is none, or it has expired. */
  readonly get: (key: Key, now: number) => A | undefined
  /** Keeps a value as the newest. `since`: when it began to age; left out: now. */
  readonly set: (key: Key, value: A, now: number, since?: number) => void
  readonly delete: (key: Key) => void
  readonly deleteWhere: (matches: (value: A) => boolean) => void
}

interface Held<A> {
  readonly value: A
  readonly since: number
}

/** A sweep drops at least one part of so many of a full cache, and comes as often in a lifetime: a map without its first keys is slow to iterate. */
const parts = 20

const lessAPart = (bound: number): number => (Number.isFinite(bound) ? bound - Math.floor(bound / parts) : bound)

/** A cache bounded by age, count and weight: what has expired goes first, then what was kept longest ago. */
export const ttlCache = <Key, A>(
  { most = Number.POSITIVE_INFINITY, mostWeight = Number.POSITIVE_INFINITY, timeToLive, weightOf = () => 0 }: TtlCacheOptions<A>
): TtlCache<Key, A> => {
  const longest = timeToLive === undefined ? Number.POSITIVE_INFINITY : Duration.toMillis(timeToLive)
  // A map keeps the order in which keys came: the first is the oldest.
  const held = new Map<Key, Held<A>>()
  let weight = 0
  const sweepEvery = longest / parts
  let sweptAt = Number.NEGATIVE_INFINITY
  const isExpired = ({ since }: Held<A>, now: number): boolean => now - since >= longest
  const drop = (key: Key): void => {
    const one = held.get(key)
    if (one !== undefined && held.delete(key)) weight -= weightOf(one.value)
  }
  return {
    get: (key, now) => {
      const one = held.get(key)
      return one === undefined || isExpired(one, now) ? undefined : one.value
    },
    set: (key, value, now, since = now) => {
      drop(key)
      held.set(key, { value, since })
      weight += weightOf(value)
      const isFull = held.size > most || weight > mostWeight
      if (!isFull && now - sweptAt < sweepEvery) return
      sweptAt = now
      const [room, load] = isFull ? [lessAPart(most), lessAPart(mostWeight)] : [most, mostWeight]
      for (const [oldest, one] of held) {
        if (held.size <= room && weight <= load && !isExpired(one, now)) return
        drop(oldest)
      }
    },
    delete: drop,
    deleteWhere: (matches) => {
      for (const [key, { value }] of held) if (matches(value)) drop(key)
    }
  }
}
