/**
 * Hierarchical fair queueing (round robin). Each request has a path; paths with the same beginning share one turn, at every level, so that a
 * caller with many requests is served once for each of the others.
 */
export class FairQueue<A> {
  readonly #own: Array<A> = []
  /** Queues below by the next part of the path, the next to be served first. */
  readonly #branches = new Map<string, FairQueue<A>>()
  #size = 0

  get size(): number {
    return this.#size
  }

  push([first, ...rest]: ReadonlyArray<string>, one: A): void {
    this.#size++
    if (first === undefined) {
      this.#own.push(one)
      return
    }
    const branch = this.#branches.get(first) ?? new FairQueue<A>()
    this.#branches.set(first, branch)
    branch.push(rest, one)
  }

  /** How many are served before a request that would come now. */
  ahead([first, ...rest]: ReadonlyArray<string>): number {
    if (first === undefined) return this.#own.length
    const before = this.#branches.get(first)?.ahead(rest) ?? 0
    const others = [...this.#branches].filter(([name]) => name !== first)
    return others.reduce((sum, [, branch]) => sum + Math.min(branch.size, before + 1), before + this.#own.length)
  }

  /** Takes the next. */
  shift(): A | undefined {
    if (this.#size === 0) return undefined
    this.#size--
    if (this.#own.length > 0) return this.#own.shift()
    for (const [name, branch] of this.#branches) {
      this.#branches.delete(name)
      const next = branch.shift()
      if (branch.size > 0) this.#branches.set(name, branch)
      return next
    }
    return undefined
  }

  /** Removes one that no longer waits. */
  remove([first, ...rest]: ReadonlyArray<string>, one: A): boolean {
    const removed = first === undefined ? this.#removeOwn(one) : this.#removeBelow(first, rest, one)
    if (removed) this.#size--
    return removed
  }

  #removeOwn(one: A): boolean {
    const at = this.#own.indexOf(one)
    if (at >= 0) this.#own.splice(at, 1)
    return at >= 0
  }

  #removeBelow(first: string, rest: ReadonlyArray<string>, one: A): boolean {
    const branch = this.#branches.get(first)
    const removed = branch?.remove(rest, one) ?? false
    if (branch?.size === 0) this.#branches.delete(first)
    return removed
  }
}
