import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { verify } from "../../src/verify/Verify.ts"
import type { Attempt, Case, Mutation } from "./support/Case.ts"
import { readCorpus } from "./support/Corpus.ts"
import { mutations } from "./support/Mutations.ts"

/** Chooses by a number, the same for the same. */
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

/** What of a mutation is not as it should be; null: nothing. */
const failureOf = (mutation: Mutation, one: Case, seed: number): string | null => {
  const made = attempt(mutation, one, seed)
  if (made === null) return null
  const found = judged(one, made)
  if (found.ok === (mutation.isHarmless ?? false)) return null
  return `${mutation.name} of (${one.name}): ${found.ok ? "admitted" : found.violations.map(({ rule }) => rule).join()}`
}

const corpus = readCorpus()

/** Attempts of the random run. */
const runs = 10_000

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

  it("refuses every change of what happens, and lets every other one pass: each kind, on every transaction", () => {
    const failures = corpus.flatMap((one, index) => mutations.flatMap((mutation) => failureOf(mutation, one, index) ?? []))
    assert.deepStrictEqual(failures.slice(0, 10), [])
  })

  it("does so in ten thousand random attempts, two at once as well", () => {
    const [one, kind, seed] = [FastCheck.nat({ max: corpus.length - 1 }), FastCheck.nat({ max: mutations.length - 1 }), FastCheck.nat()]
    let tried = 0
    FastCheck.assert(
      FastCheck.property(one, kind, kind, seed, (at, first, second, number) => {
        const [chosen, mutation, other] = [corpus[at], mutations[first], mutations[second]]
        if (chosen === undefined || mutation === undefined || other === undefined) return
        assert.isNull(failureOf(mutation, chosen, number))
        const made = attempt(mutation, chosen, number)
        if (made === null) return
        tried += 1
        // What is refused stays refused whatever is changed besides, as long as that does not undo it.
        const twice = other.isHarmless ?? false ? attempt(other, { ...chosen, ...made }, number) : null
        if (twice !== null) {
          assert.strictEqual(judged({ ...chosen, ...made }, twice).ok, mutation.isHarmless ?? false, `${mutation.name}, then ${other.name}`)
        }
      }),
      { numRuns: runs, seed: 36 }
    )
    assert.isAbove(tried, runs / 3)
  })
})
