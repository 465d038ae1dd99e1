import { assert, describe, it } from "@effect/vitest"
import { xdr } from "@stellar/stellar-sdk"
import { mayBeWritten, widerFootprint } from "../../../src/close/leaving/simulation/Footprint.ts"
import { addressOf, symbol, u32, variant } from "../../../src/ledger/soroban/Values.ts"
import { accountKey, keyOfContractData, keyText } from "../../../src/xdr/LedgerKeys.ts"
import { codeKey, own, pool, poolCode, resources, token, touching, user } from "./support/Simulating.ts"

const dataKey = (of: string, key: xdr.ScVal) => keyOfContractData(addressOf(of), key, "persistent")

describe("what a call may write one ledger later", () => {
  const texts = (keys: ReadonlyArray<xdr.LedgerKey>) => keys.map(keyText)

  it("is data of its contract and about the account, the likeliest first, and no code", () => {
    const [epoch, share, stake] = [
      dataKey(pool, symbol("Epoch")),
      dataKey(token, variant("Balance", own)),
      dataKey(pool, variant("Stake", own))
    ]
    const foreign = dataKey(token, symbol("Total"))
    const named = dataKey(pool, xdr.ScVal.scvExecutableTag("tag"))
    const read = [...touching({ [pool]: poolCode }), named, codeKey(poolCode), accountKey(user), epoch, foreign, share, stake]
    assert.deepStrictEqual(
      texts(mayBeWritten(resources(read, [dataKey(pool, symbol("Written"))]), pool, user)),
      texts([share, stake, epoch])
    )
  })
})

describe("a wider footprint", () => {
  const keys = (count: number) => Array.from({ length: count }, (_, at) => dataKey(pool, u32(at)))
  const sized = (bytes: number, ...all: ReadonlyArray<xdr.LedgerKey>) => all.map((key) => ({ key, bytes }))
  /** How many entries it reads, and writes, how many bytes, and what it pays. */
  const shape = ({ resourceFee, resources: { footprint, writeBytes } }: xdr.SorobanTransactionData) =>
    [footprint.readOnly.length, footprint.readWrite.length, writeBytes, resourceFee] as const

  it("pays a fifth more, and for each entry and byte that is added", () => {
    const [one, two] = keys(2)
    const told = resources([one!, two!], [accountKey(user)], 1_000n)
    assert.deepStrictEqual(shape(widerFootprint(told, [])), [2, 1, 100, 1_200n])
    assert.deepStrictEqual(shape(widerFootprint(told, sized(10, one!))), [1, 2, 110, 21_350n])
    assert.deepStrictEqual(shape(widerFootprint(told, sized(10, two!, one!))), [0, 3, 120, 41_500n])
    const { readWrite } = widerFootprint(told, sized(10, two!, one!)).resources.footprint
    assert.deepStrictEqual(readWrite.map(keyText), [accountKey(user), two!, one!].map(keyText))
  })

  it("has at most 45 entries, and 120,000 bytes, leaving out what does not fit", () => {
    const all = keys(50)
    assert.strictEqual(shape(widerFootprint(resources(all, [accountKey(user)]), sized(0, ...all)))[1], 45)
    const [one, two, three] = all
    const told = resources([one!, two!, three!])
    const added = [...sized(119_000, one!), ...sized(901, two!), ...sized(900, three!)]
    assert.deepStrictEqual(shape(widerFootprint(told, added)).slice(0, 3), [1, 2, 120_000])
  })
})
