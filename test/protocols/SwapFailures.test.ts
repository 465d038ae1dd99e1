import { assert, it } from "@effect/vitest"
import * as amm1 from "../../src/protocols/amm1/Failures.ts"
import * as amm2 from "../../src/protocols/amm2/Failures.ts"
import * as amm3 from "../../src/protocols/amm3/Failures.ts"

it("a trade that pays less than agreed, or comes too late, is one to be built again; what a pool's operators refuse is told", () => {
  const tagOf = (problem: { readonly _tag: string } | null) => problem?._tag ?? null
  const amm1Said = [2006, 2010, 206, 10, 13, 999].map((code) => tagOf(amm1.problemOf({ function: "swap_chained" }, code)))
  assert.deepStrictEqual(amm1Said, ["Changed", "Changed", "Unavailable", "Short", "CannotReceive", null])
  const amm2Said = [503, 507, 114, 10, 999].map((code) => tagOf(amm2.problemOf({ function: "swap_exact_tokens_for_tokens" }, code)))
  assert.deepStrictEqual(amm2Said, ["Changed", "Changed", "Unavailable", "Short", null])
  const amm3Said = [1, 21, 22, 300, 320, 321, 999].map((code) => tagOf(amm3.problemOf({ function: "swap" }, code)))
  assert.deepStrictEqual(amm3Said, ["Changed", "Changed", "Changed", "Changed", "Changed", "Changed", null])
})
