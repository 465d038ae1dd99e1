import { assert, describe, it } from "@effect/vitest"
import { type EntryOutcome, entryOutcome, rentOf } from "../../../src/ledger/soroban/Invocation.ts"
import { Lifetimes, type LivingEntry } from "../../../src/ledger/soroban/Life.ts"
import { a, accountKey, code, entryOf, least, lent, live, now, over, settings, sizeOf } from "./support/Invocations.ts"

describe("what became of one entry", () => {
  const lives = new Lifetimes(now, settings)
  const living = (size: number, liveUntil: number | undefined): LivingEntry => ({ entry: entryOf("a", size), liveUntil })

  it("counts from nothing where it is new or came back, and never lives shorter than before", () => {
    const [old, none] = [{ oldLiveUntil: live, oldSize: sizeOf(8) }, { oldLiveUntil: 0, oldSize: 0 }]
    type Told = Pick<EntryOutcome, "after" | "oldLiveUntil" | "oldSize">
    const cases: ReadonlyArray<readonly [before: LivingEntry | undefined, after: LivingEntry | undefined, isRestored: boolean, Told]> = [
      [undefined, undefined, false, { after: undefined, ...none }],
      [undefined, living(4, 3), false, { after: living(4, 3), ...none }],
      [living(8, live), undefined, false, { after: undefined, ...old }],
      [living(8, live), living(4, live - 1), false, { after: living(4, live), ...old }],
      [living(8, live), living(4, live + 1), false, { after: living(4, live + 1), ...old }],
      [living(8, undefined), living(4, undefined), false, { after: living(4, undefined), ...old, oldLiveUntil: 0 }],
      [living(8, least), undefined, true, { after: undefined, ...none }],
      [living(8, over), living(8, over), true, { after: living(8, least), ...none }],
      [living(8, least), living(8, least + 1), true, { after: living(8, least + 1), ...none }]
    ]
    for (const [before, after, isRestored, told] of cases) {
      for (const which of [{ key: a, isReadOnly: false }, { key: lent, isReadOnly: true }]) {
        assert.deepStrictEqual(entryOutcome({ ...which, before, after, isRestored }, lives), { ...which, before, ...told })
      }
    }
  })

  const oldSize = sizeOf(8)
  const outcome: EntryOutcome = { key: a, isReadOnly: false, before: undefined, after: living(8, live), oldLiveUntil: live, oldSize }

  it("owes rent where it grew or lives longer", () => {
    const change = { durability: "persistent", isCode: false, oldSize, newSize: oldSize, oldLiveUntil: live, newLiveUntil: live }
    const grown = { ...change, newSize: sizeOf(12) }
    const cases: ReadonlyArray<readonly [Partial<EntryOutcome>, typeof change]> = [
      [{ after: living(12, live) }, grown],
      [{ after: living(12, live), key: code }, { ...grown, isCode: true }],
      [{ after: living(8, live + 1), key: lent }, { ...change, durability: "temporary", newLiveUntil: live + 1 }],
      [{ after: living(4, live + 1) }, { ...change, newSize: sizeOf(4), newLiveUntil: live + 1 }],
      [{ after: living(12, live + 1), isReadOnly: true }, { ...change, newLiveUntil: live + 1 }]
    ]
    for (const [given, rent] of cases) assert.deepStrictEqual<ReadonlyArray<unknown>>(rentOf({ ...outcome, ...given }), [rent])
  })

  it("owes none otherwise, nor where it is gone or classic", () => {
    const free: ReadonlyArray<Partial<EntryOutcome>> = [
      {},
      { after: living(4, live - 1) },
      { after: living(12, live), isReadOnly: true },
      { after: undefined },
      { after: living(12, undefined) },
      { after: living(12, live + 1), key: accountKey }
    ]
    assert.deepStrictEqual(free.map((change) => rentOf({ ...outcome, ...change })), free.map(() => []))
  })
})
