import { assert, it } from "@effect/vitest"
import type { xdr } from "@stellar/stellar-sdk"
import { Effect, Layer } from "effect"
import type { LedgerState } from "../../../src/ledger/LedgerState.ts"
import { addressOf, asI128, asU64, asVec, field, strkeyOf } from "../../../src/ledger/soroban/Values.ts"
import { contractEntries, dataEntries } from "../../../src/sandbox/contracts/Deployment.ts"
import { backstopV1Hash } from "../../../src/sandbox/contracts/lend1/Backstop.ts"
import {
  backstopEmissionConfigKey,
  backstopEmissionKey,
  poolBalanceKey,
  userBalanceKey
} from "../../../src/sandbox/contracts/lend1/BackstopKeys.ts"
import { poolBalanceVal } from "../../../src/sandbox/contracts/lend1/PoolBalance.ts"
import { asEmissionData, emissionConfigVal, emissionProgressVal } from "../../../src/sandbox/contracts/lend1/PoolEmissions.ts"
import { sevenDecimals } from "../../../src/sandbox/contracts/lend1/PoolTraits.ts"
import { userBalanceVal } from "../../../src/sandbox/contracts/lend1/UserBalance.ts"
import { Network } from "../../../src/sandbox/Network.ts"
import { lendingContracts } from "../../../src/sandbox/scenarios/LendingContracts.ts"
import { keyOfContractData, keyOfInstance } from "../../../src/xdr/LedgerKeys.ts"
import { advanced, asked, lendingService, pursued } from "../../sandbox/contracts/ProtocolsServed.ts"
import { jumping } from "../../support/JumpingClock.ts"
import { LendingBackstop } from "../../support/scenarios/LendingBackstop.ts"
import { isThorough } from "../../support/Thorough.ts"
import { answersTo, echo, pointOf } from "../support/Answering.ts"
import { plan } from "../support/Client.ts"
import { accountOf } from "../support/LedgerView.ts"
import { Service } from "../support/Service.ts"

const { backstop, pool } = lendingContracts
const FAR = 70_000_000

/** On a clock that stands still during work: no answer is late on a busy machine. */
const unhurried = Layer.provideMerge(lendingService, jumping)

const valueIn = (state: LedgerState, key: xdr.LedgerKey): xdr.ScVal => {
  const data = state.get(key)?.data
  return data?.type === "contractData" ? data.contractData.val : assert.fail("there is no such entry")
}

const kept = (state: LedgerState, key: xdr.ScVal): xdr.ScVal => valueIn(state, keyOfContractData(backstop, key, "persistent"))

/** The same backstop with the code of the first version, which keeps emissions in two entries and counts seven decimals fewer. */
const asFirstVersion = (state: LedgerState): LedgerState => {
  const instance = valueIn(state, keyOfInstance(backstop))
  if (instance.type !== "scvContractInstance") return assert.fail("no instance")
  const emissions = asEmissionData(kept(state, backstopEmissionKey(pool)))
  const coarse = { ...emissions, eps: emissions.eps / sevenDecimals, index: emissions.index / sevenDecimals }
  return state.set([
    ...contractEntries(backstop, backstopV1Hash, (instance.instance.storage ?? []).map(({ key, val }) => [key, val] as const), FAR),
    ...dataEntries(backstop, [backstopEmissionKey(pool), emissionProgressVal(coarse)], "persistent", FAR),
    ...dataEntries(backstop, [backstopEmissionConfigKey(pool), emissionConfigVal(coarse)], "persistent", FAR)
  ])
}

/** A deposit in a backstop of the first version, two days into emissions. */
const FirstVersion = Effect.gen(function*() {
  const scene = yield* LendingBackstop
  yield* Effect.flatMap(Network, ({ amend }) => amend(asFirstVersion))
  return scene
})

/** The most queued withdrawals that the backstop allows, a second apart, all of which unlock in a day or later. */
const FullQueue = Effect.gen(function*() {
  const scene = yield* FirstVersion
  const user = addressOf(scene.source.publicKey())
  yield* Effect.flatMap(Network, ({ amend }) =>
    amend((state) => {
      const shares = asI128(field(kept(state, userBalanceKey(pool, user)), "shares"))
      const queue = Array.from(
        { length: 21 },
        (_, at) => ({ amount: sevenDecimals, expiration: state.header.closeTime + 86_400n + BigInt(at) })
      )
      const balance = userBalanceVal({ shares: shares - 21n * sevenDecimals, queue })
      const total = kept(state, poolBalanceKey(pool))
      return state.set([
        ...dataEntries(backstop, [userBalanceKey(pool, user), balance], "persistent", FAR),
        ...dataEntries(
          backstop,
          [
            poolBalanceKey(pool),
            poolBalanceVal({
              shares: asI128(field(total, "shares")),
              tokens: asI128(field(total, "tokens")),
              queued: asI128(field(total, "q4w")) + 21n * sevenDecimals
            })
          ],
          "persistent",
          FAR
        )
      ])
    }))
  return scene
})

