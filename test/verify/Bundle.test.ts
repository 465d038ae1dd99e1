import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { spawnSync } from "node:child_process"
import { bundleVerifier, weightOf } from "../../scripts/verify-bundle.ts"
import { browserPage, chromium } from "../support/Browser.ts"
import { readCorpus, written } from "./support/Corpus.ts"

/** Most gzipped bytes of the bundle in a browser: its size when it was made, and a twentieth. */
const most = 74_000

if (chromium === null) console.log("skipped: no Chromium")

/** Every fourth transaction, judged by a bundled verifier unchanged and with other inputs; returns the verdicts. */
const judging = (cases: string): string =>
  `(() => {
  const cases = JSON.parse(${JSON.stringify(cases)}, (_, one) =>
    one !== null && typeof one === "object" && Object.keys(one).join() === "bigint" ? BigInt(one.bigint) : one)
  return JSON.stringify(cases.map(({ envelope, expected }) => [
    verifier.verify(expected, envelope).ok,
    verifier.verify({ ...expected, feeCap: -1n }, envelope).violations[0].rule,
    verifier.verify({ ...expected, sequence: expected.sequence + 1n }, envelope).violations[0].rule,
    verifier.explain(envelope, expected.networkPassphrase).length > 2
  ]))
})()`

const cases = readCorpus().filter((_, index) => index % 4 === 0)
const verdicts = JSON.stringify(cases.map(() => [true, "unusable_input", "sequence", true]))

describe("the verifier as one module for browsers", () => {
  it("weighs no more than it did, with the contracts of both networks", async () => {
    const weight = weightOf(await bundleVerifier())
    assert.isBelow(weight, most, "a larger one has to be a decision")
    assert.isAbove(weight, most / 1.1, "where it became smaller, so does the limit")
  })

  it("needs nothing that only Node has", async () => {
    const lacking = "for (const name of ['Buffer', 'process', 'require', 'global', 'setImmediate']) delete globalThis[name];"
    const program = `const tell = console.log; ${lacking} ${await bundleVerifier("verifier")}; tell(${judging(written(cases))})`
    const { stdout } = spawnSync(process.execPath, ["--input-type=module"], { input: program, encoding: "utf8", maxBuffer: 10_000_000 })
    assert.strictEqual(stdout.trim(), verdicts)
  })

  it.scoped.skipIf(chromium === null)("verifies in a browser", () =>
    Effect.gen(function*() {
      const page = yield* browserPage
      const bundle = yield* Effect.promise(() => bundleVerifier("verifier"))
      yield* Effect.promise(() => page.evaluate(`(0, eval)(${JSON.stringify(`${bundle};globalThis.verifier = verifier`)}), true`))
      assert.strictEqual(yield* Effect.promise(() => page.evaluate(judging(written(cases)))), verdicts)
    }))
})
