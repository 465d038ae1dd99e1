import { assert, describe, it } from "@effect/vitest"
import { Address } from "@stellar/stellar-sdk"
import { furtherTokens, tokensOf } from "../../../src/close/leaving/read/PlannedExits.ts"
import { ContractAddress } from "../../../src/domain/Address.ts"
import { exitOf } from "../support/SmallClose.ts"
import { leave } from "./support/Simulating.ts"

const tokenOf = (number: number): ContractAddress =>
  ContractAddress.make(Address.contract(Buffer.from([...Buffer.alloc(30), number >> 8, number & 0xff])).toString())

/** How often it is read which tokens positions pay. */
let reads = 0

/** A position that pays a token of its own, by a call that pays another one as well. */
const exits = Array.from({ length: 300 }, (_, number) => {
  const one = exitOf({
    exit: {
      _tag: "Calls",
      calls: [{ ...leave, payouts: [number, 1_000 + number].map((paid) => ({ token: tokenOf(paid), expected: 1n })) }],
      unlocksAt: null
    }
  })
  return {
    ...one,
    position: {
      ...one.position,
      get pays() {
        reads += 1
        return [tokenOf(number)]
      }
    }
  }
})

describe("the tokens that calls move beside those that positions name", () => {
  it("are found with one look at each position, however many strangers give", () => {
    assert.deepStrictEqual(
      furtherTokens(exits.map(({ position }) => position), exits),
      exits.map((_, number) => tokenOf(1_000 + number))
    )
    assert.strictEqual(reads, exits.length)
  })
})

describe("the tokens of positions", () => {
  it("begin with those that are owed, so that the tokens of gifts come after them", () => {
    const gift = { pays: [tokenOf(1)], owes: [] }
    const debtor = { pays: [tokenOf(2)], owes: [{ token: tokenOf(3), amount: 1n }] }
    assert.deepStrictEqual(tokensOf([gift, debtor]), [3, 1, 2].map(tokenOf))
  })
})