it.scopedLive.runIf(isThorough)(
  "the first version: claimed for oneself, queued for 21 days, closed after them",
  () =>
    Effect.gen(function*() {
      const { sandbox } = yield* Service
      const held = yield* asked(FirstVersion)
      assert.deepStrictEqual(held.plan.blockers, [])
      // A stranger may have claimed into the backstop; the owner need not wait three weeks for that.
      const point = held.plan.decisionPoints.find(({ id }) => id.startsWith("position:lend_1:"))
      assert.deepInclude(point, { required: true, default: null })
      assert.deepStrictEqual(point?.options.map(({ id }) => id), ["exit", "exit_without_rewards", "acknowledge_forfeit"])
      const planWith = (choice: string) =>
        plan({
          ...held.request,
          decisions: answersTo(held.plan).map((answer) => (answer.id === point?.id ? echo(pointOf(held.plan, answer.id), choice) : answer))
        })
      assert.isNull((yield* planWith("acknowledge_forfeit")).estimate.waitUntil)
      const { state: atPlan } = yield* sandbox.snapshot
      const answered = yield* planWith("exit")
      assert.approximately((Date.parse(answered.estimate.waitUntil ?? "") / 1_000 - Number(atPlan.header.closeTime)) / 86_400, 21, 0.01)
      const claims: Array<ReadonlyArray<unknown>> = []
      let unlocksAt: string | null = null
      while (unlocksAt === null) {
        const next = yield* advanced(held)
        if (next._tag === "CoolingDown") unlocksAt = next.unlocksAt
        else {claims.push(
            ...next.offer.intent.operations.flatMap((
              operation
            ) => (operation.type === "invoke_contract" && operation.function === "claim" ? [operation.args] : []))
          )}
      }
      assert.deepStrictEqual(claims, [[held.source.publicKey(), `[${strkeyOf(pool)}]`, held.source.publicKey()]])
      const { state } = yield* sandbox.snapshot
      const [queued = assert.fail("nothing is queued"), ...others] = asVec(
        field(kept(state, userBalanceKey(pool, addressOf(held.source.publicKey()))), "q4w")
      )
      assert.isEmpty(others)
      assert.isAbove(Number(asI128(field(queued, "amount"))), Number(100n * sevenDecimals), "rewards are queued too")
      assert.strictEqual(Date.parse(unlocksAt) / 1_000, Number(asU64(field(queued, "exp"))))
      const seconds = Number(asU64(field(queued, "exp")) - state.header.closeTime)
      assert.approximately(seconds / 86_400, 21, 0.01)
      yield* sandbox.closeLedger({ advanceSeconds: seconds })
      assert.isNull((yield* pursued(held)).unlocksAt)
      assert.isNull(yield* accountOf(held.source))
    }).pipe(Effect.provide(unhurried))
)

it.scopedLive.runIf(isThorough)(
  "a full queue of the first version takes no more before something of it is out",
  () =>
    Effect.gen(function*() {
      const { sandbox } = yield* Service
      const held = yield* asked(FullQueue)
      const { covered, unlocksAt } = yield* pursued(held, "exit_without_rewards")
      assert.isNotNull(unlocksAt)
      const { state } = yield* sandbox.snapshot
      const queue = () =>
        Effect.map(
          sandbox.snapshot,
          (now) => asVec(field(kept(now.state, userBalanceKey(pool, addressOf(held.source.publicKey()))), "q4w")).length
        )
      assert.strictEqual(yield* queue(), 21)
      assert.deepStrictEqual((yield* plan(held.request)).blockers, [], covered.join())
      yield* sandbox.closeLedger({ advanceSeconds: Date.parse(unlocksAt ?? "") / 1000 - Number(state.header.closeTime) })
      for (let calls = 0; (yield* queue()) >= 20 && calls < 4; calls++) {
        yield* advanced(held, "exit_without_rewards")
      }
      const rest = yield* pursued(held, "exit_without_rewards")
      assert.isNotNull(rest.unlocksAt)
      assert.strictEqual(yield* queue(), 1)
    }).pipe(Effect.provide(unhurried))
)
