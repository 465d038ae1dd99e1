import { assert, describe, it } from "@effect/vitest"
import { Asset, Keypair, xdr } from "@stellar/stellar-sdk"
import { ContractAddress } from "../../../src/domain/Address.ts"
import { LedgerState } from "../../../src/ledger/LedgerState.ts"
import { addressOf, addressVal, mapOf, strkeyOf, u128 } from "../../../src/ledger/soroban/Values.ts"
import { amm1 } from "../../../src/protocols/Amm1.ts"
import type { LedgerView } from "../../../src/protocols/kit/LedgerView.ts"
import { isGetter, questionText } from "../../../src/protocols/kit/Question.ts"
import type { Protocol } from "../../../src/protocols/Protocol.ts"
import type { Finds, Search } from "../../../src/protocols/reading/Discovery.ts"
import { WasmHash } from "../../../src/registry/ContractAddresses.ts"
import { poolEntry, poolsKey, setCountKey, tokensSalt } from "../../../src/sandbox/contracts/Amm1.ts"
import { dataEntries } from "../../../src/sandbox/contracts/Deployment.ts"
import { amm1Contract, amm1ContractsAt } from "../../../src/sandbox/scenarios/Amm1Contracts.ts"
import { withAmm1, withInstanceValues, withManyPools } from "../../../src/sandbox/scenarios/Amm1Entries.ts"
import { sandboxDeployment } from "../../../src/sandbox/scenarios/SandboxDeployment.ts"
import { instanceKey } from "../../../src/stellar/ContractKeys.ts"
import { keyOfContractData, keyText } from "../../../src/xdr/LedgerKeys.ts"
import { ammLedgerOf } from "../../sandbox/contracts/Amm1Replay.ts"
import { amm1Of, contractNamed, recordedAmm1, viewOver } from "../support/Amm1Ledger.ts"

/** Reads a list to its end, in rounds as the service does. Returns the requests of each round. */
const reading = (search: Search, view: LedgerView) => {
  const asked = new Set(search.questions.map(questionText))
  const rounds: Array<number> = [asked.size]
  let finds: Finds
  do {
    finds = search.find({
      ...view,
      state: (key) => (asked.has(keyText(key)) ? view.state(key) : { _tag: "Unread" })
    }, [])
    const fresh = [...new Set(finds.further.map(questionText))].filter((text) => !asked.has(text))
    assert.isTrue(finds.further.every((question) => !isGetter(question)))
    assert.strictEqual(fresh.length > 0, finds.further.length > 0)
    for (const text of fresh) asked.add(text)
    if (fresh.length > 0) rounds.push(fresh.length)
  } while (finds.further.length > 0)
  return { finds, rounds, asked }
}

const searchOf = ({ discovery }: Protocol): Search => discovery ?? assert.fail("nothing is looked for")

const next = ({ next }: Finds): Search => next ?? assert.fail("nothing is looked for any more")

const passphrase = "a sandbox"
const issuer = Keypair.random().publicKey()
const issued = (code: string) => new Asset(code, issuer)
const assets = { native: Asset.native(), usdc: issued("USDC"), eurc: issued("EURC"), aqua: issued("AQUA") }
const header = { ledgerVersion: 28, ledgerSeq: 100, closeTime: 1_800_000_000n, baseFee: 100, baseReserve: 5_000_000, idPool: 0n, flags: 0 }
const deployed = withAmm1(LedgerState.make(header, []), assets, passphrase)

const { code: { amm_1: code }, contracts: { amm_1: { router: [routerText] } } } = sandboxDeployment
const hashes = ([first]: readonly [string, ...ReadonlyArray<string>]) => [WasmHash.make(first)] as const
const known = {
  router: hashes(code.router),
  constantProductPool: hashes(code.constantProductPool),
  stablePool: hashes(code.stablePool),
  concentratedPool: hashes(code.concentratedPool),
  shareToken: hashes(code.shareToken),
  rewardsGauge: hashes(code.rewardsGauge)
}
const router = ContractAddress.make(routerText)
const protocol = amm1({ routers: [router], code: known, byInterface: false })

const viewOf = (state: LedgerState): LedgerView => ({
  sequence: state.header.ledgerSeq,
  closeTime: state.header.closeTime,
  state: (key) => {
    const entry = state.get(key)
    return entry === undefined ? { _tag: "Absent" } : { _tag: "Present", data: entry.data, archived: false }
  },
  answer: () => ({ _tag: "Failed", reason: "not asked" })
})

const contracts = ({ places }: Finds): ReadonlyArray<string> => places.map(({ contract }) => contract).toSorted()

const textsOf = (...names: ReadonlyArray<keyof typeof amm1ContractsAt>) => names.map((name) => strkeyOf(amm1ContractsAt[name])).toSorted()

const own = textsOf("constantProduct", "stable", "concentrated")

