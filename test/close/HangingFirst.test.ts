import { assert } from "@effect/vitest"
import { Clock, Effect } from "effect"
import { Hang } from "../../src/sandbox/faults/Connection.ts"
import { layer } from "../support/Layered.ts"
import { Pair } from "./support/Accounts.ts"
import { offered, plan, submit } from "./support/Client.ts"
import { acknowledged } from "./support/Judged.ts"
import { accountOf } from "./support/LedgerView.ts"
import { Service } from "./support/Service.ts"
import { signed } from "./support/Signing.ts"
import { Sources, sourcesService } from "./support/Sources.ts"

/** Milliseconds that one request alone would wait for a hanging endpoint without the request's own time limit. */
const oneQuestion = 10_000

/** Runs work while one of two contract RPCs hangs, and checks that it ends before one request would have timed out. */
const whileHanging = <A, E, R>(which: 0 | 1, work: Effect.Effect<A, E, R>) =>
  Effect.gen(function*() {
    const hanging = (yield* Sources)[which]!
    yield* hanging.faults.set({ fault: new Hang({}), rpc: "*" })
    const began = yield* Clock.currentTimeMillis
    const done = yield* Effect.ensuring(work, hanging.faults.clear())
    assert.isBelow((yield* Clock.currentTimeMillis) - began, oneQuestion)
    return done
  })

for (const [name, which] of [["first", 0], ["second", 1]] as const) {
  layer(sourcesService(2), { excludeTestServices: true })(`a close whose ${name} of two contract RPCs hangs`, (it) => {
    it.effect("is planned, built and submitted all the same", () =>
      Effect.gen(function*() {
        const { destination, source } = yield* (yield* Service).on(Pair())
        const request = acknowledged(source, destination)
        const { status } = yield* whileHanging(which, plan(request))
        assert.strictEqual(status, "ready")
        const transaction = yield* whileHanging(which, offered(request))
        const sent = yield* whileHanging(which, Effect.flatMap(signed(transaction, source), submit))
        assert.deepStrictEqual([sent.status, sent.hash], ["success", transaction.hash])
        assert.isNull(yield* accountOf(source))
      }))
  })
}
