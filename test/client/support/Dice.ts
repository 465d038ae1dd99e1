/** Random choices that a seed repeats. */
export interface Dice {
  /** A whole number of at least 0 and below `count`. */
  readonly below: (count: number) => number
  readonly pick: <A>(of: ReadonlyArray<A>) => A
  readonly chance: (part: number) => boolean
}

/** mulberry32 */
export const dice = (seed: number): Dice => {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6D2B79F5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
  const below = (count: number): number => Math.floor(next() * count)
  return {
    below,
    pick: (of) => {
      const one = of[below(of.length)]
      if (one === undefined) throw new Error("nothing to pick from")
      return one
    },
    chance: (part) => next() < part
  }
}
