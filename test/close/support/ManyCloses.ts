import { assert } from "@effect/vitest"
import type { Keypair } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import type { Network } from "../../../src/sandbox/Network.ts"
import { DemoAccount } from "../../../src/sandbox/scenarios/DemoAccount.ts"
import type { ScenarioFailed } from "../../../src/sandbox/scenarios/Scenario.ts"
import type { ErrorBody } from "../../support/TestService.ts"
import { answersTo } from "./Answering.ts"
import type { NextBody, PlanBody } from "./Client.ts"
import { lumensOf } from "./LedgerView.ts"
import { Service } from "./Service.ts"
import { signed } from "./Signing.ts"

/** Most requests of a close, with repetitions. */
const mostRequests = 200

interface Patience {
  /** Temporary errors by code: each was followed by the same request after its `Retry-After`. */
  readonly waited: Map<string, number>
  left: number
  /** A timed-out request is sent again, too: 504 has no `Retry-After`. */
  readonly late: boolean
}

/** Sends a request until it gets no temporary error, waiting for each `Retry-After`. */
const patiently = <Body>(patience: Patience, path: string, body: unknown): Effect.Effect<Body, never, Service> =>
  Effect.gen(function*() {
    const { call } = yield* Service
    const answer = yield* call<Body | ErrorBody>("POST", path, body)
    if (answer.status === 200) return answer.body as Body
    const { code } = (answer.body as ErrorBody).error
    const isLate = patience.late && code === "deadline_exceeded"
    const seconds = isLate ? 5 : Number(answer.headers.get("retry-after"))
    assert.strictEqual(answer.status, isLate ? 504 : 503, `${path} answered ${JSON.stringify(answer.body)}`)
    assert.isTrue(seconds >= 1, `${code} says when to come back`)
    assert.isAbove(--patience.left, 0, JSON.stringify([...patience.waited]))
    patience.waited.set(code, (patience.waited.get(code) ?? 0) + 1)
    return yield* Effect.zipRight(Effect.sleep(`${seconds} seconds`), patiently<Body>(patience, path, body))
  })

/** Closes one account as a client does that obeys `Retry-After`. Returns its last plan. */
const closed = ({ destination, source }: { readonly source: Keypair; readonly destination: Keypair }, patience: Patience) =>
  Effect.gen(function*() {
    const request = { source: source.publicKey(), destination: destination.publicKey() }
    const plan = (body: object) => patiently<PlanBody>(patience, "/v1/testnet/close/plan", body)
    const decisions = answersTo(yield* plan(request))
    for (;;) {
      const next = yield* patiently<NextBody>(patience, "/v1/testnet/close/transactions", { ...request, decisions })
      for (const transaction of next.transactions) {
        yield* patiently(patience, "/v1/testnet/submit", { signedXdr: yield* signed(transaction, source) })
      }
      if (!next.remaining.requiresAnotherCall) break
    }
    return yield* plan({ ...request, decisions })
  })

/** Creates the account to close at an index. */
type Made = (at: number) => Effect.Effect<{ readonly source: Keypair; readonly destination: Keypair }, ScenarioFailed, Network>

/**
 * Closes this many accounts at once: demo accounts, or those of `made`. Returns the count of each temporary error; with `late` a timed-out
 * request counts as one.
 */
export const closesAtOnce = (
  count: number,
  { late = false, made = () => DemoAccount }: { readonly late?: boolean; readonly made?: Made } = {}
) =>
  Effect.gen(function*() {
    const { on } = yield* Service
    const accounts = yield* Effect.forEach(Array.from({ length: count }), (_, at) => on(made(at)))
    const before = yield* Effect.forEach(accounts, ({ destination }) => lumensOf(destination))
    const waited = new Map<string, number>()
    const ends = yield* Effect.forEach(accounts, (account) => closed(account, { waited, left: mostRequests, late }), {
      concurrency: "unbounded"
    })
    assert.deepStrictEqual(ends.map(({ status }) => status), accounts.map(() => "complete"))
    for (const [at, { destination }] of accounts.entries()) {
      assert.isAbove(Number((yield* lumensOf(destination)) - before[at]!), 90_0000000)
    }
    return waited
  })
