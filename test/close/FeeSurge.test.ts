import { assert } from "@effect/vitest"
import { Keypair, Operation } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { SurgeBaseFee } from "../../src/sandbox/faults/SubmissionFaults.ts"
import { fund } from "../../src/sandbox/scenarios/Scenario.ts"
import { signedEnvelope } from "../sandbox/Envelopes.ts"
import { layer } from "../support/Layered.ts"
import { HolderWithMarket } from "./support/Accounts.ts"
import { answersTo } from "./support/Answering.ts"
import { plan } from "./support/Client.ts"
import { closeThrough } from "./support/CloseLoop.ts"
import { PoolShareHolder } from "./support/Crowded.ts"
import { Service } from "./support/Service.ts"

const stroopsIn = (text: string): bigint => BigInt(text.replace(".", ""))

/** From now on ledgers are full and charge this fee for an operation; a stranger has just paid it. */
const surge = (charged: number) =>
  Effect.gen(function*() {
    const { on, sandbox } = yield* Service
    const stranger = Keypair.random()
    yield* on(fund("100", stranger))
    yield* sandbox.faults.set({ fault: new SurgeBaseFee({ baseFee: charged }) })
    for (let at = 0; at < 10; at++) {
      yield* sandbox.submit(yield* on(signedEnvelope(stranger, [Operation.bumpSequence({ bumpTo: "0" })], charged * 2)))
    }
  })

const calm = Effect.flatMap(Service, ({ sandbox }) => sandbox.faults.clear())

layer(Service.layer(), { excludeTestServices: true })("what is promised at least", (it) => {
  it.effect("is less than what is projected by the bid that may be charged, and no stroop below it arrives in the surge", () =>
    Effect.gen(function*() {
      const { destination, source } = yield* (yield* Service).on(HolderWithMarket())
      yield* surge(3000)
      const { plan: { estimate }, received } = yield* closeThrough({ source, destination, wished: ["convert_to_native"] })
      yield* calm
      assert.isTrue(received < stroopsIn(estimate.receivedLumens ?? "0"), "the ledger charged more than the base fee")
      assert.isTrue(received >= stroopsIn(estimate.minReceivedLumens ?? "0"), `${received} of ${estimate.minReceivedLumens}`)
    }))

  it.effect("holds where fees surge only after the plan, over several transactions", () =>
    Effect.gen(function*() {
      const { destination, source } = yield* (yield* Service).on(PoolShareHolder)
      const request = { source: source.publicKey(), destination: destination.publicKey() }
      const decisions = answersTo(yield* plan(request), "convert_to_native")
      const { estimate, status } = yield* plan({ ...request, decisions })
      assert.strictEqual(status, "ready")
      assert.isAbove(estimate.transactionCount ?? 0, 1)
      yield* surge(9000)
      const { received } = yield* closeThrough({ source, destination, decisions })
      yield* calm
      assert.isTrue(received < stroopsIn(estimate.receivedLumens ?? "0"))
      assert.isTrue(received >= stroopsIn(estimate.minReceivedLumens ?? "0"), `${received} of ${estimate.minReceivedLumens}`)
    }))
})
