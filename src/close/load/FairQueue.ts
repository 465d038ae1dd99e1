/**
 * Who waits, served in fair turns. Everybody has a path; those that begin alike share one turn among those that do not, at every length,
 * so that whoever comes with many is served once for each of the others.
 */
export class FairQueue<A> {
  readonly #own: Array<A> = []
  /** The others by the next part of their path, whoever is to be served next first. */
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

  /** How many are served before one that would come now. */
  ahead([first, ...rest]: ReadonlyArray<string>): number {
    if (first === undefined) return this.#own.length
    const before = this.#branches.get(first)?.ahead(rest) ?? 0
    const others = [...this.#branches].filter(([name]) => name !== first)
    return others.reduce((sum, [, branch]) => sum + Math.min(branch.size, before + 1), before + this.#own.length)
  }

  /** Takes whoever is next. */
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

  /** Takes one that does not wait any longer. */
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
