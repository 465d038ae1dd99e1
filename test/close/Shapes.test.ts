import { assert } from "@effect/vitest"
import { Asset, Claimant, Keypair, Operation } from "@stellar/stellar-sdk"
import { Effect, FastCheck } from "effect"
import { showAmount } from "../../src/domain/Amount.ts"
import { fund, perform } from "../../src/sandbox/scenarios/Scenario.ts"
import { layer } from "../support/Layered.ts"
import { isThorough } from "../support/Thorough.ts"
import { HolderWithMarket, Pair } from "./support/Accounts.ts"
import { answersTo, pointOf } from "./support/Answering.ts"
import { offered, plan, refusal } from "./support/Client.ts"
import { type Closed, closeThrough } from "./support/CloseLoop.ts"
import { Crowded, PoolShareHolder } from "./support/Crowded.ts"
import { acknowledged } from "./support/Judged.ts"
import { Service } from "./support/Service.ts"
import { decoded } from "./support/Signing.ts"

/** Checks that the close took the course that its plan promised. */
const holdsItsPlan = ({ plan, received, rounds }: Closed) => {
  assert.strictEqual(rounds.length, plan.estimate.transactionCount)
  assert.deepStrictEqual(rounds.map(({ transactions }) => transactions[0]?.covers), plan.transactions.map(({ covers }) => covers))
  assert.strictEqual(showAmount(received), plan.estimate.receivedLumens)
  const each = plan.transactions
  assert.deepStrictEqual(each.map(({ index }) => index), each.map((_, at) => at))
  assert.deepStrictEqual(rounds.map(({ remaining }) => remaining.transactions), each.map((_, at) => each.length - 1 - at))
  // Every step is in a transaction, and a transaction covers exactly the kinds of its steps.
  assert.deepStrictEqual([...new Set(each.flatMap(({ steps }) => steps))].toSorted((a, b) => a - b), plan.steps.map(({ index }) => index))
  for (const { covers, steps } of each) {
    assert.sameMembers([...covers], [...new Set(steps.map((index) => plan.steps[index]?.type ?? assert.fail("no such step")))])
  }
  for (const { transactions: [offer] } of rounds) assert.strictEqual(offer?.id, `tx-${offer?.sourceSequence}`)
  assert.deepStrictEqual(
    each.map(({ feeLumens }) => feeLumens),
    rounds.map(({ transactions }) => showAmount(BigInt(transactions[0]?.dryRun.feeStroops ?? "0")))
  )
  assert.deepStrictEqual(
    each.map(({ receivedLumens }) => receivedLumens),
    each.map((_, at) => (at === each.length - 1 ? plan.estimate.receivedLumens ?? undefined : undefined))
  )
  for (const { nextPlanHash, remaining } of rounds) assert.strictEqual(nextPlanHash !== null, remaining.requiresAnotherCall)
  const operations = rounds.flatMap(({ transactions }) => transactions.flatMap(({ intent }) => intent.operations))
  assert.strictEqual(plan.steps.reduce((sum, { operationCount }) => sum + operationCount, 0), operations.length)
  for (const { dependsOn, index } of plan.steps) assert.isTrue(dependsOn.every((earlier) => earlier < index))
  assert.deepStrictEqual(plan.steps.map(({ index }) => index), plan.steps.map((_, at) => at))
}

