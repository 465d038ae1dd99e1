import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { u128 } from "../../../src/ledger/soroban/Values.ts"
import { Amm1Positions } from "../../../src/sandbox/scenarios/Amm1Positions.ts"
import { layer } from "../../support/Layered.ts"
import type { ErrorBody } from "../../support/TestService.ts"
import { answersTo } from "../support/Answering.ts"
import { type NextBody, plan, submit } from "../support/Client.ts"
import { saying } from "../support/GetterLies.ts"
import { Service } from "../support/Service.ts"
import { signed } from "../support/Signing.ts"
import { type Lie, Sources, sourcesService } from "../support/Sources.ts"

/** No pool owes anything of its own. */
const nothingEarned: Lie = saying(({ name }) => (name === "get_user_reward" ? u128(0n) : undefined))

const mostCalls = 12

for (const [place, name] of [[0, "first"], [1, "second"]] as const) {
  layer(sourcesService(2, {}, ["amm_1"]), { excludeTestServices: true })(
    `of two contract RPCs the ${name}, which says that nothing was earned`,
    (it) => {
      it.effect("gets no shares handed over and nothing merged: what was earned would be left", () =>
        Effect.gen(function*() {
          const { call, on, sandbox } = yield* Service
          const liar = (yield* Sources)[place]!
          const { destination, source } = yield* on(Amm1Positions)
          yield* sandbox.closeLedger({ advanceSeconds: 5 })
          const request = { source: source.publicKey(), destination: destination.publicKey() }
          const { covered, refused } = yield* liar.lying(
            nothingEarned,
            Effect.gen(function*() {
              const decisions = answersTo(yield* plan(request), "exit", "convert_to_native")
              const covered: Array<string> = []
              for (;;) {
                const { body } = yield* call<Partial<NextBody & ErrorBody>>("POST", "/v1/testnet/close/transactions", {
                  ...request,
                  decisions
                })
                const [transaction] = body.transactions ?? []
                if (transaction === undefined) return { covered, refused: body.error }
                covered.push(...transaction.covers)
                yield* submit(yield* signed(transaction, source))
                yield* sandbox.closeLedger({ advanceSeconds: 5 })
                assert.isBelow(covered.length, mostCalls)
              }
            })
          )
          assert.notInclude(covered, "MERGE")
          assert.deepInclude(refused, { code: "sources_disagree" })
        }), 60_000)
    }
  )
}