describe("the list of pools", () => {
  it("of a recorded router has every pool of every set, with the token of its shares", () => {
    const recording = recordedAmm1("amm_1_more")
    const view = viewOver(recording, ammLedgerOf(recording, "allNone"))
    const { finds, rounds } = reading(searchOf(amm1Of(recording)), view)
    const pools = ["cpPool", "cpPool2", "stablePool", "stable3", "clPool"]
    assert.deepStrictEqual(contracts(finds), pools.map((name) => contractNamed(recording, name)).toSorted())
    assert.deepStrictEqual(finds.doubts, [])
    assert.isFalse(finds.isBlind)
    const shares = finds.places.flatMap((place) => place.shares ?? [])
    assert.sameMembers(shares, pools.slice(0, 4).map((name) => contractNamed(recording, `${name}Share`)))
    // The router; its three sets; the pools of each; the five pools.
    assert.deepStrictEqual(rounds, [1, 3, 3, 5])
  })

  it("is read again without what never changes, and what was added since is found", () => {
    const first = reading(searchOf(protocol), viewOf(deployed))
    assert.deepStrictEqual(contracts(first.finds), own)
    const again = reading(next(first.finds), viewOf(deployed))
    // The router and the pools of its two sets, in one round.
    assert.deepStrictEqual(again.rounds, [3])
    assert.deepStrictEqual(contracts(again.finds), own)

    const more = reading(next(again.finds), viewOf(withManyPools(deployed, 3)))
    assert.deepStrictEqual(more.rounds, [3, 3, 3, 3])
    assert.lengthOf(more.finds.places, 6)
  })

  it("asks for one key of each pool in the first round", () => {
    const { finds } = reading(searchOf(protocol), viewOf(withManyPools(deployed, 300)))
    assert.lengthOf(finds.places, 303)
    const user = recordedAmm1("amm_1").user
    for (const place of finds.places) assert.lengthOf(place.keys(user as Parameters<typeof place.keys>[0]), 1)
  })

  it("finds a pool that comes to a set that was known, and keeps one that the router forgets", () => {
    const first = reading(searchOf(protocol), viewOf(deployed)).finds
    const pair = [assets.native, assets.usdc].map((asset) => addressVal(addressOf(asset.contractId(passphrase))))
    const tokens = pair.toSorted((left, right) => Buffer.compare(Buffer.from(left.toXdr()), Buffer.from(right.toXdr())))
    const many = withManyPools(deployed, 1)
    const [other] = [amm1Contract("pool 0")]
    // The first set now lists only a new pool.
    const listed = mapOf([poolEntry(new Uint8Array(32).fill(9), other, "constant_product")])
    const changed = many.set(dataEntries(amm1ContractsAt.router, [poolsKey(tokensSalt(tokens)), listed], "persistent", 10_000))
    const after = reading(next(first), viewOf(changed)).finds
    assert.deepStrictEqual(contracts(after), [...own, strkeyOf(other)].toSorted())
  })

  it("says so where a pool it names is not there, reads the others, and looks for it again", () => {
    const gone = deployed.delete([instanceKey(ContractAddress.make(strkeyOf(amm1ContractsAt.stable)))])
    const { finds } = reading(searchOf(protocol), viewOf(gone))
    assert.deepStrictEqual(contracts(finds), textsOf("constantProduct", "concentrated"))
    assert.deepStrictEqual(finds.doubts, ["pools that it lists could not be decoded and are not read: 1"])
    assert.isTrue(finds.isBlind)
    assert.deepStrictEqual(contracts(reading(next(finds), viewOf(deployed)).finds), own)
  })

  it("is read of a router whose code is not known, which is named, and is in doubt where it tells no number", () => {
    const strange = amm1({ routers: [router], code: { ...known, router: [WasmHash.make("0".repeat(64))] }, byInterface: false })
    const { finds } = reading(searchOf(strange), viewOf(deployed))
    assert.deepStrictEqual(contracts(finds), own)
    assert.deepStrictEqual([finds.doubts, finds.isBlind, finds.unlisted], [[], false, [router]])
    assert.deepStrictEqual(reading(searchOf(protocol), viewOf(deployed)).finds.unlisted, [])
    const mute = withInstanceValues(
      deployed,
      amm1ContractsAt.router,
      (storage) => storage.set(setCountKey.toXdr("base64"), xdr.ScVal.scvVoid())
    )
    const silent = reading(searchOf(protocol), viewOf(mute)).finds
    assert.deepStrictEqual(silent.places, [])
    assert.deepStrictEqual(silent.doubts, ["the number of its sets of tokens could not be read"])
  })

  it("says so where a set is missing, and reads it once it is there", () => {
    const short = withInstanceValues(deployed, amm1ContractsAt.router, (storage) => storage.set(setCountKey.toXdr("base64"), u128(3n)))
    const { finds } = reading(searchOf(protocol), viewOf(short))
    assert.deepStrictEqual(contracts(finds), own)
    assert.isTrue(finds.isBlind)
    assert.lengthOf(reading(next(finds), viewOf(withManyPools(deployed, 1))).finds.places, 4)
  })

  it("says so where the pools of a listed set are not shown, and reads them once they are", () => {
    const pair = [assets.native, assets.usdc].map((asset) => addressVal(addressOf(asset.contractId(passphrase))))
    const tokens = pair.toSorted((left, right) => Buffer.compare(Buffer.from(left.toXdr()), Buffer.from(right.toXdr())))
    const hidden = deployed.delete([keyOfContractData(amm1ContractsAt.router, poolsKey(tokensSalt(tokens)), "persistent")])
    const { finds } = reading(searchOf(protocol), viewOf(hidden))
    assert.isBelow(finds.places.length, own.length)
    assert.deepStrictEqual([finds.doubts, finds.isBlind], [["entries of its list of pools could not be read: 1"], true])
    assert.deepStrictEqual(contracts(reading(next(finds), viewOf(deployed)).finds), own)
  })

  it("says how many more there are than it reads", () => {
    const many = withInstanceValues(deployed, amm1ContractsAt.router, (storage) => storage.set(setCountKey.toXdr("base64"), u128(3_007n)))
    const { asked, finds } = reading(searchOf(protocol), viewOf(many))
    assert.strictEqual(finds.dropped, 7)
    assert.isBelow(asked.size, 4_000)
  })
})
