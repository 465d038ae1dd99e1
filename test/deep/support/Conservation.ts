import { assert } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import { closeOnModel } from "./ModelClose.ts"
import { aShape, populate } from "./RandomAccount.ts"

/**
 * Closes this many random accounts. Each closes in the planned transactions with the promised proceeds and loses no unit, or gets blockers
 * that the ledger confirms. Both outcomes must occur.
 */
export const closesKeepValue = (cases: number): void => {
  const outcomes = new Map<string, number>()
  const count = (name: string) => outcomes.set(name, (outcomes.get(name) ?? 0) + 1)
  fc.assert(
    fc.property(aShape, (shape) => {
      const { cast, world } = populate(shape)
      const outcome = closeOnModel(world, cast, shape)
      count(outcome.kind)
      if (outcome.kind === "closed") count(outcome.transactions > 1 ? "closed in several" : "closed in one")
      else outcome.reasons.forEach(count)
    }),
    { numRuns: cases }
  )
  for (const kind of ["closed in one", "closed in several", "auth_immutable", "trustline_deauthorized", "insufficient_lumens"]) {
    assert.isAbove(outcomes.get(kind) ?? 0, 0, `${kind} never happened`)
  }
}
