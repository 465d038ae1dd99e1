import { assert } from "@effect/vitest"
import { Asset, AuthRequiredFlag, AuthRevocableFlag, Claimant, Keypair, Operation } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { showAmount } from "../../src/domain/Amount.ts"
import { fund, perform } from "../../src/sandbox/scenarios/Scenario.ts"
import { layer } from "../support/Layered.ts"
import { Buyer, Pair } from "./support/Accounts.ts"
import { acknowledges, answersTo, echo, pointOf } from "./support/Answering.ts"
import { offered, plan, refusal, submit } from "./support/Client.ts"
import { closeThrough } from "./support/CloseLoop.ts"
import { accountOf } from "./support/LedgerView.ts"
import { Service } from "./support/Service.ts"
import { signed } from "./support/Signing.ts"

type Predicate = ReturnType<typeof Claimant.predicateUnconditional>

/** A giver leaves amounts of an asset for the account to claim. */
const Given = (to: Keypair, asset: Asset, giver: Keypair, ...gifts: ReadonlyArray<readonly [amount: string, predicate: Predicate]>) =>
  perform("balances to claim", {
    as: giver,
    operations: gifts.map(([amount, predicate]) =>
      Operation.createClaimableBalance({ asset, amount, claimants: [new Claimant(to.publicKey(), predicate)] })
    )
  })

const always = Claimant.predicateUnconditional()
const after = (at: bigint) => Claimant.predicateNot(Claimant.predicateBeforeAbsoluteTime(at.toString()))

const types = ({ steps }: { readonly steps: ReadonlyArray<{ readonly type: string }> }) => steps.map(({ type }) => type)

