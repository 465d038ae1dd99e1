import { assert, it } from "@effect/vitest"
import { Asset, Operation } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { perform } from "../../src/sandbox/scenarios/Scenario.ts"
import { accountKey } from "../../src/xdr/LedgerKeys.ts"
import { asked, laterLedger, lendingService } from "../sandbox/contracts/ProtocolsServed.ts"
import { layer } from "../support/Layered.ts"
import { LendingSupply } from "../support/scenarios/LendingSupply.ts"
import { pays } from "./leaving/support/Paying.ts"
import { HolderWithMarket, Pair } from "./support/Accounts.ts"
import { acknowledges, answersTo, echo, pointOf, withAnswer } from "./support/Answering.ts"
import { plan, type PlanBody, refusal } from "./support/Client.ts"
import { exchanges } from "./support/Mediated.ts"
import { Service } from "./support/Service.ts"

const memo = "customer 42"

/** The plan's steps, transactions and estimate. */
const shown = ({ estimate, steps, transactions }: PlanBody) => ({
  steps: steps.map(({ operationCount, type }) => [type, operationCount]),
  transactions: transactions.map(({ covers, reason }) => [covers.join("+"), reason ?? null]),
  received: [estimate.receivedLumens, estimate.minReceivedLumens]
})

layer(Service.layer(), { excludeTestServices: true })("a plan that lacks only a memo", (it) => {
  /** Plans with and without the memo are the same, and without it no transaction is built. */
  const same = (request: Parameters<typeof plan>[0], merged: string) =>
    Effect.gen(function*() {
      const without = yield* plan(request)
      assert.deepStrictEqual([without.status, without.blockers.map(({ reason }) => reason)], ["blocked", ["memo_required"]])
      const complete = yield* plan({ ...request, memo })
      assert.strictEqual(complete.status, "ready")
      assert.deepStrictEqual(shown(without), shown(complete))
      assert.include(without.transactions.at(-1)?.covers.join("+") ?? "", merged)
      assert.isAbove(Number(without.estimate.receivedLumens), 0)
      assert.deepStrictEqual([without.projection.status, without.projection.unverified.filter((doubt) => doubt.includes("memo")).length], [
        "partial",
        1
      ])
      assert.isEmpty(without.projection.unverified.filter((doubt) => doubt.includes("could not be projected")))
      assert.strictEqual((yield* refusal("next", request)).code, "memo_required")
    })

  it.effect("shows what is done and what would arrive, at a destination that asks for one", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { destination, source } = yield* on(HolderWithMarket())
      yield* on(perform("SEP-29", { as: destination, operations: [Operation.manageData({ name: "config.memo_required", value: "1" })] }))
      const request = { source: source.publicKey(), destination: destination.publicKey() }
      yield* same({ ...request, decisions: answersTo(yield* plan(request)) }, "MERGE")
    }))

  it.effect("and through the mediator", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { source } = yield* on(HolderWithMarket())
      const request = { source: source.publicKey(), destination: (yield* exchanges).payments }
      yield* same({ ...request, decisions: answersTo(yield* plan(request)) }, "MERGE")
    }))

  it.effect("and where the memo keeps a payment to somebody else out of the merge", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { asset, decision, destination, source } = yield* on(HolderWithMarket())
      const { source: friend } = yield* on(Pair())
      yield* on(perform("a line", { as: friend, operations: [Operation.changeTrust({ asset })] }))
      yield* on(perform("SEP-29", { as: destination, operations: [Operation.manageData({ name: "config.memo_required", value: "1" })] }))
      const request = { source: source.publicKey(), destination: destination.publicKey() }
      const point = yield* plan(request)
      const transfer = echo(pointOf(point, decision), "transfer_to_account", { destination: friend.publicKey() })
      yield* same({ ...request, decisions: [...withAnswer(answersTo(point), transfer), acknowledges(friend.publicKey())] }, "MERGE")
    }))
})

const stroopsIn = (lumens: string): bigint => BigInt(lumens.replace(".", ""))

/** Amounts that the plan says arrive: in all, and with its last transaction. Stroops. */
const arriving = ({ estimate, transactions }: PlanBody): ReadonlyArray<bigint> =>
  [estimate.receivedLumens, transactions.at(-1)?.receivedLumens ?? "0", estimate.minReceivedLumens]
    .map((lumens) => stroopsIn(lumens ?? "0"))

