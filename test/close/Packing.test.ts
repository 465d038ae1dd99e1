import { assert, describe, it } from "@effect/vitest"
import { atOnce } from "../../src/chain/pace/Turns.ts"
import { count, pack } from "../../src/close/project/Packing.ts"
import { type AtomicGroup, atomicGroup } from "../../src/close/situation/AtomicGroup.ts"
import { operationBytes } from "../../src/close/situation/EnvelopeSize.ts"
import { holdingsIn } from "../../src/close/situation/Holdings.ts"
import type { Situation } from "../../src/close/situation/Situation.ts"
import type { StepRule, StepView } from "../../src/close/steps/StepRule.ts"
import { AccountAddress } from "../../src/domain/Address.ts"
import { blocker } from "../../src/domain/Blocker.ts"
import type { Operation } from "../../src/operations/Operations.ts"
import { dataKey } from "../../src/xdr/LedgerKeys.ts"
import { situationOf } from "../deep/support/ModelSituation.ts"
import { setData } from "../ledger/support/Bodies.ts"
import { World } from "../ledger/support/World.ts"

const names = ["a", "b", "c", "d"]

/** An account with four data entries, or with none, that is to be merged into another one. */
const scene = (held: ReadonlyArray<string> = names) => {
  const world = new World()
  const [source, destination, heir, patron] = [world.account(), world.account(), world.account(), world.account()]
  const [ward, issuer] = [world.account(), world.account()]
  if (held.length > 0) world.succeed(source, held.map((name) => setData(name, "x")))
  const cast = { source, destination, heir, patron, ward, issuer, assets: [], signers: [source] }
  const situation = situationOf(world.state, cast, new Map(), { feePayer: "source" }) ?? assert.fail("the account is gone")
  return { address: AccountAddress.make(source.publicKey()), situation }
}

type Scene = ReturnType<typeof scene>

const removal = ({ address }: Scene, name: string): Operation => ({ type: "manage_data", source: address, name, value: null })

/** A group that removes data entries. */
const removing = (of: Scene, removed: ReadonlyArray<string>, more: Partial<AtomicGroup> = {}): AtomicGroup => ({
  ...atomicGroup([], more),
  operations: removed.map((name) => removal(of, name))
})

const blocked = { failure: null, shown: blocker("destination_unusable", "It is closed.") }

interface Given {
  readonly steps: ReadonlyArray<StepRule>
  readonly room?: number
  readonly mayMerge?: boolean
  readonly situation?: Situation
}

const packed = (of: Scene, { mayMerge = false, room = 100, situation = of.situation, steps }: Given) =>
  atOnce(pack(situation, holdingsIn(situation.ledgerState, of.address) ?? assert.fail("the account is missing"), situation.ledgerState, {
    steps,
    room,
    mayMerge,
    awaited: new Set(),
    owed: new Set()
  }))

