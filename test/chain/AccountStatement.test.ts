import { assert, describe, it } from "@effect/vitest"
import { type AccountStatement, contradict, isContradicted, isOutvoted } from "../../src/chain/witness/AccountStatement.ts"

const said = (by: string, from: number, to: number, entry: string | null = `changed in ${from}`): AccountStatement => ({
  by,
  from,
  to,
  entry
})

describe("two statements about an account", () => {
  it.each<readonly [what: string, one: AccountStatement, other: AccountStatement, expected: boolean]>([
    ["that show the same entry", said("a", 90, 100), said("b", 90, 105), false],
    ["of which one ends before the other's change", said("a", 90, 100), said("b", 101, 105), false],
    ["of which one has no change where the other has one", said("a", 90, 101), said("b", 101, 105), true],
    ["that show another entry since one ledger", said("a", 90, 100), said("b", 90, 100, "other"), true],
    ["of which one has no account in a ledger of the other", said("a", 90, 100), said("b", 100, 100, null), true],
    ["of which one has no account later", said("a", 90, 100), said("b", 101, 101, null), false]
  ])("%s", (_, one, other, expected) => {
    assert.strictEqual(contradict(one, other), expected)
    assert.strictEqual(contradict(other, one), expected)
  })
})

describe("an origin", () => {
  const honest = [said("a", 90, 101), said("b", 90, 101)]

  it("of three is outvoted by what it said before, though its newest answer is ahead of both", () => {
    const current = [...honest, said("liar", 102, 102)]
    assert.isFalse(isContradicted("liar", { current, all: current }))
    const all = [said("a", 90, 100), said("b", 90, 100), said("liar", 101, 101), ...current]
    assert.isTrue(isOutvoted("liar", { current, all }))
    assert.isFalse(isOutvoted("a", { current, all }))
  })

  it("of two is contradicted, but never outvoted", () => {
    const current = [said("a", 90, 101), said("b", 101, 101)]
    assert.isTrue(isContradicted("a", { current, all: current }))
    assert.isFalse(isOutvoted("a", { current, all: current }))
    assert.isFalse(isOutvoted("b", { current, all: current }))
  })

  it("of three that all differ is outvoted, like the others", () => {
    const current = [said("a", 90, 101), said("b", 91, 101), said("c", 92, 101)]
    assert.deepStrictEqual(["a", "b", "c"].map((one) => isOutvoted(one, { current, all: current })), [true, true, true])
  })

  it("of four that are two and two is not outvoted", () => {
    const current = [...honest, said("c", 101, 101), said("d", 101, 101)]
    assert.deepStrictEqual(["a", "b", "c", "d"].map((one) => isOutvoted(one, { current, all: current })), [false, false, false, false])
  })

  it("whose own endpoints differ is outvoted", () => {
    const current = [said("a", 90, 101), said("a", 91, 101)]
    assert.isTrue(isOutvoted("a", { current, all: current }))
  })
})
