import { assert, describe, it } from "@effect/vitest"
import { mayRestOnOne, readsContracts, restsOnContracts } from "../../src/close/answer/WitnessNeed.ts"
import { Bought, Called } from "../../src/close/situation/Progress.ts"
import type { ContractAddress } from "../../src/domain/Address.ts"
import { contractOfByte } from "../support/Addresses.ts"

const [lent, staked, farmed, plain] = [contractOfByte(1), contractOfByte(2), contractOfByte(3), contractOfByte(4)]

/** Two protocols that were queried, one of them at two contracts. */
const asked = [{ getters: [{ contract: lent }] }, { getters: [{ contract: staked }, { contract: farmed }] }]

const exits = [{ id: "position:one" }, { id: "position:two" }]

const nothing = { call: null, merges: false, progress: null }

const calling = (address: ContractAddress, claimsOnly?: boolean) => ({
  ...nothing,
  call: { contract: address, holds: [], ...(claimsOnly === undefined ? {} : { claimsOnly }) },
  progress: Called({ position: "position:one", index: 0 })
})

const rests = (planned: Parameters<typeof restsOnContracts>[0]) => restsOnContracts(planned, exits, asked)

describe("a transaction rests on contracts", () => {
  it("where it merges, whatever else it does", () => {
    assert.isTrue(rests({ ...nothing, merges: true }))
    assert.isTrue(restsOnContracts({ ...nothing, merges: true }, [], []))
    assert.isFalse(rests(nothing))
  })

  it("where it calls any of the contracts that were queried for what they owe, other than to claim", () => {
    for (const one of [lent, staked, farmed]) {
      assert.isTrue(rests(calling(one)))
      assert.isTrue(rests(calling(one, false)))
      assert.isFalse(rests(calling(one, true)))
    }
    assert.isFalse(rests(calling(plain)))
    assert.isFalse(restsOnContracts(calling(lent), exits, []))
  })

  it("where its call hands tokens over", () => {
    const call = { contract: plain, holds: [{ token: lent, amount: 1n }] }
    assert.isTrue(rests({ ...nothing, call }))
    assert.isTrue(rests({ ...nothing, call: { ...call, claimsOnly: true } }))
  })

  it("where it buys what the call of any planned exit will hand over", () => {
    for (const { id } of exits) assert.isTrue(rests({ ...nothing, progress: Bought({ position: id }) }))
    assert.isFalse(rests({ ...nothing, progress: Bought({ position: "position:three" }) }))
    assert.isFalse(rests({ ...nothing, progress: Called({ position: "position:one", index: 0 }) }))
  })
})

describe("what was read", () => {
  const none = { held: [], unreadable: [], told: null }
  const without = { protocol: { contracts: [] } }
  const has = { protocol: { contracts: [lent] } }

  it("is of contracts where any protocol has one, or there is any token", () => {
    const read = [
      { protocols: [without, has], tokens: none },
      { protocols: [without], tokens: { ...none, held: [lent] } },
      { protocols: [], tokens: { ...none, unreadable: [lent] } },
      { protocols: [], tokens: { ...none, told: { alone: [lent] } } },
      { protocols: [], tokens: { held: [lent], unreadable: [lent], told: { alone: [lent, lent] } } }
    ]
    for (const one of read) assert.isTrue(readsContracts(one))
  })

  it("is not where there are protocols without any, and no token", () => {
    for (const told of [null, { alone: [] }]) assert.isFalse(readsContracts({ protocols: [without], tokens: { ...none, told } }))
  })
})

describe("without a second contract RPC that responds", () => {
  it("only the merge of an account without positions is handed over", () => {
    const held = [
      { planned: exits, unreadable: [] },
      { planned: [], unreadable: exits },
      { planned: exits, unreadable: exits }
    ]
    for (const one of held) for (const merges of [true, false]) assert.isFalse(mayRestOnOne({ merges }, one))
    assert.isTrue(mayRestOnOne({ merges: true }, { planned: [], unreadable: [] }))
    assert.isFalse(mayRestOnOne({ merges: false }, { planned: [], unreadable: [] }))
  })
})
