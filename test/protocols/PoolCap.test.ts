import { assert, describe, it } from "@effect/vitest"
import { Address, xdr } from "@stellar/stellar-sdk"
import { ContractAddress } from "../../src/domain/Address.ts"
import type { LedgerView } from "../../src/protocols/kit/LedgerView.ts"
import { mostPools, poolDiscovery } from "../../src/protocols/lend1/PoolList.ts"
import { contractsOf } from "../../src/protocols/Place.ts"
import { contract } from "../../src/stellar/ScValCodec.ts"
import { barePlace } from "./support/Bare.ts"

const addressAt = (index: number): ContractAddress => {
  const bytes = Buffer.alloc(32, 9)
  bytes.writeUInt32BE(index)
  return ContractAddress.make(Address.contract(bytes).toString())
}

const factory = addressAt(4_000_000_000)

/** A ledger on which the factory lists only the pools of these numbers. */
const knowing = (isKnown: (pool: string) => boolean): LedgerView => ({
  sequence: 9,
  closeTime: 0n,
  answer: () => ({ _tag: "Failed", reason: "nobody is asked" }),
  state: (key) => {
    if (key.type !== "contractData" || key.contractData.key.type !== "scvVec") return { _tag: "Absent" }
    const pool = (key.contractData.key.vec ?? []).find((one) => one.type === "scvAddress")
    if (pool?.type !== "scvAddress" || !isKnown(Address.fromScAddress(pool.address).toString())) return { _tag: "Absent" }
    const { contract: of, durability, key: under } = key.contractData
    const data = new xdr.ContractDataEntry({
      ext: xdr.ExtensionPoint.v0(),
      contract: of,
      key: under,
      durability,
      val: xdr.ScVal.scvBool(true)
    })
    return { _tag: "Present", archived: false, data: xdr.LedgerEntryData.contractData(data) }
  }
})

const pools = (count: number, from = 0) => Array.from({ length: count }, (_, at) => addressAt(from + at))

const discovery = poolDiscovery({
  pools: [],
  backstops: [],
  backstopCode: new Map(),
  factories: [factory],
  since: 1,
  placesOf: (contract) => [barePlace({ contract })]
})

/** The contracts found after an earlier search found `before`. */
const find = (view: LedgerView, announced: ReadonlyArray<ContractAddress>, before: ReadonlyArray<ContractAddress> = []) => {
  const first = discovery ?? assert.fail("nothing is discovered")
  const search = before.length === 0 ? first : first.find(knowing(() => true), before.map(contract.encode)).next ?? first
  const { places, ...found } = search.find(view, announced.map(contract.encode))
  return { ...found, contracts: contractsOf(places) }
}

describe("the list of pools", () => {
  it("has two thousand that a factory knows, and says how many more there are", () => {
    const { contracts, dropped } = find(knowing(() => true), pools(mostPools + 3))
    assert.deepStrictEqual([contracts.length, dropped], [2_000, 3])
  })

  it("keeps those it had, whatever strangers announce", () => {
    const had = pools(10, 50_000)
    const { contracts } = find(knowing(() => true), pools(mostPools), had)
    assert.deepStrictEqual(contracts.slice(0, had.length), had)
  })

  it("has no place for those that no factory knows, and forgets those that none knows any more", () => {
    const real = addressAt(60_000)
    const { contracts, dropped } = find(knowing((pool) => pool === real), [...pools(9_000), real], pools(5, 70_000))
    assert.deepStrictEqual([contracts, dropped], [[real], 0])
  })

  it("says of what nobody was asked about that it is dropped", () => {
    assert.strictEqual(find(knowing(() => false), pools(10_002)).dropped, 2)
  })
})
