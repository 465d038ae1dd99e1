import { assert } from "@effect/vitest"
import type { Keypair } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { answersTo } from "./Answering.ts"
import { type Answer, type Asked, next, type NextBody, plan, type PlanBody, submit } from "./Client.ts"
import { accountOf, lumensOf } from "./LedgerView.ts"
import type { Service } from "./Service.ts"
import { decoded, signed } from "./Signing.ts"

export interface CloseOrder {
  readonly source: Keypair
  readonly destination: Keypair
  /** Wished choices, in order of preference. */
  readonly wished?: ReadonlyArray<string>
  readonly asked?: Asked
  readonly decisions?: ReadonlyArray<Answer>
}

export interface Closed {
  readonly plan: PlanBody
  readonly rounds: ReadonlyArray<NextBody>
  readonly envelopes: ReadonlyArray<string>
  /** Stroops the destination received. */
  readonly received: bigint
}

const mostCalls = 60

/**
 * Closes an account as a client does: plans, decides, then builds, signs and submits until no further call is required. Checks every
 * promise of one answer against the next one.
 */
export const closeThrough = (
  { asked = {}, decisions: given, destination, source, wished = [] }: CloseOrder
): Effect.Effect<Closed, never, Service> =>
  Effect.gen(function*() {
    const before = yield* lumensOf(destination)
    const request = { source: source.publicKey(), destination: destination.publicKey(), ...asked }
    const first = yield* plan({ ...request, decisions: given ?? [] })
    const decisions = given ?? answersTo(first, ...wished)
    const ready = given === undefined && decisions.length > 0 ? yield* plan({ ...request, decisions }) : first
    assert.strictEqual(ready.status, "ready", JSON.stringify({ blockers: ready.blockers, points: ready.decisionPoints }))
    const rounds: Array<NextBody> = []
    const envelopes: Array<string> = []
    let planHash: string | null = ready.planHash
    for (;;) {
      const answer: NextBody = yield* next({ ...request, decisions, ...(planHash === null ? {} : { planHash }) })
      const [transaction] = answer.transactions
      assert.lengthOf(answer.transactions, 1)
      assert.deepStrictEqual(transaction?.next, ["sign", "submit"])
      assert.strictEqual(transaction?.reason, ready.transactions[rounds.length]?.reason)
      assert.strictEqual(answer.planHash, planHash ?? answer.planHash)
      const envelope: string = yield* signed(transaction!, source)
      assert.strictEqual(Buffer.from((yield* decoded(transaction!)).hash()).toString("hex"), transaction!.hash)
      assert.strictEqual((yield* submit(envelope)).hash, transaction!.hash)
      rounds.push(answer)
      envelopes.push(envelope)
      if (!answer.remaining.requiresAnotherCall) break
      assert.isBelow(rounds.length, mostCalls)
      planHash = answer.nextPlanHash
    }
    assert.strictEqual(yield* accountOf(source), null)
    return { plan: ready, rounds, envelopes, received: (yield* lumensOf(destination)) - before }
  })
