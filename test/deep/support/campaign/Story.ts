import { FastCheck as fc } from "effect"

const oneOf = <const A>(...all: ReadonlyArray<A>): fc.Arbitrary<A> => fc.constantFrom(...all)

const rarely = <A>(one: fc.Arbitrary<A>, weight: number): fc.Arbitrary<A | null> =>
  fc.oneof({ weight: 10 - weight, arbitrary: fc.constant(null) }, { weight, arbitrary: one })

/** Whole units. */
const units = fc.integer({ min: 20, max: 500 })

/** A stranger's action before the owner requests a transaction. */
const aGift = oneOf(
  "nothing",
  "a unit of the owner's shares",
  "a unit of the owner's shares",
  "shares of a new pair",
  "a new token",
  "a claimable balance"
)
export type Gift = typeof aGift extends fc.Arbitrary<infer A> ? A : never

/** The subject of an endpoint's lies. */
const aLie = oneOf("entries", "getters", "events", "history", "lastModified", "simulations")
export type LieKind = typeof aLie extends fc.Arbitrary<infer A> ? A : never

/** Every draw for one close: the owner's things, the strangers' actions, the lying endpoint, and the failures. */
export const aStory = fc.record({
  own: fc.record({
    /** Whole USDC in the pair of lumens and USDC of amm_2, with ten times as many lumens. */
    pair: rarely(units, 7),
    /** Whole USDC in a pool of amm_1 that pays rewards, which accrue for this many seconds. */
    rewarded: rarely(fc.record({ amount: units, seconds: oneOf(7_200, 260_000) }), 2),
    /** Of a token whose balances only its own functions report. */
    book: rarely(units, 3),
    /** Of a token that a pair of amm_2 buys for lumens. */
    traded: rarely(units, 2)
  }),
  /** The strangers' gifts before the first plan. */
  given: fc.record({
    /** Base units of the owner's kind of shares. */
    speck: oneOf(0, 0, 5),
    /** Pairs whose shares have no known buyer: more than twenty get one grouped question. */
    pairs: oneOf(0, 0, 0, 1, 22),
    token: fc.boolean()
  }),
  /** A stranger with a token of the same code as the owner's plans a close first, and that token's entry has the balance. */
  taught: oneOf(false, false, true),
  /** A stranger opens pools of a token that sell the owner's token dearly in simulations, and closes them before every sale. */
  trap: oneOf(false, true),
  /** Whether the owner leaves later gifts behind. */
  later: oneOf(false, false, false, true, true),
  /** Before each request for a transaction. */
  meanwhile: fc.array(aGift, { minLength: 6, maxLength: 6 }),
  /** How often in a row the price makes an exit fail, and the change in tenths of a per cent. */
  spoiled: fc.record({ times: oneOf(0, 1, 2, 3), permille: fc.integer({ min: 8, max: 30 }) }),
  liar: rarely(
    fc.record({
      place: oneOf(0, 1),
      about: fc.uniqueArray(aLie, { minLength: 1, maxLength: 2 }),
      during: oneOf("the plan", "the builds", "everything", "one answer of each kind")
    }),
    5
  )
})

export type Story = typeof aStory extends fc.Arbitrary<infer A> ? A : never

/** The story of a seed: the same in every run. */
export const storyOf = (seed: number): Story => {
  const [story] = fc.sample(aStory, { seed, numRuns: 1 })
  if (story === undefined) throw new Error("nothing was drawn")
  return story
}
