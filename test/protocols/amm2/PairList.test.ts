import { assert, describe, it } from "@effect/vitest"
import { xdr } from "@stellar/stellar-sdk"
import { inPair, pairAt, pairOf, totalPairs } from "../../../src/protocols/amm2/Keys.ts"
import type { LedgerView } from "../../../src/protocols/kit/LedgerView.ts"
import { questionText } from "../../../src/protocols/kit/Question.ts"
import type { Finds, Search } from "../../../src/protocols/reading/Discovery.ts"
import { contractDataKey, instanceKey } from "../../../src/stellar/ContractKeys.ts"
import { contract, u32 } from "../../../src/stellar/ScValCodec.ts"
import { keyText } from "../../../src/xdr/LedgerKeys.ts"
import { instanceVal, ledgerWith, written } from "../support/Written.ts"
import { decoderOf, pairsRecorded } from "./RecordedPairs.ts"

const recording = pairsRecorded("amm_2_more")
const decoder = decoderOf(recording)
const factory = recording.contract("factory")
const router = recording.contract("router")
const names = ["pairXlmUsdc", "pairUsdcEurc", "pairPlainUsdc", "pairXlmEurc"]
const pairs = names.map(recording.contract)
const { discovery } = decoder
if (discovery === undefined) throw new Error("nothing is looked for")

/** Reads until no question is left, as the list reader does. Returns the result and all questions in order. */
const searched = (search: Search, view: LedgerView) => {
  const read = new Set(search.questions.map(questionText))
  const rounds = [[...read]]
  for (;;) {
    const seen: LedgerView = { ...view, state: (key) => (read.has(keyText(key)) ? view.state(key) : { _tag: "Unread" }) }
    const found: Finds = search.find(seen, [])
    const open = found.further.map(questionText).filter((text) => !read.has(text))
    if (open.length === 0) return { found, rounds }
    for (const text of open) read.add(text)
    rounds.push([...new Set(open)])
  }
}

const contractsIn = ({ places }: Pick<Finds, "places">) => places.map((place) => place.contract)

const factoryVal = (total: xdr.ScVal) => instanceVal(recording.contracts["factory"]?.wasmHash ?? "", [[totalPairs, total]])

