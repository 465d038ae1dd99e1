import { assert } from "@effect/vitest"
import type { Keypair } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { acceptOf, assertKept } from "../../../close/support/Accepting.ts"
import { type Answer, type Asked, type NextBody, plan, type PlanBody, submit } from "../../../close/support/Client.ts"
import { accountOf, lumensOf } from "../../../close/support/LedgerView.ts"
import { Service } from "../../../close/support/Service.ts"
import { signed } from "../../../close/support/Signing.ts"
import type { ErrorBody } from "../../../support/TestService.ts"

type Point = PlanBody["decisionPoints"][number]

/** Most plans with new questions, and most builds, before a close counts as endless. */
const mostTurns = 6
const mostBuilds = 40

/** The owner of a close, and the answers to points without a recommended option. */
export interface Owner {
  readonly source: Keypair
  readonly destination: Keypair
  readonly answer: (point: Point) => Answer | null
}

/** Events between the plan and the end of a close. */
export interface Meanwhile<R> {
  /** Whether a price falls: a build may then fail. */
  readonly falls: boolean
  /** Before the build of each transaction. */
  readonly before: (turn: number) => Effect.Effect<unknown, never, R>
  /** Between a build and its submission. */
  readonly after: (turn: number) => Effect.Effect<unknown, never, R>
}

/** The request of an owner who answers only points without a recommended option, and accepts the rest; null: the account has a blocker. */
export const acceptedRequest = ({ answer, destination, source }: Owner) =>
  Effect.gen(function*() {
    const base = { source: source.publicKey(), destination: destination.publicKey() }
    const given = new Map<string, Answer>()
    for (let turn = 0; turn < mostTurns; turn++) {
      const shown: PlanBody = yield* plan({ ...base, decisions: [...given.values()] })
      if (shown.status === "blocked") return null
      const suggested = new Set(shown.suggestedDecisions.map(({ id }) => id))
      const open = shown.decisionPoints.filter(({ answered, id, required }) => required && !answered && !suggested.has(id))
      if (open.length === 0) return { request: { ...base, decisions: [...given.values()], accept: acceptOf(shown) }, shown }
      for (const point of open) given.set(point.id, answer(point) ?? assert.fail(`no answer to ${point.id}`))
    }
    return assert.fail("the questions never end")
  })

/** The end of a close by an acceptance. */
export interface AcceptedOutcome {
  readonly end: "closed" | "below the accepted amount" | "a sale is recommended no more"
  readonly builds: ReadonlyArray<NextBody>
}

/**
 * The end of a close whose build failed after a price fell: below the accepted amount, or with a question about a sale that is no longer
 * recommended.
 */
const refusedEnd = ({ code, details = {} }: ErrorBody["error"], told: string): AcceptedOutcome["end"] => {
  if (code === "below_accepted_minimum") return "below the accepted amount"
  assert.strictEqual(code, "needs_decisions", told)
  for (const id of details["missing"] as ReadonlyArray<string>) assert.match(id, /^(asset|token):/, told)
  return "a sale is recommended no more"
}

/**
 * Closes by an acceptance, without further questions. At least the accepted amount arrives, or a build fails before anything more is
 * signed.
 */
export const closeByAcceptance = <R>(owner: Owner, request: Asked, { after, before, falls }: Meanwhile<R>, told: string) =>
  Effect.gen(function*() {
    const { call } = yield* Service
    const { destination, source } = owner
    const had = yield* lumensOf(destination)
    const builds: Array<NextBody> = []
    while ((yield* accountOf(source)) !== null) {
      assert.isBelow(builds.length, mostBuilds, told)
      yield* before(builds.length)
      const sequence = (yield* accountOf(source))?.seqNum
      const { body, status } = yield* call<NextBody & Partial<ErrorBody>>("POST", "/v1/testnet/close/transactions", request)
      if (status !== 200) {
        const { error } = body
        if (!falls || error === undefined) return assert.fail(`${told}: ${status} ${JSON.stringify(body)}`)
        assert.strictEqual((yield* accountOf(source))?.seqNum, sequence)
        return { end: refusedEnd(error, told), builds } satisfies AcceptedOutcome
      }
      yield* after(builds.length)
      const [offer] = body.transactions
      yield* submit(yield* signed(offer ?? assert.fail(told), source))
      builds.push(body)
    }
    assertKept((yield* lumensOf(destination)) - had, request, told)
    return { end: "closed", builds } satisfies AcceptedOutcome
  })
