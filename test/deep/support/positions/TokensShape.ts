import { FastCheck as fc } from "effect"

const oneOf = <const A>(...all: ReadonlyArray<A>): fc.Arbitrary<A> => fc.constantFrom(...all)

/** Base units: specks, usual holdings, and more than any asset of the ledger can have. */
const units = fc.oneof(
  { weight: 1, arbitrary: fc.bigInt({ min: 1n, max: 99n }) },
  { weight: 4, arbitrary: fc.bigInt({ min: 100_000n, max: 5_000_000_000n }) },
  { weight: 1, arbitrary: fc.bigInt({ min: 10n ** 18n, max: 10n ** 32n }) }
)

/** The behaviour of a turned token; most are honest. */
const aTurn = fc.oneof(
  { weight: 14, arbitrary: fc.constant("honest" as const) },
  {
    weight: 10,
    arbitrary: oneOf(
      "traps",
      "keeps a fee",
      "moves nothing",
      "takes less",
      "hands over another",
      "approves for another",
      "never tells",
      "tells of more",
      "tells of none",
      "tells anew",
      "shouts",
      "keeps allowances",
      "pretends"
    )
  },
  { weight: 1, arbitrary: fc.constant("never ends" as const) }
)
export type Turn = typeof aTurn extends fc.Arbitrary<infer A> ? A : never

const aToken = fc.record({
  family: oneOf("example", "example", "open_zeppelin", "book"),
  amount: units,
  /** Minted, or sent by an earlier holder. */
  came: oneOf("sent", "minted"),
  /** Whether a pair of it and lumens is made where there are pairs. */
  traded: fc.boolean(),
  turn: aTurn,
  /** The entry of it that is archived in the end. */
  archived: oneOf("nothing", "nothing", "nothing", "nothing", "balance", "instance"),
  wishes: fc.array(fc.nat(99), { minLength: 4, maxLength: 4 })
})

const anAllowance = fc.record({
  /** Index of the token; higher ones mean the contracts of assets. */
  of: fc.nat(5),
  spender: oneOf("account", "contract"),
  amount: fc.bigInt({ min: 1n, max: 10n ** 12n }),
  /** Whether it has expired when the account is closed. */
  over: oneOf(false, false, false, true),
  wish: fc.nat(99)
})

/** The draw of an account's contract tokens, and of the allowances. */
export const someTokens = fc.record({
  held: fc.array(aToken, { maxLength: 4 }),
  allowances: fc.array(anAllowance, { maxLength: 3 }),
  /** Whether possible gifts of strangers are left behind together. */
  together: oneOf(false, false, false, true)
})

export type TokensShape = typeof someTokens extends fc.Arbitrary<infer A> ? A : never
