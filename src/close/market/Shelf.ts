/** Something that was told, the newest ledger its teller had seen, and when it was told (milliseconds of the clock). */
export interface Kept<A> {
  readonly value: A
  readonly ledger: number
  readonly at: number
}

/** What is kept between requests, by name. Bounded: the oldest goes first once all of it weighs too much. */
export interface Shelf<A> {
  readonly find: (name: string) => Kept<A> | undefined
  readonly put: (name: string, kept: Kept<A>) => void
}

export const makeShelf = <A>(mostWeight: number, weightOf: (value: A) => number): Shelf<A> => {
  const all = new Map<string, Kept<A>>()
  let weight = 0
  const drop = (name: string): void => {
    const known = all.get(name)
    if (known !== undefined && all.delete(name)) weight -= weightOf(known.value)
  }
  return {
    find: (name) => all.get(name),
    put: (name, kept) => {
      drop(name)
      all.set(name, kept)
      weight += weightOf(kept.value)
      for (const oldest of all.keys()) {
        if (weight <= mostWeight || oldest === name) return
        drop(oldest)
      }
    }
  }
}