describe("groups of a transaction", () => {
  it("are taken in the order of their steps, all where there is room for all", () => {
    const of = scene()
    const [one, two, three] = [removing(of, ["a"]), removing(of, ["b", "c"]), removing(of, ["d"])]
    assert.deepStrictEqual(packed(of, { steps: [() => [one, two], () => [], () => [three]] }), {
      groups: [one, two, three],
      merges: false,
      cut: null,
      waiting: 0
    })
    assert.strictEqual(count([one, two, three]), 4)
  })

  it("end before the first for which there are too few operations left, and say how many it has", () => {
    const of = scene()
    const [one, two, three] = [removing(of, ["a"]), removing(of, ["b", "c"]), removing(of, ["d"])]
    const steps: ReadonlyArray<StepRule> = [() => [one, two], () => [three]]
    assert.deepStrictEqual(packed(of, { steps, room: 2 }), { groups: [one], merges: false, cut: "full", waiting: 2 })
    assert.deepStrictEqual(packed(of, { steps, room: 3 }), { groups: [one, two], merges: false, cut: "full", waiting: 1 })
    assert.deepStrictEqual(packed(of, { steps, room: 4 }).cut, null)
    assert.deepStrictEqual(packed(of, { steps, room: 0 }), { groups: [], merges: false, cut: "full", waiting: 1 })
  })

  it("end before the first whose bytes do not fit, unless it is larger than an envelope by itself", () => {
    const of = scene()
    const [one, two] = [removing(of, ["a"]), removing(of, ["b", "c"])]
    const limited = (spare: number) => {
      const envelopeLimit = 1_000
      const situation = { ...of.situation, input: { ...of.situation.input, envelopeLimit } }
      let bytes = 0
      packed(of, { situation, steps: [({ room }) => ((bytes = room.bytes), [])] })
      const input = {
        ...situation.input,
        envelopeLimit: envelopeLimit - bytes + operationBytes([...one.operations, ...two.operations]) + spare
      }
      return packed(of, { situation: { ...situation, input }, steps: [() => [one, two]] })
    }
    assert.deepStrictEqual(limited(0), { groups: [one, two], merges: false, cut: null, waiting: 0 })
    assert.deepStrictEqual(limited(-1), { groups: [one], merges: false, cut: "size", waiting: 0 })
    assert.deepStrictEqual(limited(-operationBytes([...one.operations, ...two.operations])), {
      groups: [one],
      merges: false,
      cut: "size",
      waiting: 0
    })
  })

  it("after one whose amounts are read again are its like only", () => {
    const of = scene()
    const [plain, first, second] = [
      removing(of, ["a"]),
      removing(of, ["b"], { rereadAfter: true }),
      removing(of, ["c"], { rereadAfter: true })
    ]
    assert.deepStrictEqual(packed(of, { steps: [() => [plain, first], () => [second]] }).groups, [plain, first, second])
    assert.deepStrictEqual(packed(of, { steps: [() => [first, second], () => [plain]] }), {
      groups: [first, second],
      merges: false,
      cut: "reread",
      waiting: 0
    })
  })

  it("are each asked for on a ledger to which all before were applied, and what fails there counts as taken", () => {
    const of = scene()
    const seen: Array<ReadonlyArray<string>> = []
    const looking = ({ workbench }: StepView): void =>
      void seen.push(names.filter((name) => workbench().get(dataKey(of.address, name)) !== undefined))
    const absent = removing(of, ["none"])
    const step: StepRule = function*(view) {
      for (const group of [removing(of, ["a"]), absent, removing(of, ["b", "c"])]) {
        looking(view)
        yield group
      }
      looking(view)
    }
    assert.lengthOf(packed(of, { steps: [step] }).groups, 3)
    assert.deepStrictEqual(seen, [names, ["b", "c", "d"], ["b", "c", "d"], ["d"]])
  })

  it("that were tried already are applied as they were tried, unless that was on another ledger", () => {
    const of = scene()
    const after = (tried: (view: StepView) => AtomicGroup["tried"]) => {
      let left: ReadonlyArray<string> = []
      const step: StepRule = function*(view) {
        yield removing(of, ["a"], { tried: tried(view) })
        left = names.filter((name) => view.workbench().get(dataKey(of.address, name)) !== undefined)
      }
      packed(of, { steps: [step] })
      return left
    }
    const attempted = ({ workbench }: StepView) => workbench().attempt([removal(of, "b")]).after
    let elsewhere: AtomicGroup["tried"] = null
    packed(of, { steps: [(view) => ((elsewhere = attempted(view)), [])] })
    assert.deepStrictEqual([after(() => null), after(attempted), after(() => elsewhere)], [["b", "c", "d"], ["a", "c", "d"], [
      "b",
      "c",
      "d"
    ]])
  })

  it("may use what is left of the room, in operations of claims where bytes are few", () => {
    const of = scene()
    const rooms: Array<readonly [number, number]> = []
    const step: StepRule = function*({ room }) {
      rooms.push([room.left(), room.whole])
      yield removing(of, ["a", "b"])
      rooms.push([room.left(), room.whole])
    }
    packed(of, { steps: [step], room: 50 })
    packed(of, { steps: [step], situation: { ...of.situation, input: { ...of.situation.input, envelopeLimit: 2_000 } } })
    assert.deepStrictEqual(rooms.slice(0, 2), [[50, 50], [48, 50]])
    const [[before = 0, whole = 0] = [], [after = 0] = []] = rooms.slice(2)
    assert.strictEqual(before, whole)
    assert.isTrue(whole > 0 && whole < 50 && after < before, JSON.stringify(rooms))
  })

  it("are those of the next transaction only on the ledger that was read", () => {
    const of = scene()
    const told: Array<boolean> = []
    const step: StepRule = ({ isNext }) => (told.push(isNext), [])
    packed(of, { steps: [step] })
    const later = of.situation.ledgerState.at({ ledgerSeq: 5_000 })
    const holdings = holdingsIn(later, of.address) ?? assert.fail("the account is missing")
    atOnce(pack(of.situation, holdings, later, { steps: [step], room: 9, mayMerge: false, awaited: new Set(), owed: new Set() }))
    assert.deepStrictEqual(told, [true, false])
  })
})

describe("the merge of a close", () => {
  const merged = (of: Scene, given: Partial<Given> = {}) => packed(of, { steps: [() => []], mayMerge: true, ...given })

  it("comes last, once nothing is left", () => {
    const of = scene(["a"])
    const { cut, groups, merges } = merged(of, { steps: [() => [removing(of, ["a"])]] })
    assert.deepStrictEqual([groups.flatMap(({ operations }) => operations.map(({ type }) => type)), merges, cut], [
      ["manage_data", "account_merge"],
      true,
      null
    ])
    assert.isFalse(merged(of).merges, "something is left")
  })

  it("waits for the next transaction where there is no room for it", () => {
    const of = scene(["a"])
    const { cut, merges, waiting } = merged(of, { steps: [() => [removing(of, ["a"])]], room: 1 })
    assert.deepStrictEqual([cut, merges, waiting], ["full", false, 1])
  })

  it("is left out where it may not be, or where something blocks", () => {
    const of = scene(["a"])
    const steps = (more: Partial<AtomicGroup>): ReadonlyArray<StepRule> => [() => [removing(of, ["a"], more), removing(of, [])]]
    assert.deepStrictEqual(merged(of, { steps: steps({}), mayMerge: false }).merges, false)
    const { cut, merges } = merged(of, { steps: steps({ blockers: [blocked] }) })
    assert.deepStrictEqual([merges, cut], [false, null])
  })

  it("stands apart from what pays others where it bears a memo, given or still to be given", () => {
    const of = scene(["a"])
    const steps = (paysOthers: boolean): ReadonlyArray<StepRule> => [() => [removing(of, ["a"], { paysOthers }), removing(of, [])]]
    const noted = (situation: Situation): Situation => ({
      ...situation,
      input: { ...situation.input, memo: { type: "text", value: "42" } }
    })
    const asking = ({ destination, ...situation }: Situation): Situation => ({
      ...situation,
      destination: destination === null ? null : { ...destination, asksForMemo: true }
    })
    const outcomes = [
      [noted(of.situation), true],
      [noted(of.situation), false],
      [asking(of.situation), true],
      [asking(of.situation), false],
      [of.situation, true]
    ] as const
    assert.deepStrictEqual(
      outcomes.map(([situation, paysOthers]) => {
        const { cut, merges } = merged(of, { situation, steps: steps(paysOthers) })
        return [cut, merges]
      }),
      [["memo", false], [null, true], ["memo", false], [null, true], [null, true]]
    )
  })
})
