import { FastCheck as fc } from "effect"
import { somePools } from "./PoolsShape.ts"
import { someTokens } from "./TokensShape.ts"

const rarely = <const A>(often: A, ...others: ReadonlyArray<A>): fc.Arbitrary<A> =>
  fc.oneof({ weight: 8, arbitrary: fc.constant(often) }, { weight: 2, arbitrary: fc.constantFrom(...others) })

const oneOf = <const A>(...all: ReadonlyArray<A>): fc.Arbitrary<A> => fc.constantFrom(...all)

/** Whole units, small ones among them. */
const units = fc.oneof({ weight: 1, arbitrary: fc.integer({ min: 1, max: 9 }) }, {
  weight: 3,
  arbitrary: fc.integer({ min: 10, max: 900 })
})

const percent = fc.integer({ min: 1, max: 99 })

/** An asset that the pool lends. */
const aReserve = oneOf("native", "usdc", "eurc")
export type Reserve = typeof aReserve extends fc.Arbitrary<infer A> ? A : never

/** An entry that the ledger has archived. */
const anEntry = oneOf("positions", "rewards", "backstop deposit", "comet shares", "vault", "vault index", "reserve", "pool", "vaults")

/** Every draw for an account with positions. Whole units and per cent; days where a name says so. */
export const aShape = fc.record({
  lending: rarely(true, false),
  vaulting: fc.boolean(),
  supplies: fc.array(fc.record({ asset: aReserve, amount: units, backs: fc.boolean() }), { maxLength: 3 }),
  /** Percentage of the collateral's borrowing limit. */
  debts: fc.uniqueArray(fc.record({ asset: aReserve, part: fc.integer({ min: 1, max: 45 }) }), {
    maxLength: 2,
    selector: ({ asset }) => asset
  }),
  emissions: oneOf(null, 1, 3, 9),
  backstop: fc.option(
    fc.record({ shares: units, queued: fc.array(fc.record({ part: percent, days: oneOf(0, 2, 20) }), { maxLength: 3 }) }),
    { nil: null, freq: 2 }
  ),
  comet: fc.option(units, { nil: null, freq: 1 }),
  vaults: fc.uniqueArray(fc.record({ denomination: oneOf("USD", "EUR"), place: oneOf("lowest", "middle", "highest") }), {
    maxLength: 2,
    selector: ({ denomination }) => denomination
  }),
  /** Days that pass after the setup. */
  days: oneOf(0, 0, 1, 40),
  /** The wallet's part of each debt; lumens follow `lumens`. */
  atHand: fc.record({
    usdc: oneOf("plenty", "plenty", "enough", "exactly", "some", "none", "no line"),
    eurc: oneOf("plenty", "enough", "exactly", "some", "none", "no line")
  }),
  /** Of BLND. */
  blnd: oneOf("no line", "no line", "a line", "some"),
  other: oneOf("none", "some", "unsold"),
  offers: fc.array(fc.record({ selling: oneOf("native", "usdc", "eurc"), part: percent }), { maxLength: 2 }),
  data: fc.nat(2),
  keys: rarely("one", "two of three"),
  lumens: oneOf("plenty", "plenty", "some", "few", "least"),
  /** Stroops of each scarce hundred thousand. */
  scarce: fc.nat(100_000),
  bump: rarely(false, true),
  archived: fc.option(fc.uniqueArray(anEntry, { minLength: 1, maxLength: 3 }), { nil: null, freq: 4 }),
  wishes: fc.array(fc.nat(99), { minLength: 12, maxLength: 12 }),
  pools: somePools,
  tokens: someTokens
})

export type PositionsShape = typeof aShape extends fc.Arbitrary<infer A> ? A : never
export type Archivable = typeof anEntry extends fc.Arbitrary<infer A> ? A : never

/** The account of a seed: the same in every run. */
export const shapeOf = (seed: number): PositionsShape => {
  const [shape] = fc.sample(aShape, { seed, numRuns: 1 })
  if (shape === undefined) throw new Error("nothing was drawn")
  return shape
}
