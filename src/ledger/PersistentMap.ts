/**
 * An immutable map whose versions share storage: a change copies only what was changed since the last
 * consolidation, so a small change to a large map costs about the square root of its size.
 */
export class PersistentMap<Value extends {}> {
  static empty<Value extends {}>(): PersistentMap<Value> {
    return new PersistentMap<Value>(new Map(), new Map(), 0)
  }

  readonly size: number
  private readonly base: ReadonlyMap<string, Value>
  /** Null marks a key that is in the base and was removed since. */
  private readonly recent: ReadonlyMap<string, Value | null>

  private constructor(base: ReadonlyMap<string, Value>, recent: ReadonlyMap<string, Value | null>, size: number) {
    this.base = base
    this.recent = recent
    this.size = size
  }

  get(key: string): Value | undefined {
    const recent = this.recent.get(key)
    return recent === undefined ? this.base.get(key) : (recent ?? undefined)
  }

  *values(): IterableIterator<Value> {
    for (const [key, value] of this.base) if (!this.recent.has(key)) yield value
    for (const value of this.recent.values()) if (value !== null) yield value
  }

  /** A map with the changes applied in order; undefined removes a key. */
  with(changes: Iterable<readonly [string, Value | undefined]>): PersistentMap<Value> {
    const recent = new Map(this.recent)
    let size = this.size
    for (const [key, value] of changes) {
      const known = recent.get(key)
      const present = known === undefined ? this.base.has(key) : known !== null
      size += Number(value !== undefined) - Number(present)
      if (value !== undefined) recent.set(key, value)
      else if (this.base.has(key)) recent.set(key, null)
      else recent.delete(key)
    }
    return recent.size > 32 + 2 * Math.sqrt(this.base.size)
      ? new PersistentMap(merged(this.base, recent), new Map(), size)
      : new PersistentMap(this.base, recent, size)
  }
}

const merged = <Value>(base: ReadonlyMap<string, Value>, recent: ReadonlyMap<string, Value | null>): Map<string, Value> => {
  const all = new Map(base)
  for (const [key, value] of recent) {
    if (value === null) all.delete(key)
    else all.set(key, value)
  }
  return all
}
