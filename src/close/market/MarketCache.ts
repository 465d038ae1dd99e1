/** A response of the ledger API, the newest ledger the API had seen then, and when it came (milliseconds of the clock). */
export interface CachedResponse<A> {
  readonly value: A
  readonly ledger: number
  readonly at: number
}

/** Responses by name, shared between requests. A FIFO cache bounded by weight: the oldest goes first once all of it weighs too much. */
export interface MarketCache<A> {
  readonly find: (name: string) => CachedResponse<A> | undefined
  readonly put: (name: string, response: CachedResponse<A>) => void
}

/** An empty cache that holds at most so much by this weight. */
export const makeMarketCache = <A>(mostWeight: number, weightOf: (value: A) => number): MarketCache<A> => {
  const all = new Map<string, CachedResponse<A>>()
  let weight = 0
  const drop = (name: string): void => {
    const known = all.get(name)
    if (known !== undefined && all.delete(name)) weight -= weightOf(known.value)
  }
  return {
    find: (name) => all.get(name),
    put: (name, response) => {
      drop(name)
      all.set(name, response)
      weight += weightOf(response.value)
      for (const oldest of all.keys()) {
        if (weight <= mostWeight || oldest === name) return
        drop(oldest)
      }
    }
  }
}
