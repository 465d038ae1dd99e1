import { assert, describe, it } from "@effect/vitest"
import { Effect, Either, FastCheck, Schema } from "effect"
import { atOnce } from "../../src/chain/pace/Turns.ts"
import { offeredPoint } from "../../src/close/answer/OfferedPoint.ts"
import { project } from "../../src/close/project/Projection.ts"
import { quotedWorth } from "../../src/close/project/Worth.ts"
import { answersIn } from "../../src/close/situation/Decisions.ts"
import { type DecisionPoint, OfferedPoint } from "../../src/domain/Decision.ts"
import { situationOf } from "../deep/support/ModelSituation.ts"
import { aShape, populate, type Shape } from "../deep/support/RandomAccount.ts"

const unpriced = quotedWorth([])

const encoded = Schema.encodeSync(OfferedPoint)

/** The options of a close as JSON, each with the answer that echoes it. */
const echoes = (shape: Shape) => {
  const { cast, world } = populate(shape)
  const situation = situationOf(world.state, cast, new Map(), { feePayer: shape.bump ? "fee_bump" : "source" })
  if (situation === null) return []
  const { points } = atOnce(project(situation))
  return points.map((point) => encoded(offeredPoint(point, unpriced))).flatMap(({ id, options }) =>
    options.map(({ id: choice, needs, params }) => ({ needs, answer: { id, choice, ...(params === undefined ? {} : { params }) } }))
  )
}

const point = (id: string, ...options: DecisionPoint["options"]): DecisionPoint => ({
  id,
  type: "asset",
  subject: "",
  about: { kind: "later", ledger: 1 },
  options,
  default: null,
  required: true,
  answered: false
})

const destination = "GDW6AUTBXTOC7FIKUO5BOO3OGLK4SF7ZPOBLMQHMZDI45J2Z6VXRB5NR"

describe("an option", () => {
  it("that needs nothing is never a malformed answer, whatever the account holds", () => {
    let echoed = 0
    FastCheck.assert(
      FastCheck.property(aShape, (shape) => {
        for (const { answer, needs } of echoes(shape)) {
          if (needs.length > 0) continue
          echoed++
          assert.isTrue(Either.isRight(Effect.runSync(Effect.either(answersIn([answer])))), JSON.stringify(answer))
        }
      }),
      { numRuns: 60 }
    )
    assert.isAbove(echoed, 100)
  })

  it("says which params are still to be added", () => {
    const offered = offeredPoint(
      point(
        `asset:USD-${destination}`,
        { id: "convert_to_native" },
        { id: "return_to_issuer", loses: [], params: { maxAmount: "1844674407370.9551614" } },
        { id: "transfer_to_account", params: { maxAmount: "1" } }
      ),
      unpriced
    )
    assert.deepStrictEqual(offered.options.map(({ id, needs }) => [id, needs]), [["convert_to_native", ["minReceive"]], [
      "transfer_to_account",
      ["destination"]
    ], ["return_to_issuer", []]])
    const others = offeredPoint(
      point("claims:others", { id: "forfeit", loses: [], params: { maxCount: 5 } }, { id: "forfeit", loses: [] }),
      unpriced
    )
    assert.deepStrictEqual(others.options.map(({ needs }) => needs), [[], ["maxCount"]])
    const release = offeredPoint(point(`sponsorship:account:${destination}`, { id: "transfer_sponsorship" }, { id: "revoke" }), unpriced)
    assert.deepStrictEqual(release.options.map(({ needs }) => needs), [["newSponsor"], []])
  })

  it("is malformed without what it needs, but for a floor or an accepted price impact, which the builder asks for", () => {
    FastCheck.assert(
      FastCheck.property(aShape, (shape) => {
        for (const { answer, needs } of echoes(shape)) {
          if (needs.length === 0) continue
          assert.strictEqual(
            Either.isLeft(Effect.runSync(Effect.either(answersIn([answer])))),
            !needs.includes("minReceive") && !needs.includes("acceptPriceImpactBps"),
            JSON.stringify(answer)
          )
        }
      }),
      { numRuns: 20 }
    )
  })
})
