import { assert } from "@effect/vitest"
import type { xdr } from "@stellar/stellar-sdk"
import { Effect, Layer } from "effect"
import { lumen } from "../../../src/ledger/Asset.ts"
import { newEntry } from "../../../src/ledger/entries/LedgerEntry.ts"
import { addressVal, strkeyOf, struct, u128, vec } from "../../../src/ledger/soroban/Values.ts"
import { ContractAddresses } from "../../../src/registry/ContractAddresses.ts"
import { historyStakeHash } from "../../../src/sandbox/contracts/Amm3.ts"
import { Network } from "../../../src/sandbox/Network.ts"
import { StakedWithoutPho } from "../../../src/sandbox/scenarios/StakedPools.ts"
import { stakedPoolsContracts } from "../../../src/sandbox/scenarios/StakedPoolsContracts.ts"
import { tokenOf } from "../../../src/sandbox/scenarios/StakedPoolsEntries.ts"
import { deployed } from "../../../src/serving/EmbeddedSandbox.ts"
import { codeEntry } from "../../protocols/support/Declared.ts"
import { declaredStake } from "../../protocols/support/DeclaredStake.ts"
import { layer } from "../../support/Layered.ts"
import type { ErrorBody } from "../../support/TestService.ts"
import { firstOf, isThorough } from "../../support/Thorough.ts"
import { answersTo, echo } from "../support/Answering.ts"
import { type NextBody, plan, type PlanBody, submit } from "../support/Client.ts"
import { saying } from "../support/GetterLies.ts"
import { Service } from "../support/Service.ts"
import { signed } from "../support/Signing.ts"
import { type Lie, Sources, sourcesService } from "../support/Sources.ts"

const position = `position:amm_3:${strkeyOf(stakedPoolsContracts.five.pool)}:shares`

/** The sandbox's contracts file without the code of stakes that pay by history. */
const contracts = Layer.effect(
  ContractAddresses,
  Effect.map(ContractAddresses, (file) => {
    const { historyStake: _, ...amm_3 } = file.code?.amm_3 ?? {}
    return { ...file, code: { ...file.code, amm_3 } }
  })
).pipe(Layer.provide(deployed("amm_3")))

/** An account with stakes in unlisted code that declares the interface that an exit relies on. */
const Staked = Effect.gen(function*() {
  const { amend, passphrase } = yield* Network
  const scene = yield* StakedWithoutPho
  yield* amend((state) => state.set([newEntry(codeEntry(historyStakeHash, declaredStake))]))
  return { ...scene, passphrase }
})

/** Answers that the stake owes this amount; null: the call fails. */
const owing = (rewards: xdr.ScVal | null) => saying(({ name }) => (name === "query_withdrawable_rewards" ? rewards : undefined))

const nothing = struct({ rewards: vec() })

const functionsIn = ({ intent: { operations } }: NextBody["transactions"][number]): ReadonlyArray<string> =>
  operations.flatMap((one) => (one.type === "invoke_contract" ? [one.function] : []))

const mostTransactions = 12

const everyCall = ["withdraw_rewards", "unbond", "unbond", "withdraw_liquidity"]

const staked = (place: number) =>
  Effect.gen(function*() {
    const { on, sandbox } = yield* Service
    const scene = yield* on(Staked)
    yield* sandbox.closeLedger({ advanceSeconds: 5 })
    const request = { source: scene.source.publicKey(), destination: scene.destination.publicKey() }
    return { ...scene, liar: (yield* Sources)[place]!, request }
  })

/** Required questions with the usual answers of clients, and the wished choice for the position while it is offered. */
const answers = (planned: PlanBody, wished: string) => {
  const stake = planned.decisionPoints.find(({ id, options }) => id === position && options.some((option) => option.id === wished))
  return [...answersTo(planned, "convert_to_native"), ...(stake === undefined ? [] : [echo(stake, wished)])]
}