layer(Service.layer(), { excludeTestServices: true })("a close", (it) => {
  it.effect("of a hundred operations is one transaction, of one more it is two", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const fits = yield* closeThrough(yield* on(Crowded({ data: 60, offers: 20, emptyLines: 18, balances: 0 })))
      holdsItsPlan(fits)
      assert.lengthOf(fits.rounds, 1)
      assert.lengthOf(fits.rounds[0]?.transactions[0]?.intent.operations ?? [], 100)
      const over = yield* closeThrough(yield* on(Crowded({ data: 61, offers: 20, emptyLines: 18, balances: 0 })))
      holdsItsPlan(over)
      assert.deepStrictEqual(over.plan.transactions.map(({ reason }) => reason), ["op_batch", undefined])
      assert.deepStrictEqual(over.rounds.map(({ transactions }) => transactions[0]?.intent.operations.length), [100, 1])
      assert.deepStrictEqual(over.rounds.map(({ remaining }) => remaining), [
        { steps: 1, transactions: 1, requiresAnotherCall: true },
        { steps: 0, transactions: 0, requiresAnotherCall: false }
      ])
    }))

  it.effect("never parts a disposal from the removal of its line", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const closed = yield* closeThrough(yield* on(Crowded({ data: 99, offers: 0, emptyLines: 0, balances: 3 })))
      holdsItsPlan(closed)
      assert.deepStrictEqual(closed.rounds.map(({ transactions }) => transactions[0]?.intent.operations.length), [99, 7])
      const second = closed.rounds[1]?.transactions[0]?.intent.operations.map(({ type }) => type)
      assert.deepStrictEqual(second, ["payment", "change_trust", "payment", "change_trust", "payment", "change_trust", "account_merge"])
    }))

  it.effect("of any crowd takes as many transactions as planned, each promising the next", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const crowds = FastCheck.sample(
        FastCheck.record({
          data: FastCheck.integer({ min: 0, max: 120 }),
          offers: FastCheck.integer({ min: 0, max: 60 }),
          emptyLines: FastCheck.integer({ min: 0, max: 60 }),
          balances: FastCheck.integer({ min: 0, max: 15 })
        }),
        isThorough ? 4 : 1
      )
      for (const crowd of crowds) {
        const closed = yield* closeThrough(yield* on(Crowded(crowd)))
        holdsItsPlan(closed)
        const sizes = closed.rounds.map(({ transactions }) => transactions[0]?.intent.operations.length ?? 0)
        assert.isTrue(sizes.every((size) => size <= 100), JSON.stringify({ crowd, sizes }))
        const lineTo = crowd.offers > 0 ? 1 : 0
        assert.strictEqual(
          sizes.reduce((sum, size) => sum + size, 0),
          crowd.data + crowd.offers + crowd.emptyLines + lineTo + 2 * crowd.balances + 1
        )
      }
    }))

  it.effect("of several transactions promises the next also where claims and sponsorships end on the way", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { destination, issuer, source } = yield* on(Crowded({ data: 97, offers: 0, emptyLines: 0, balances: 2 }))
      const { source: ward } = yield* on(Pair())
      yield* on(perform("the source sponsors a data entry", {
        as: source,
        operations: [
          Operation.beginSponsoringFutureReserves({ sponsoredId: ward.publicKey() }),
          Operation.manageData({ name: "sponsored", value: "entry", source: ward.publicKey() }),
          Operation.endSponsoringFutureReserves({ source: ward.publicKey() })
        ],
        signedBy: [source, ward]
      }))
      yield* on(perform("lumens to claim", {
        as: issuer,
        operations: [Operation.createClaimableBalance({
          asset: Asset.native(),
          amount: "3",
          claimants: [new Claimant(source.publicKey(), Claimant.predicateUnconditional())]
        })]
      }))
      const closed = yield* closeThrough({ source, destination, wished: ["claim", "revoke"] })
      holdsItsPlan(closed)
      assert.lengthOf(closed.rounds, 2)
      assert.includeMembers([...closed.rounds[0]?.transactions[0]?.covers ?? []], ["CLAIM_BALANCES", "REVOKE_SPONSORSHIP"])
    }))

  it.effect("with a pool share withdraws first and reads again before it sells what came", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { decision, destination, poolId, source } = yield* on(PoolShareHolder)
      const asked = yield* plan({ source: source.publicKey(), destination: destination.publicKey() })
      assert.deepInclude(pointOf(asked, `pool:${poolId}`), { required: false, default: "withdraw" })
      assert.strictEqual(pointOf(asked, decision).options[0]?.id, "convert_to_native")
      const closed = yield* closeThrough({ source, destination })
      holdsItsPlan(closed)
      assert.deepStrictEqual(closed.plan.transactions.map(({ covers, reason }) => [covers, reason]), [
        [["WITHDRAW_POOL_SHARES"], "reread_needed"],
        [["HANDLE_ASSETS", "REMOVE_TRUSTLINES", "MERGE"], undefined]
      ])
    }))

  it.effect("with a pool share takes the slippage answered for it", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { destination, poolId, source } = yield* on(PoolShareHolder)
      const request = { source: source.publicKey(), destination: destination.publicKey() }
      const answers = answersTo(yield* plan(request))
      const floors = (slippage: number) =>
        Effect.map(
          offered({
            ...request,
            decisions: [...answers, { id: `pool:${poolId}`, choice: "withdraw", params: { maxSlippageBps: slippage } }]
          }),
          ({ intent }) =>
            intent.operations.flatMap((
              operation
            ) => (operation.type === "liquidity_pool_withdraw" ? [Number(operation.minAmountA), Number(operation.minAmountB)] : []))
        )
      const [tight, loose] = [yield* floors(1), yield* floors(5000)]
      assert.lengthOf(tight, 2)
      assert.closeTo((loose[0] ?? 0) / (tight[0] ?? 1), 0.5, 0.001)
      assert.closeTo((loose[1] ?? 0) / (tight[1] ?? 1), 0.5, 0.001)
    }))

  it.effect("with scarce lumens frees reserves first, at the least fee", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const [source, destination] = [Keypair.random(), Keypair.random()]
      // Two lumens of reserve too few for more than two operations: 12 entries, the fee to write them, and 250 stroops.
      yield* on(fund("7.0001450", source))
      yield* on(fund("100", destination))
      yield* on(perform("entries", {
        as: source,
        operations: Array.from({ length: 12 }, (_, at) => Operation.manageData({ name: `n${at}`, value: "1" }))
      }))
      const closed = yield* closeThrough({ source, destination })
      holdsItsPlan(closed)
      assert.deepStrictEqual(
        closed.plan.transactions.map(({ reason }) => reason),
        ["frees_lumens", undefined]
      )
      assert.deepStrictEqual(closed.rounds.map(({ transactions }) => transactions[0]?.intent.operations.length), [2, 11])
    }))

  it.effect("is good for as long as was asked, in seconds and in ledgers", () =>
    Effect.gen(function*() {
      const { on, sandbox } = yield* Service
      const { destination, source } = yield* on(Pair())
      for (const [asked, seconds] of [[undefined, 300], [60, 60], [86_400, 86_400]] as const) {
        const { state: { header } } = yield* sandbox.snapshot
        const transaction = yield* offered({
          ...acknowledged(source, destination),
          ...(asked === undefined ? {} : { validForSeconds: asked })
        })
        const read = yield* decoded(transaction)
        const span = Number(read.timeBounds?.maxTime) - Number(header.closeTime)
        assert.isAtLeast(span, seconds)
        assert.isBelow(span, seconds + 30)
        assert.strictEqual(read.timeBounds?.minTime, "0")
        assert.strictEqual(read.ledgerBounds?.maxLedger, header.ledgerSeq + (3 * seconds) / 2)
      }
    }))

  it.effect("without a destination is planned to the merge and no further", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { source } = yield* on(HolderWithMarket())
      const asked = yield* plan({ source: source.publicKey() })
      assert.strictEqual(asked.status, "needs_decisions")
      assert.deepInclude(pointOf(asked, "destination"), { options: [], required: true, answered: false })
      assert.notInclude(asked.steps.map(({ type }) => type), "MERGE")
      assert.strictEqual(asked.estimate.receivedLumens, "0.0000000")
      assert.strictEqual(asked.projection.status, "partial")
      assert.strictEqual((yield* refusal("next", { source: source.publicKey() })).code, "invalid_body")
    }))

  it.effect("keeps its signers to the end: the merge takes them along", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { destination, source } = yield* on(Pair())
      yield* on(perform("signers", {
        as: source,
        operations: [
          ...Array.from(
            { length: 5 },
            () => Operation.setOptions({ signer: { ed25519PublicKey: Keypair.random().publicKey(), weight: 1 } })
          ),
          Operation.setOptions({ masterWeight: 10, highThreshold: 10 })
        ]
      }))
      const closed = yield* closeThrough({ source, destination })
      holdsItsPlan(closed)
      assert.deepStrictEqual(closed.rounds[0]?.transactions[0]?.intent.operations.map(({ type }) => type), ["account_merge"])
      assert.strictEqual(closed.plan.estimate.freedReserveLumens, "3.5000000")
    }))
})
