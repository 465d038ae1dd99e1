import { assert, describe, it } from "@effect/vitest"
import { xdr } from "@stellar/stellar-sdk"
import type { ContractAddress } from "../../../src/domain/Address.ts"
import { amm3 } from "../../../src/protocols/Amm3.ts"
import type { EntryState, LedgerView } from "../../../src/protocols/kit/LedgerView.ts"
import { questionText } from "../../../src/protocols/kit/Question.ts"
import { contractsOf, decodePlaces } from "../../../src/protocols/Place.ts"
import type { Finds, Search } from "../../../src/protocols/reading/Discovery.ts"
import { contract } from "../../../src/stellar/ScValCodec.ts"
import { keyText } from "../../../src/xdr/LedgerKeys.ts"
import { amm3Code, changedView, fieldChanged, runningOther } from "../support/Amm3Ledgers.ts"
import { recorded } from "../support/Recorded.ts"

const recording = recorded("amm_3_more")
const [factory, pool, pool2] = [recording.contract("factory"), recording.contract("pool"), recording.contract("pool2")]

const list = amm3({ factories: [factory], code: amm3Code, byInterface: false }).discovery ??
  assert.fail("nothing is looked for")

const none: Finds = { further: [], places: [], doubts: [], dropped: 0 }

/** Reads a list to its end, and returns the count of questions in each round. */
const read = (search: Search, view: LedgerView) => {
  const asked = new Set(search.questions.map(questionText))
  const rounds = [asked.size]
  for (;;) {
    const shown = (key: xdr.LedgerKey): EntryState => (asked.has(keyText(key)) ? view.state(key) : { _tag: "Unread" })
    const found = search.find({ ...view, state: shown }, [])
    if (found.further.length === 0) return { ...found, rounds }
    const before = asked.size
    for (const question of found.further) asked.add(questionText(question))
    rounds.push(asked.size - before)
    assert.isBelow(rounds.length, 10)
  }
}

describe("the pools of a factory", () => {
  it("are those it lists, with the contracts each works with, read in every reading", () => {
    const first = read(list, recording.view("twoPoolsNone"))
    assert.deepStrictEqual([contractsOf(first.places), first.doubts, first.isBlind, first.dropped], [[pool, pool2], [], false, 0])
    assert.deepStrictEqual(
      first.places.map(({ shares }) => shares),
      [[recording.contract("shareToken")], [recording.contract("shareToken2")]]
    )
    // The factory; each pool's instance and settings; the tokens each stake pays.
    assert.deepStrictEqual(first.rounds, [2, 6, 2])
    const again = read(first.next ?? list, recording.view("twoPoolsStaked"))
    assert.deepStrictEqual([contractsOf(again.places), again.rounds], [[pool, pool2], [2, 6, 2]])
    assert.deepStrictEqual(list.namedBy, [factory])
  })

  it("are found with another share token or stake once an upgrade in place names it", () => {
    const view = recording.view("twoPoolsStaked")
    const holdings = ({ places }: Finds) => decodePlaces(places, recording.user, view).positions
    for (const [field, name] of [["share_token", "shareToken2"], ["stake_contract", "stake2"]] as const) {
      const before = changedView(recording, "twoPoolsStaked", {
        "pool CONFIG": fieldChanged(field, contract.encode(recording.contract(name)))
      })
      const first = read(list, before)
      const again = read(first.next ?? list, view)
      assert.deepStrictEqual(holdings(again), holdings(read(list, view)), field)
      assert.include(holdings(again).map((one) => one.contract), pool)
    }
  })

  it("cost an account that has nothing there two keys each", () => {
    const { places } = read(list, recording.view("twoPoolsNone"))
    assert.deepStrictEqual(places.map(({ keys }) => keys(recording.user).length), [2, 2])
  })

  it("may be others where the list cannot be made out: that is never taken for none", () => {
    for (
      const view of [
        recording.view("twoPoolsNone", { "factory 2": null }),
        recording.view("twoPoolsNone", { "factory instance": null }),
        changedView(recording, "twoPoolsNone", { "factory 2": () => xdr.ScVal.scvVoid() })
      ]
    ) {
      const found = read(list, view)
      assert.deepStrictEqual([found.places.length, found.doubts.length, found.isBlind], [0, 1, true])
    }
  })

  it("are those of a factory whose code is not known, which is named", () => {
    const found = read(list, runningOther(recording, "twoPoolsNone", "factory"))
    assert.deepStrictEqual([contractsOf(found.places), found.doubts, found.unlisted], [[pool, pool2], [], [factory]])
    assert.deepStrictEqual(read(list, recording.view("twoPoolsNone")).unlisted, [])
  })

  it("leave out a stake of the contracts file that works with none of them: who has bonded there is asked", () => {
    const view = recording.view("twoPoolsStaked")
    const stakes = [recording.contract("stake"), recording.contract("stake2")]
    const over = (factories: ReadonlyArray<ContractAddress>) =>
      amm3({ factories, stakes, code: amm3Code, byInterface: false }).discovery ?? assert.fail("nothing is looked for")
    assert.deepStrictEqual(contractsOf(read(over([factory]), view).places), [pool, pool2])
    const lone = read(over([]), view).places
    assert.deepStrictEqual(decodePlaces(lone, recording.user, view).unrecognized.map((one) => one.contract), stakes)
    assert.isEmpty(decodePlaces(lone, recording.user, recording.view("twoPoolsNone")).unrecognized)
  })

  it("are told to everybody where nobody can tell what they work with", () => {
    for (
      const view of [
        recording.view("twoPoolsNone", { "pool CONFIG": null }),
        changedView(recording, "twoPoolsNone", { "pool CONFIG": () => xdr.ScVal.scvVoid() })
      ]
    ) {
      const { next, places } = read(list, view)
      assert.deepStrictEqual(contractsOf(places), [pool, pool2])
      assert.deepStrictEqual(decodePlaces(places, recording.user, view).unrecognized.map(({ contract }) => contract), [pool])
      // The next read fetches it again.
      const { positions, unrecognized } = decodePlaces(
        read(next ?? list, recording.view("twoPoolsStaked")).places,
        recording.user,
        recording.view("twoPoolsStaked")
      )
      assert.deepStrictEqual([positions.length, unrecognized], [2, []])
    }
  })

  it("whose code is not known are a finding for those alone who hold something there", () => {
    for (const [state, findings] of [["twoPoolsNone", []], ["twoPoolsStaked", [pool2]], ["twoPoolsEmptied", []]] as const) {
      const view = runningOther(recording, state, "pool2")
      const { unrecognized } = decodePlaces(read(list, view).places, recording.user, view)
      assert.deepStrictEqual(unrecognized.map(({ contract }) => contract), [...findings], state)
    }
  })

  it("confirm those of them that an account names, and no others, of which nothing is asked", () => {
    const view = recording.view("twoPoolsStaked")
    const naming = (...candidates: ReadonlyArray<ContractAddress>) =>
      read({ questions: [], find: (shown) => ({ ...none, ...list.confirm?.(shown, candidates) }) }, view)
    const one = naming(recording.contract("pool2"), recording.contract("stake"))
    assert.deepStrictEqual([contractsOf(one.places), one.rounds], [[pool2], [0, 2, 3, 1]])
    const stranger = naming(recording.contract("stake"))
    assert.deepStrictEqual([stranger.places, stranger.rounds], [[], [0, 2]])
  })
})