/** Plans with too few lumens, sends the amount that the plan presumes, and compares the new plan with the old one. */
const lending = (
  held: {
    readonly request: { readonly source: string; readonly destination: string }
    readonly send: (lumens: string) => Effect.Effect<unknown, never, Service>
  },
  reason: string
) =>
  Effect.gen(function*() {
    const first = yield* plan(held.request)
    const decisions = answersTo(first)
    const lacking = yield* plan({ ...held.request, decisions })
    assert.deepStrictEqual(
      [lacking.status, lacking.blockers.map((one) => one.reason)],
      ["blocked", [reason]],
      JSON.stringify(lacking.blockers)
    )
    const sent = lacking.projection.unverified.flatMap((doubt) =>
      /been sent (\d+\.\d{7}) lumens\. The amounts that arrive do not include them/.exec(doubt)?.[1] ?? []
    )
    assert.lengthOf(sent, 1)
    assert.strictEqual(lacking.projection.status, "partial")
    assert.include(lacking.transactions.at(-1)?.covers ?? [], "MERGE")
    yield* held.send(sent[0] ?? "")
    const enough = yield* plan({ ...held.request, decisions })
    assert.deepStrictEqual([enough.status, enough.blockers], ["ready", []])
    assert.deepStrictEqual(shown(enough).transactions, shown(lacking).transactions)
    return { lacking, enough, sent: stroopsIn(sent[0] ?? "") }
  })

layer(Service.layer(), { excludeTestServices: true })("a plan that lacks only lumens", (it) => {
  it.effect("shows what is done and what would arrive with them", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { destination, source } = yield* on(HolderWithMarket("0"))
      // Two reserves and one for the trustline are all that stays.
      yield* on(
        perform("all but the reserve goes", {
          as: source,
          operations: [Operation.payment({ destination: destination.publicKey(), asset: Asset.native(), amount: "98.4999800" })]
        })
      )
      const request = { source: source.publicKey(), destination: destination.publicKey() }
      const send = (amount: string) => on(pays(destination, source, Asset.native(), amount)).pipe(Effect.orDie)
      const { enough, lacking, sent } = yield* lending({ request, send }, "insufficient_lumens")
      // The sent lumens come back to the stroop; the minimum is computed after the same fees.
      assert.deepStrictEqual(arriving(lacking), arriving(enough).map((one) => one - sent))
      assert.isAbove(Number(sent), 0)
    }))

  it.effect("never tells that something arrives where fees take more than the account has", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { destination, source } = yield* on(Pair("1.0000050"))
      const request = { source: source.publicKey(), destination: destination.publicKey() }
      const lacking = yield* plan({ ...request, decisions: answersTo(yield* plan(request)) })
      assert.deepStrictEqual([lacking.status, lacking.blockers.map((one) => one.reason)], ["blocked", ["insufficient_lumens"]])
      assert.deepStrictEqual(lacking.projection.unverified.filter((doubt) => doubt.includes("lumens")), [
        "The close is projected as if the account had been sent 0.0000050 lumens. The amounts that arrive do not include them."
      ])
      // The reserve comes back and pays no fee, so it is all that is left. A failed attempt would take another hundred stroops.
      assert.deepStrictEqual(arriving(lacking), [9_999_950n, 9_999_950n, 9_999_850n])
    }))
})

it.scopedLive("the same with a position whose call cannot be paid", () =>
  Effect.gen(function*() {
    const { on, sandbox } = yield* Service
    const held = yield* asked(LendingSupply)
    const { state } = yield* sandbox.snapshot
    const data = state.get(accountKey(held.source.publicKey()))?.data
    const balance = data?.type === "account" ? data.account : assert.fail("no account")
    const spare = balance.balance - BigInt(2 + balance.numSubEntries) * BigInt(state.header.baseReserve)
    yield* on(pays(held.source, held.lender, held.native, (Number(spare - 1_000n) / 1e7).toFixed(7)))
    yield* laterLedger
    const send = (amount: string) =>
      Effect.zipRight(on(pays(held.lender, held.source, held.native, amount)).pipe(Effect.orDie), laterLedger)
    const { enough, lacking, sent } = yield* lending({ request: held.request, send }, "insufficient_lumens")
    // The loan earned some stroops between the two plans. A failed attempt takes the lumens that can pay it: more after the payment.
    for (const [index, before] of arriving(lacking).entries()) {
      const earned = (arriving(enough)[index] ?? 0n) - sent - before
      const failed = index === 2 ? 1000n : 0n
      assert.isTrue(earned >= -failed && earned < 1000n && sent > 1000n, `${earned} of ${sent}`)
    }
  }).pipe(Effect.provide(lendingService)))