/** The calls until the merge, or the error. */
const closed = ({ request, source }: Effect.Effect.Success<ReturnType<typeof staked>>, wished: string) =>
  Effect.gen(function*() {
    const { call, sandbox } = yield* Service
    const called: Array<string> = []
    for (let built = 0; built < mostTransactions; built++) {
      // The decision about the position changes the questions about assets.
      const first = answers(yield* plan(request), wished)
      const decisions = answers(yield* plan({ ...request, decisions: first }), wished)
      const { body } = yield* call<Partial<NextBody & ErrorBody>>("POST", "/v1/testnet/close/transactions", { ...request, decisions })
      const [transaction] = body.transactions ?? []
      if (transaction === undefined) return { called, end: body.error?.code }
      called.push(...functionsIn(transaction))
      yield* submit(yield* signed(transaction, source))
      yield* sandbox.closeLedger({ advanceSeconds: 5 })
      if (transaction.covers.some((one) => one.includes("MERGE"))) return { called, end: "merged" }
    }
    return { called, end: "more transactions than it takes" }
  })

const service = () => sourcesService(2, {}, { contracts })

for (const [place, name] of firstOf(1, [[0, "first"], [1, "second"]] as const)) {
  const account = `an account with a stake in code that no file lists, where of two contract RPCs the ${name}`

  layer(service(), { excludeTestServices: true })(account, (it) => {
    it.effect("says that nothing was earned, loses neither the rewards nor the close", () =>
      Effect.gen(function*() {
        const scene = yield* staked(place)
        const { called, end } = yield* scene.liar.lying(owing(nothing), closed(scene, "exit"))
        assert.deepStrictEqual([called, end], [everyCall, "merged"])
      }), 60_000)
  })

  layer(service(), { excludeTestServices: true })(account, (it) => {
    it.effect.runIf(isThorough)("says that more was earned than is paid, is asked about that", () =>
      Effect.gen(function*() {
        const scene = yield* staked(place)
        const more = [scene.pho, scene.usdc].map((asset) =>
          struct({ reward_address: addressVal(tokenOf(asset, scene.passphrase)), reward_amount: u128(5_000n * lumen) })
        )
        const { called, end } = yield* scene.liar.lying(owing(struct({ rewards: vec(...more) })), closed(scene, "exit"))
        assert.deepStrictEqual([called, end], [[], "position_exit_unsafe"])
      }), 60_000)
  })

  layer(service(), { excludeTestServices: true })(account, (it) => {
    it.effect.runIf(isThorough)(
      "says that the stake fails when it is asked, is asked whether the rewards may be given up",
      () =>
        Effect.gen(function*() {
          const scene = yield* staked(place)
          yield* scene.liar.lying(
            owing(null),
            Effect.gen(function*() {
              const { blockers } = yield* plan(scene.request)
              assert.deepStrictEqual(blockers.map(({ reason, subject }) => [reason, subject]), [["rewards_unread", position]])
              assert.deepStrictEqual(yield* closed(scene, "exit"), { called: [], end: "position_exit_unavailable" })
              assert.deepStrictEqual(yield* closed(scene, "exit_without_rewards"), { called: everyCall.slice(1), end: "merged" })
            })
          )
        }),
      60_000
    )
  })
}

layer(service(), { excludeTestServices: true })(
  "an account with such a stake, where one contract RPC says that nothing was earned",
  (it) => {
    it.effect("is not left while the other does not say what the stake owes", () =>
      Effect.gen(function*() {
        const scene = yield* staked(0)
        const other = (yield* Sources)[1]!
        const mute: Lie = (method, result) => (method === "simulateTransaction" ? null : result)
        const { called, end } = yield* other.lying(mute, scene.liar.lying(owing(nothing), closed(scene, "exit")))
        assert.deepStrictEqual([called, end], [[], "network_unavailable"])
      }), 60_000)
  }
)