layer(Service.layer(), { excludeTestServices: true })("a close with claimable balances", (it) => {
  it.effect("claims lumens, and an asset onto a line it adds, sells and removes again, in one transaction", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { destination, source } = yield* on(Pair())
      const issuer = Keypair.random()
      yield* on(fund("100", issuer))
      const asset = new Asset("GIFT", issuer.publicKey())
      yield* on(Buyer(asset, "1000", "2"))
      yield* on(Given(source, Asset.native(), issuer, ["5", always]))
      yield* on(Given(source, asset, issuer, ["10", always], ["4", always]))
      const asked = yield* plan({ source: source.publicKey(), destination: destination.publicKey() })
      assert.sameMembers(asked.decisionPoints.map(({ type }) => type), ["destination", "later", "claim", "claim", "claim", "asset"])
      const byDefault = asked.decisionPoints.filter((point) => point.default !== null)
      assert.deepStrictEqual(
        byDefault.map(({ about, default: choice, required, type }) => [type, about.kind === "claim" && about.asset, choice, required]),
        [
          ["claim", "native", "claim", false]
        ]
      )
      assert.isTrue(
        asked.decisionPoints.filter((point) => point.type !== "later" && point.default === null).every(({ required }) => required)
      )
      const { plan: ready, received, rounds } = yield* closeThrough({ source, destination })
      assert.lengthOf(rounds, 1)
      assert.strictEqual(showAmount(received), ready.estimate.receivedLumens)
      assert.strictEqual(ready.projection.status, "verified")
      assert.strictEqual(types(ready).filter((type) => type === "ADD_TRUSTLINE").length, 1)
      assert.strictEqual(types(ready).filter((type) => type === "CLAIM_BALANCES").length, 3)
      const added = rounds[0]?.transactions[0]?.intent.operations.find((operation) =>
        operation.type === "change_trust" && operation.limit !== "0.0000000"
      )
      assert.strictEqual(added?.type === "change_trust" ? added.limit : null, "14.0000000")
      assert.isAbove(Number(received), 111_0000000)
    }))

  it.effect("forfeits only by name and within the amount that was agreed", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { destination, source } = yield* on(Pair())
      const giver = Keypair.random()
      yield* on(fund("100", giver))
      yield* on(Given(source, Asset.native(), giver, ["5", always]))
      const request = { source: source.publicKey(), destination: destination.publicKey() }
      const asked = yield* plan(request)
      const claim = asked.decisionPoints.find(({ type }) => type === "claim")
      // Lumens are claimed without a decision.
      const unanswered = yield* offered({ ...request, decisions: [acknowledges(destination.publicKey())] })
      assert.isTrue(unanswered.intent.operations.some(({ type }) => type === "claim_claimable_balance"))
      const point = pointOf(asked, claim?.id ?? "")
      const short = yield* refusal("next", {
        ...request,
        decisions: [acknowledges(destination.publicKey()), echo(point, "forfeit", { maxAmount: "4.9999999" })]
      })
      assert.deepInclude(short, { status: 409, code: "plan_changed" })
      const { received, rounds } = yield* closeThrough({ source, destination, wished: ["i_control_this_address", "forfeit"] })
      assert.isBelow(Number(received), 100_0000000)
      assert.isFalse(rounds[0]?.transactions[0]?.intent.operations.some(({ type }) => type === "claim_claimable_balance"))
    }))

  it.effect("forfeits those of an asset also where strangers add a hundredth and what one lumen buys", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { destination, source } = yield* on(Pair())
      const giver = Keypair.random()
      yield* on(fund("100", giver))
      const asset = new Asset("GIFT", giver.publicKey())
      // Ten bring five lumens, so one lumen buys two.
      yield* on(Buyer(asset, "1000", "2"))
      yield* on(Given(source, asset, giver, ["6", always], ["4", always]))
      const request = { source: source.publicKey(), destination: destination.publicKey() }
      const id = `claims:GIFT-${giver.publicKey()}`
      const point = pointOf(yield* plan({ ...request, decisions: [{ id, choice: "add_trustline_then_claim" }] }), id)
      const given = echo(point, "forfeit")
      assert.deepStrictEqual(given.params, { maxAmount: "12.1000000" })
      const decisions = [acknowledges(destination.publicKey()), given]
      yield* on(Given(source, asset, giver, ["2.1", always]))
      assert.deepStrictEqual((yield* offered({ ...request, decisions })).covers, ["MERGE"])
      yield* on(Given(source, asset, giver, ["0.0000001", always]))
      assert.deepInclude(yield* refusal("next", { ...request, decisions }), { status: 409, code: "plan_changed" })
    }))

  it.effect("does not ask about a balance that can never be claimed again, and offers no claim before its time", () =>
    Effect.gen(function*() {
      const { on, sandbox } = yield* Service
      const { destination, source } = yield* on(Pair())
      const giver = Keypair.random()
      yield* on(fund("100", giver))
      const now = BigInt(Math.max(Number((yield* sandbox.snapshot).state.header.closeTime), Math.floor(Date.now() / 1000)))
      yield* on(
        Given(source, Asset.native(), giver, ["1", Claimant.predicateBeforeAbsoluteTime((now - 100n).toString())], [
          "2",
          after(now + 100_000n)
        ])
      )
      const asked = yield* plan({ source: source.publicKey(), destination: destination.publicKey() })
      const claims = asked.decisionPoints.filter(({ type }) => type === "claim")
      assert.deepStrictEqual(claims.map(({ options }) => options.map(({ id }) => id)), [["forfeit"]])
      assert.strictEqual(asked.estimate.waitUntil, new Date(Number(now + 100_000n) * 1000).toISOString())
    }))

  it.effect("offers a claim from the ledger on that could already take it, and not while the next one could close too early", () =>
    Effect.gen(function*() {
      const { on, sandbox } = yield* Service
      const { destination, source } = yield* on(Pair())
      const giver = Keypair.random()
      yield* on(fund("100", giver))
      const closeTime = Effect.map(sandbox.snapshot, ({ state }) => state.header.closeTime)
      const opens = (yield* closeTime) + 1_000n
      yield* on(Given(source, Asset.native(), giver, ["1", after(opens)]))
      const request = { source: source.publicKey(), destination: destination.publicKey() }
      const offersAt = (time: bigint) =>
        Effect.gen(function*() {
          yield* sandbox.closeLedger({ advanceSeconds: Number(time - (yield* closeTime)) })
          const { decisionPoints } = yield* plan(request)
          return decisionPoints.filter(({ type }) => type === "claim").flatMap(({ options }) => options.map(({ id }) => id))
        })
      assert.deepStrictEqual(yield* offersAt(opens - 1n), ["forfeit"])
      assert.deepStrictEqual(yield* offersAt(opens), ["claim", "forfeit"])
    }))

  it.effect("does not claim what could lapse before the transaction does", () =>
    Effect.gen(function*() {
      const { on, sandbox } = yield* Service
      const { destination, source } = yield* on(Pair())
      const giver = Keypair.random()
      yield* on(fund("100", giver))
      const now = BigInt(Math.max(Number((yield* sandbox.snapshot).state.header.closeTime), Math.floor(Date.now() / 1000)))
      const end = now + 200n
      yield* on(Given(source, Asset.native(), giver, ["1", Claimant.predicateBeforeAbsoluteTime(end.toString())]))
      const request = { source: source.publicKey(), destination: destination.publicKey() }
      const claimsOf = (asked: Effect.Effect.Success<ReturnType<typeof plan>>) =>
        asked.decisionPoints.filter(({ type }) => type === "claim")
      const asked = yield* plan(request)
      const [point, ...more] = claimsOf(asked)
      assert.lengthOf(more, 0)
      const until = new Date(Number(end) * 1000).toISOString()
      assert.deepInclude(point?.about, { kind: "claim", from: null, until })
      // Waiting would lose it.
      assert.isNull(asked.estimate.waitUntil)
      const [option, ...others] = point?.options ?? []
      assert.deepStrictEqual([option?.id, others], ["forfeit", []])
      const told = /^You give it up permanently\. 1 can be claimed only until (\S+): send a `validForSeconds` of at most (\d+)\.$/
        .exec(option?.note ?? "")
      assert.strictEqual(told?.[1], until, option?.note)
      const seconds = Number(told?.[2])
      assert.isTrue(seconds >= 90 && seconds <= 100, `${seconds}: half of the time is for the answer`)
      const again = yield* plan({ ...request, validForSeconds: seconds })
      assert.deepStrictEqual(claimsOf(again).flatMap(({ options }) => options.map(({ id }) => id)), ["claim", "forfeit"])
    }))

  it.effect("says of what is about to lapse that no validity is short enough, and of others when to claim them", () =>
    Effect.gen(function*() {
      const { on, sandbox } = yield* Service
      const { destination, source } = yield* on(Pair())
      const issuer = Keypair.random()
      yield* on(fund("100", issuer))
      const now = BigInt(Math.max(Number((yield* sandbox.snapshot).state.header.closeTime), Math.floor(Date.now() / 1000)))
      const [soon, opens] = [now + 40n, now + 5_000n]
      yield* on(Given(
        source,
        Asset.native(),
        issuer,
        ["1", Claimant.predicateBeforeAbsoluteTime(soon.toString())],
        ["2", after(opens)],
        // Open now and once more later.
        ["3", Claimant.predicateOr(Claimant.predicateBeforeAbsoluteTime((now + 100n).toString()), after(opens))]
      ))
      const { decisionPoints, estimate } = yield* plan({ source: source.publicKey(), destination: destination.publicKey() })
      const [opening, closing] = [opens, soon].map((at) => new Date(Number(at) * 1000).toISOString())
      const notes = decisionPoints.flatMap(({ about, options }) =>
        about.kind === "claim" ? [[about.amount, options.map(({ id }) => id), options[0]?.note]] : []
      )
      assert.sameDeepMembers(notes, [
        ["1.0000000", ["forfeit"], `You give it up permanently. 1 can be claimed only until ${closing}, too soon for a transaction.`],
        ["2.0000000", ["forfeit"], `You give it up permanently. 1 more can be claimed from ${opening} on.`],
        ["3.0000000", ["forfeit"], `You give it up permanently. 1 more can be claimed from ${opening} on.`]
      ])
      assert.strictEqual(estimate.waitUntil, opening)
    }))

  it.effect("offers no line where the issuer would have to authorise it first, or is gone", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { destination, source } = yield* on(Pair())
      const [strict, gone, holder] = [Keypair.random(), Keypair.random(), Keypair.random()]
      yield* on(fund("100", strict, gone, holder))
      yield* on(Given(source, new Asset("STRICT", strict.publicKey()), strict, ["1", always]))
      yield* on(
        perform("authorisation is required from now on", {
          as: strict,
          operations: [Operation.setOptions({ setFlags: AuthRequiredFlag | AuthRevocableFlag })]
        })
      )
      const lost = new Asset("LOST", gone.publicKey())
      yield* on(perform("a holder", { as: holder, operations: [Operation.changeTrust({ asset: lost })] }))
      yield* on(perform("paid out, and the issuer leaves", {
        as: gone,
        operations: [
          Operation.payment({ destination: holder.publicKey(), asset: lost, amount: "1" }),
          Operation.accountMerge({ destination: holder.publicKey() })
        ]
      }))
      yield* on(Given(source, lost, holder, ["1", always]))
      const asked = yield* plan({ source: source.publicKey(), destination: destination.publicKey() })
      const claims = asked.decisionPoints.filter(({ type }) => type === "claim")
      assert.deepStrictEqual(claims.map(({ options }) => options.map(({ id }) => id)), [["forfeit"], ["forfeit"]])
    }))

  it.effect("that somebody else claims between plan and build goes on without it; between build and submit the next call resumes", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { destination, source } = yield* on(Pair())
      const [giver, rival] = [Keypair.random(), Keypair.random()]
      yield* on(fund("100", giver, rival))
      const both = [new Claimant(source.publicKey()), new Claimant(rival.publicKey())]
      yield* on(perform("two balances for two", {
        as: giver,
        operations: ["3", "4"].map((amount) => Operation.createClaimableBalance({ asset: Asset.native(), amount, claimants: both }))
      }))
      const request = { source: source.publicKey(), destination: destination.publicKey() }
      const asked = yield* plan(request)
      const claims = asked.decisionPoints.filter(({ type }) => type === "claim").map((point) => echo(point, "claim"))
      const decisions = [...answersTo(asked), ...claims]
      const [first, second] = claims.map(({ id }) => id.slice("claim:".length))
      const taken = (balanceId: string) =>
        on(perform("the rival claims", { as: rival, operations: [Operation.claimClaimableBalance({ balanceId })] }))
      yield* taken(first ?? "")
      const ready = yield* plan({ ...request, decisions })
      assert.deepStrictEqual([ready.status, ready.unusedDecisions], ["ready", [`claim:${first}`]])
      const transaction = yield* offered({ ...request, decisions })
      const envelope = yield* signed(transaction, source)
      yield* taken(second ?? "")
      const failed = yield* refusal("submit", { signedXdr: envelope })
      assert.deepInclude(failed, { status: 422, code: "transaction_failed" })
      assert.deepInclude(failed.details, { resultCode: "tx_failed", operationResultCodes: ["op_does_not_exist", "op_success"] })
      yield* submit(yield* signed(yield* offered({ ...request, decisions }), source))
      assert.strictEqual(yield* accountOf(source), null)
    }))
})
