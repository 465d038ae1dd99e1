import { assert, describe, it } from "@effect/vitest"
import { type Amounts, factoryShares, type PairBooks, wholeRoot, withdrawalOf } from "../../../src/protocols/amm2/Withdrawal.ts"
import { amount, recorded } from "../support/Recorded.ts"

/** Repeatable numbers. */
const numbers = (seed: bigint) => {
  let state = seed
  return (most: bigint): bigint => {
    let value = 0n
    for (let bits = 0n; bits < 160n; bits += 48n) {
      state = (state * 25_214_903_917n + 11n) & ((1n << 48n) - 1n)
      value = (value << 48n) | state
    }
    return value % most
  }
}

describe("the whole root", () => {
  it("is the largest number whose square is no more", () => {
    const next = numbers(1n)
    const around = (value: bigint) => [value - 1n, value, value + 1n]
    const squares = Array.from({ length: 200 }, (_, at) => next(1n << BigInt(1 + (at % 63))) + 1n).flatMap((root) => around(root * root))
    const others = Array.from({ length: 200 }, (_, at) => next(1n << BigInt(1 + (at % 127))))
    for (const value of [0n, 1n, 2n, 3n, 4n, (1n << 127n) - 1n, ...squares, ...others]) {
      const root = wholeRoot(value)
      assert.isTrue(root * root <= value && (root + 1n) * (root + 1n) > value, `${value}`)
    }
  })
})

/** The books of a pair from its getters in a recorded state. */
const booksIn = (recording: ReturnType<typeof recorded>, state: string, pair: string): PairBooks => {
  const fact = (name: string) => recording.fact(state, `${pair}.${name}`)
  const reserves = fact("reserves")
  if (!Array.isArray(reserves)) throw new Error("no reserves")
  return {
    balances: [amount(fact("tokenBalance0")), amount(fact("tokenBalance1"))],
    reserves: [amount(reserves[0]), amount(reserves[1])],
    supply: amount(fact("totalSupply")),
    own: 1_000n,
    lastProduct: amount(fact("kLast") ?? 0),
    takesFees: recording.fact(state, "factory.feesEnabled") === true
  }
}

describe.each(["amm_2", "amm_2_more"])("%s: what ending shares pays", (file) => {
  const recording = recorded(file)

  it("is what dry runs paid in every recorded state", () => {
    let compared = 0
    for (const [state, { expected }] of Object.entries(recording.states)) {
      for (const [name, { error, value }] of Object.entries(expected)) {
        const [pair = ""] = name.split(".")
        if (!name.endsWith(".fullWithdrawal")) continue
        const books = booksIn(recording, state, pair)
        const paid = withdrawalOf(books, amount(recording.fact(state, `${pair}.userShares`)))
        if (error === "Error(Contract, #13)") continue
        if (error !== undefined) {
          assert.strictEqual(error, "Error(Contract, #117)")
          assert.isTrue(paid?.includes(0n), name)
        } else {
          // Dry runs name both tokens in either order.
          assert(Array.isArray(value) && paid !== null)
          assert.sameOrderedMembers(value.map(amount).toSorted(), [...paid].toSorted(), `${state}: ${name}`)
        }
        compared++
      }
    }
    assert.isAbove(compared, 3)
  })
})

const books: PairBooks = {
  balances: [1_000_003n, 2_000_029n],
  reserves: [1_000_003n, 2_000_029n],
  supply: 1_414_225n,
  own: 1_000n,
  lastProduct: 0n,
  takesFees: false
}

const paid = (but: Partial<PairBooks>, shares: bigint): Amounts | null => withdrawalOf({ ...books, ...but }, shares)

describe("what ending shares pays", () => {
  it("is each side's own part, rounded down", () => {
    // 1_000_003 * 777 / 1_414_225 = 549.42..., 2_000_029 * 777 / 1_414_225 = 1098.85...
    assert.deepStrictEqual(paid({}, 777n), [549n, 1_098n])
  })

  it("has gifts of tokens and of shares in it", () => {
    assert.deepStrictEqual(paid({ balances: [1_000_003n + 1_000_000n, 2_000_029n] }, 777n), [1_098n, 1_098n])
    assert.deepStrictEqual(paid({ own: 1_000n + 223n }, 777n), [707n, 1_414n])
  })

  it("is nothing on one side where the part is less than one unit", () => {
    assert.deepStrictEqual(paid({}, 1n), [0n, 1n])
    assert.deepStrictEqual(paid({ balances: [0n, 2_000_029n] }, 777n), [0n, 1_098n])
  })

  it("is less for what the factory is due, which is reckoned from reserves and whole roots", () => {
    // Roots 1_414_225 (of 2_000_035_000_087) and 1_414_213: 1_414_225 * 12 / (5 * 1_414_225 + 1_414_213) = 2.0...; one more, 1.8...
    assert.strictEqual(factoryShares({ ...books, takesFees: true, lastProduct: 1_414_214n * 1_414_214n - 1n }), 2n)
    assert.strictEqual(factoryShares({ ...books, takesFees: true, lastProduct: 1_414_214n * 1_414_214n }), 1n)
    assert.strictEqual(factoryShares({ ...books, takesFees: true, lastProduct: 1_414_219n * 1_414_219n }), 1n)
    assert.strictEqual(factoryShares({ ...books, takesFees: true, lastProduct: 1_414_220n * 1_414_220n }), 0n)
    const due = { takesFees: true, lastProduct: 250_000_000_000n } as const
    // Last root 500_000: 1_414_225 * 914_225 / (7_071_125 + 500_000) = 170_769.8..., so there are 1_584_994 shares then.
    assert.strictEqual(factoryShares({ ...books, ...due }), 170_769n)
    assert.deepStrictEqual(paid(due, 400_000n), [252_367n, 504_741n])
    assert.deepStrictEqual(paid({ ...due, balances: [9_000_000n, 9_000_000n] }, 400_000n), [2_271_301n, 2_271_301n])
  })

  it("takes nothing for the factory where it takes none, never did, or the product has not grown", () => {
    for (const but of [{ lastProduct: 250_000_000_000n }, { takesFees: true }, { takesFees: true, lastProduct: 9n * 10n ** 12n }]) {
      assert.deepStrictEqual(paid(but, 777n), [549n, 1_098n])
    }
  })

  it("is not told where the contract could not reckon it", () => {
    const huge = 1n << 100n
    assert.isNull(paid({ balances: [huge, 1n] }, 1n << 30n))
    assert.deepStrictEqual(paid({ balances: [1n << 97n, 1n << 97n], supply: 1n << 97n }, 1n << 29n), [1n << 29n, 1n << 29n])
    assert.isNull(paid({ reserves: [huge, huge], takesFees: true, lastProduct: 1n }, 1n))
    assert.isNull(paid({ supply: 0n }, 1n))
    assert.isNull(paid({ own: 0n }, 1_000n), "the pair keeps its first thousand")
  })
})
