import { FastCheck as fc } from "effect"

const oneOf = <const A>(...all: ReadonlyArray<A>): fc.Arbitrary<A> => fc.constantFrom(...all)

/** Whole units, few enough for the markets to take them. */
const units = fc.oneof(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 10, max: 300 }))

const perhaps = <A>(one: fc.Arbitrary<A>): fc.Arbitrary<A | null> => fc.option(one, { nil: null, freq: 1 })

/** Base units: mostly zero, or too few for a pool to pay anything. */
const speck = fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.integer({ min: 1, max: 60 }) })

/** The state of the trustlines of traded assets. */
const lines = oneOf("kept", "kept", "empty", "gone")

/** Seconds in which rewards accrue. */
const seconds = oneOf(0, 600, 7_200, 260_000)

/** The draw of an account's shares, ranges and stakes in pools; null: it never used the protocol. */
export const somePools = fc.record({
  amm1: perhaps(fc.record({
    constantProduct: perhaps(units),
    stable: perhaps(units),
    ranges: fc.uniqueArray(fc.record({ at: oneOf("around", "aside", "full"), amount: units }), { maxLength: 2, selector: ({ at }) => at }),
    /** Whole lumens that traders leave in the concentrated pool. */
    fees: oneOf(0, 0, 5, 50),
    /** Shares of the constant-product pool from a stranger. */
    speck,
    claims: oneOf("on", "on", "on", "off for shares", "off for ranges"),
    lines,
    seconds
  })),
  amm2: perhaps(fc.record({
    lumensUsdc: perhaps(units),
    usdcEurc: perhaps(units),
    /** Whether the factory takes a share of the fees. */
    fees: fc.boolean(),
    /** Whole USDC that a stranger trades in the pair of lumens. */
    traded: oneOf(0, 200, 2_000),
    /** Whole EURC that a stranger donates to its pair. */
    donated: oneOf(0, 0, 70),
    /** Shares of the pair of lumens from a stranger. */
    speck,
    /** Pairs of unlisted tokens of which a stranger gives one worthless share. */
    dust: oneOf(0, 0, 1, 3),
    lines
  })),
  amm3: perhaps(fc.record({
    /** Pools in which scenarios give shares and stakes, some of them old. */
    given: fc.uniqueArray(oneOf("five", "six", "stable"), { maxLength: 2 }),
    /** Further shares for the account, whole ones and base units, and the percentage that it bonds. */
    more: fc.uniqueArray(fc.record({ pool: oneOf("five", "six", "stable"), amount: units, speck, bonded: oneOf(0, 0, 40, 100) }), {
      maxLength: 2,
      selector: ({ pool }) => pool
    }),
    lines,
    seconds
  })),
  /** The archived entries. */
  archived: fc.option(
    fc.uniqueArray(oneOf("shares", "share tokens", "pools", "ranges", "stakes", "rewards", "pair", "router", "factories"), {
      minLength: 1,
      maxLength: 3
    }),
    { nil: null, freq: 1 }
  )
})

export type PoolsShape = typeof somePools extends fc.Arbitrary<infer A> ? A : never
export type PoolEntries = NonNullable<PoolsShape["archived"]>[number]
