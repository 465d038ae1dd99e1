import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { verify } from "../../src/verify/Verify.ts"
import { isThorough } from "../support/Thorough.ts"
import type { Attempt, Case, Mutation } from "./support/Case.ts"
import { readCorpus } from "./support/Corpus.ts"
import { areas, mutations } from "./support/Mutations.ts"

/** Chooses by a number, the same for the same number. */
const choosing = (seed: number) => {
  let next = seed >>> 0
  return <A>(among: ReadonlyArray<A>): A => {
    next = (Math.imul(next, 1_664_525) + 1_013_904_223) >>> 0
    const chosen = among[next % among.length]
    if (chosen === undefined) throw new Error("nothing to choose from")
    return chosen
  }
}

const attempt = (mutation: Mutation, one: Case, seed: number): Attempt | null => {
  const made = mutation.of(one, choosing(seed))
  return made === null || (made.expected === undefined && made.envelope === one.envelope) ? null : made
}

const judged = (one: Case, { envelope = one.envelope, expected = one.expected }: Attempt) => verify(expected, envelope)

/** Attempts so far. */
let tries = 0

/** The fault of a mutation; null: none. */
const failureOf = (mutation: Mutation, one: Case, seed: number): string | null => {
  const made = attempt(mutation, one, seed)
  if (made === null) return null
  tries += 1
  const found = judged(one, made)
  if (found.ok === (mutation.isHarmless ?? false)) return null
  return `${mutation.name} of (${one.name}): ${found.ok ? "admitted" : found.violations.map(({ rule }) => rule).join()}`
}

const corpus = readCorpus()

/** Attempts of the random run. */
const runs = isThorough ? 20_000 : 100

/** Milliseconds, on a busy machine. */
const longest = 300_000

/** Gives other tasks a turn. */
const turn = () => new Promise((resolve) => setImmediate(resolve))

describe("the verifier under attack", () => {
  it("admits every transaction of the test run", () => {
    const refused = corpus.flatMap((one) => {
      const found = verify(one.expected, one.envelope)
      return found.ok ? [] : [`${one.name}: ${JSON.stringify(found.violations)}`]
    })
    assert.deepStrictEqual(refused, [])
    assert.isAbove(corpus.length, 80)
  })

  it("knows at least sixty ways to change one, each of which some transaction can suffer", () => {
    assert.isAtLeast(mutations.length, 60)
    assert.strictEqual(new Set(mutations.map(({ name }) => name)).size, mutations.length)
    const idle = mutations.filter((mutation) => !corpus.some((one) => attempt(mutation, one, 1) !== null)).map(({ name }) => name)
    assert.deepStrictEqual(idle, [])
  })

  for (const [area, kinds] of Object.entries(areas)) {
    it(`refuses every change of what happens, and lets every other one pass: ${area}, of every transaction`, async () => {
      const failures: Array<string> = []
      for (const [index, one] of corpus.entries()) {
        failures.push(...kinds.flatMap((mutation) => failureOf(mutation, one, index) ?? []))
        await turn()
      }
      assert.deepStrictEqual(failures.slice(0, 10), [])
    }, longest)
  }

  it("was tried ten thousand times in all", () => {
    assert.isAbove(tries, 10_000)
  })

  it("does so in random attempts, after changes that are harmless as well", async () => {
    const [one, kind, seed] = [FastCheck.nat({ max: corpus.length - 1 }), FastCheck.nat({ max: mutations.length - 1 }), FastCheck.nat()]
    let tried = 0
    await FastCheck.assert(
      FastCheck.asyncProperty(one, kind, kind, seed, async (at, first, second, number) => {
        const [chosen, mutation, other] = [corpus[at], mutations[first], mutations[second]]
        if (chosen === undefined || mutation === undefined || other === undefined) return
        const isTried = attempt(mutation, chosen, number) !== null
        // A mutation that does not fit this transaction gets another one.
        FastCheck.pre(isTried)
        tried += 1
        if (tried % 100 === 0) await turn()
        assert.isNull(failureOf(mutation, chosen, number))
        const before = other.isHarmless ?? false ? attempt(other, chosen, number) : null
        if (before !== null) assert.isNull(failureOf(mutation, { ...chosen, ...before }, number), `after ${other.name}`)
      }),
      { numRuns: runs, seed: 36, maxSkipsPerRun: 100 }
    )
    assert.isAtLeast(tried, runs)
  }, longest)
})
