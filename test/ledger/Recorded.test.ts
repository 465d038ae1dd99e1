import { assert, describe, it } from "@effect/vitest"
import { recordings, recordingsExist } from "./support/Recording.ts"
import { leftOut, replay } from "./support/Replay.ts"
import { isWhole, replayLedgers } from "./support/ReplayLedgers.ts"

if (!recordingsExist) console.info("skipped: no recordings")

describe.skipIf(!recordingsExist)("recorded transactions", () => {
  const files = recordings()
  const replayed = new Map<string, number>()
  const skipped = new Map<string, number>()
  const count = (counts: Map<string, number>, what: string): void => void counts.set(what, (counts.get(what) ?? 0) + 1)

  for (const [file, units] of files) {
    it(file, () => {
      const failures = units.flat().flatMap((recorded) => {
        const reason = leftOut(recorded)
        if (reason !== undefined) {
          count(skipped, reason)
          return []
        }
        count(replayed, file)
        return replay(recorded).map((difference) => `${recorded.id} (${recorded.operations.join(", ")}): ${difference}`)
      })
      assert.deepStrictEqual(failures, [])
    })
  }

  it("sequences, as whole ledgers handed on from one to the next", () => {
    const sequences = [...files.values()].flat().filter(isWhole)
    assert.deepStrictEqual(sequences.flatMap(replayLedgers), [])
    console.info(`replayed ${sequences.length} sequences of ${sequences.flat().length} transactions as ledgers`)
  })

  it("leaves out only what its rules name", () => {
    const sum = (counts: ReadonlyMap<string, number>): number => [...counts.values()].reduce((total, next) => total + next, 0)
    console.info(
      [`replayed ${sum(replayed)}, left out ${sum(skipped)}`, ...[...skipped].map(([why, times]) => `  ${times} ${why}`)].join("\n")
    )
    assert.strictEqual(sum(replayed) + sum(skipped), [...files.values()].flat(2).length)
    assert.isAbove(sum(replayed), 500)
  })
})
