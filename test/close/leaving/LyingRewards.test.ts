import { assert } from "@effect/vitest"
import type { Keypair } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { addressOf, asU128, field, u128 } from "../../../src/ledger/soroban/Values.ts"
import { userRewardKey } from "../../../src/sandbox/contracts/amm1/RewardKeys.ts"
import { amm1ContractsAt } from "../../../src/sandbox/scenarios/Amm1Contracts.ts"
import { Amm1Positions } from "../../../src/sandbox/scenarios/Amm1Positions.ts"
import { keyOfContractData } from "../../../src/xdr/LedgerKeys.ts"
import { layer } from "../../support/Layered.ts"
import type { ErrorBody } from "../../support/TestService.ts"
import { firstOf, isThorough } from "../../support/Thorough.ts"
import { answersTo } from "../support/Answering.ts"
import { type NextBody, plan, submit } from "../support/Client.ts"
import { saying } from "../support/GetterLies.ts"
import { Service } from "../support/Service.ts"
import { signed } from "../support/Signing.ts"
import { type Lie, Sources, sourcesService } from "../support/Sources.ts"

/** The small debt of every pool of its own, base units. */
const earned = (units: bigint): Lie => saying(({ name }) => (name === "get_user_reward" ? u128(units) : undefined))

const { concentrated, constantProduct } = amm1ContractsAt

/** The debts to an account that pools recorded last, in base units. */
const owed = (owner: Keypair) =>
  Effect.map(
    Effect.flatMap(Service, ({ sandbox }) => sandbox.snapshot),
    ({ state }) =>
      [constantProduct, concentrated].reduce((sum, pool) => {
        const data = state.get(keyOfContractData(pool, userRewardKey(addressOf(owner.publicKey())), "persistent"))?.data
        return data?.type === "contractData" ? sum + asU128(field(data.contractData.val, "to_claim")) : sum
      }, 0n)
  )

const mostCalls = 12

for (const [place, name] of firstOf(1, [[0, "first"], [1, "second"]] as const)) {
  layer(sourcesService(2, {}, ["amm_1"]), { excludeTestServices: true })(
    `of two contract RPCs the ${name}`,
    (it) => {
      const lying = (units: bigint) =>
        Effect.gen(function*() {
          const { call, on, sandbox } = yield* Service
          const liar = (yield* Sources)[place]!
          const { destination, source } = yield* on(Amm1Positions)
          yield* sandbox.closeLedger({ advanceSeconds: 5 })
          const request = { source: source.publicKey(), destination: destination.publicKey() }
          const { covered, refused } = yield* liar.lying(
            earned(units),
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
          return { covered, left: yield* owed(source), refused }
        })

      it.effect.runIf(isThorough)(
        "which says that nothing was earned, gets no shares handed over and nothing merged: what was earned would be left",
        () =>
          Effect.gen(function*() {
            const { covered, refused } = yield* lying(0n)
            assert.notInclude(covered, "MERGE")
            assert.deepInclude(refused, { code: "sources_disagree" })
          }),
        60_000
      )

      it.effect.runIf(isThorough)(
        "which says that next to nothing was earned, leaves nothing behind that is worth a claim",
        () =>
          Effect.gen(function*() {
            const { covered, left, refused } = yield* lying(1n)
            if (covered.some((one) => one.includes("MERGE"))) assert.strictEqual(left, 0n)
            else assert.deepInclude(refused, { code: "sources_disagree" })
          }),
        60_000
      )
    }
  )
}