describe("the list of pairs", () => {
  it("is read from the factory, pair by pair, and what never changes of each with it", () => {
    const { found, rounds } = searched(discovery, recording.view("soleProvider"))
    assert.deepStrictEqual(contractsIn(found), pairs)
    assert.deepStrictEqual([found.doubts, found.dropped, found.isBlind], [[], 0, false])
    assert.deepStrictEqual(rounds, [
      [factory, router].map((one) => keyText(instanceKey(one))),
      pairs.map((_, index) => keyText(contractDataKey(factory, pairAt(index)))),
      pairs.map((pair) => keyText(instanceKey(pair)))
    ])
    for (const [index, place] of found.places.entries()) {
      assert.deepStrictEqual(place.keys(recording.user).length, 1)
      assert.deepStrictEqual(place.shares, pairs.slice(index, index + 1))
    }
    const tokens: unknown = found.places.map((place) => place.reserves?.(recording.view("soleProvider")))
    assert.deepStrictEqual(
      tokens,
      names.map((name) => ["token0", "token1"].map((token) => recording.fact("soleProvider", `${name}.${token}`)))
    )
  })

  it("is only read on where it ended the last time", () => {
    const before = searched(discovery, recording.view("feesEnabled")).found
    assert.deepStrictEqual(contractsIn(before), pairs.slice(0, 3))
    const { found, rounds } = searched(before.next ?? discovery, recording.view("soleProvider"))
    assert.deepStrictEqual(contractsIn(found), pairs)
    assert.deepStrictEqual(rounds, [
      [factory, router].map((one) => keyText(instanceKey(one))),
      [keyText(contractDataKey(factory, pairAt(3)))],
      [keyText(instanceKey(recording.contract("pairXlmEurc")))]
    ])
    assert.deepStrictEqual(searched(found.next ?? discovery, recording.view("dust")).rounds, [
      [factory, router].map((one) => keyText(instanceKey(one)))
    ])
  })

  it("is doubted where the factory lists what is not shown, and that is asked for again", () => {
    const lacking = searched(discovery, recording.view("soleProvider", { "factory PairAddressesNIndexed(1)": null })).found
    assert.deepStrictEqual(contractsIn(lacking), pairs.filter((_, index) => index !== 1))
    assert.deepStrictEqual([lacking.doubts, lacking.isBlind], [["pairs that it lists could not be decoded"], true])
    const again = searched(lacking.next ?? discovery, recording.view("soleProvider"))
    assert.deepStrictEqual([contractsIn(again.found), again.found.doubts, again.found.isBlind], [pairs, [], false])
    assert.deepStrictEqual(again.rounds[1], [1, 2, 3].map((index) => keyText(contractDataKey(factory, pairAt(index)))))
  })

  it("is doubted where it holds something else, or too many", () => {
    const garbled = ledgerWith([[instanceKey(factory), factoryVal(contract.encode(factory))]])
    const blind = searched(discovery, garbled).found
    assert.deepStrictEqual([blind.doubts, blind.isBlind, blind.places], [["the number of its pairs could not be read"], true, []])
    const many = ledgerWith([[instanceKey(factory), factoryVal(u32.encode(5_003))]])
    assert.deepStrictEqual(searched(discovery, many).found.dropped, 3)
  })

  it("is read of a factory and with a router whose code is not known, which are named", () => {
    const view = recording.view("soleProvider")
    const storage = (key: xdr.LedgerKey) => {
      const state = view.state(key)
      const val = state._tag === "Present" && state.data.type === "contractData" ? state.data.contractData.val : null
      return val?.type === "scvContractInstance" ? (val.instance.storage ?? []).map((one) => [one.key, one.val] as const) : []
    }
    const changed = [factory, router].map(instanceKey)
    const upgraded: LedgerView = {
      ...view,
      state: (key) =>
        changed.some((one) => keyText(one) === keyText(key))
          ? { _tag: "Present", data: written(key, instanceVal("ab".repeat(32), storage(key))), archived: false }
          : view.state(key)
    }
    const { found } = searched(discovery, upgraded)
    assert.deepStrictEqual([contractsIn(found), found.doubts, found.isBlind], [pairs, [], false])
    assert.deepStrictEqual(found.unlisted, [factory, router])
    assert.deepStrictEqual(searched(discovery, view).found.unlisted, [])
    assert.isEmpty(decoder.places.flatMap((place) => place.decode(recording.user, upgraded).unrecognized))
  })

  it("has pairs that cannot be made out yet: whoever holds shares reads more", () => {
    const name = "pairPlainUsdc"
    const view = recording.view("plainPair")
    const key = instanceKey(recording.contract(name))
    const garbled: LedgerView = {
      ...view,
      state: (asked) =>
        keyText(asked) === keyText(key) ? { _tag: "Present", data: written(key, xdr.ScVal.scvVoid()), archived: false } : view.state(asked)
    }
    const { found } = searched(discovery, garbled)
    assert.deepStrictEqual(contractsIn(found), pairs.slice(0, 3))
    const place = found.places.find((one) => one.contract === recording.contract(name))
    assert.deepStrictEqual(place?.reserves?.(view), [])
    const whole = searched(discovery, view).found.places.find((one) => one.contract === recording.contract(name))
    assert.deepStrictEqual(place?.decode(recording.user, view), whole?.decode(recording.user, view))
    assert.isNotEmpty(whole?.decode(recording.user, view).positions ?? [])
  })
})

describe("a pair that something names", () => {
  const confirm = (view: LedgerView, candidate: (typeof pairs)[number]) => discovery.confirm?.(view, [candidate]).places ?? []

  it("is one where the factory knows it by its tokens, and only then", () => {
    const view = recording.view("soleProvider")
    const [known, stranger] = [recording.contract("pairXlmEurc"), recording.contract("plainToken")]
    assert.deepStrictEqual(contractsIn({ places: confirm(view, known) }), [known])
    assert.deepStrictEqual([confirm(view, stranger), confirm(view, factory)], [[], []])
    // A stranger's contract that claims to have the tokens of a pair.
    const [xlm, eurc] = [recording.contract("xlm"), recording.contract("eurc")]
    const posing = ledgerWith([
      [
        instanceKey(stranger),
        instanceVal("ab".repeat(32), [[inPair.token0, contract.encode(eurc)], [inPair.token1, contract.encode(xlm)]])
      ],
      [contractDataKey(factory, pairOf([eurc, xlm])), contract.encode(known)]
    ])
    assert.isEmpty(confirm(posing, stranger))
  })

  it("is sought among whatever the account's own calls touched a balance in", () => {
    const own = contractDataKey(
      recording.contract("pairXlmUsdc"),
      xdr.ScVal.scvVec([
        xdr.ScVal.scvSymbol("Balance"),
        contract.encode(recording.contract("pairXlmUsdc"))
      ])
    )
    const [place] = searched(discovery, recording.view("soleProvider")).found.places
    const named = place?.keys(recording.user) ?? []
    assert.deepStrictEqual(decoder.candidatesIn?.([own, ...named, instanceKey(factory)], recording.user), [
      recording.contract("pairXlmUsdc")
    ])
  })
})
