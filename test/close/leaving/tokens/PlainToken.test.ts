import { assert } from "@effect/vitest"
import { Asset, Keypair, Operation } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { addressOf } from "../../../../src/ledger/soroban/Values.ts"
import { EntryArchived } from "../../../../src/sandbox/events/EntryArchived.ts"
import { ManualRestoration } from "../../../../src/sandbox/faults/LimitedServer.ts"
import { perform } from "../../../../src/sandbox/scenarios/Scenario.ts"
import { sendToken } from "../../../../src/sandbox/scenarios/Tokens.ts"
import { keyOfInstance } from "../../../../src/xdr/LedgerKeys.ts"
import { laterLedger } from "../../../sandbox/contracts/ProtocolsServed.ts"
import { layer } from "../../../support/Layered.ts"
import { firstOf, isThorough } from "../../../support/Thorough.ts"
import { Issued } from "../../support/Accounts.ts"
import { acknowledges, answersTo, echo, pointOf, withAnswer } from "../../support/Answering.ts"
import { offered, plan, type PlanBody, refusal } from "../../support/Client.ts"
import { closeThrough } from "../../support/CloseLoop.ts"
import { rentAt } from "../../support/Rent.ts"
import { Service } from "../../support/Service.ts"
import { tokensService } from "./support/DeclaredTokens.ts"
import { balanceEntry, closed, gift, held, holder, step } from "./support/Holder.ts"

/** The decisions of a plan that sends the token to the destination. */
const sentTo = (asked: PlanBody, token: string, destination: Keypair) => {
  const point = pointOf(asked, `token:${token}`)
  return withAnswer(answersTo(asked), echo(point, "transfer_to_account", { destination: destination.publicKey() }))
}

layer(tokensService(), { excludeTestServices: true })("an account with a plain contract token", (it) => {
  it.effect.runIf(isThorough)(
    "closes once it is sent to somebody who was acknowledged, by a call of its own before the merge",
    () =>
      Effect.gen(function*() {
        const { destination, request, source } = yield* holder
        const { token } = yield* gift(source, 1234567n)
        const asked = yield* plan(request)
        const point = pointOf(asked, `token:${token}`)
        assert.deepStrictEqual([point.type, point.default, point.required, point.answered], ["token", null, true, false])
        assert.deepStrictEqual(point.options.map(({ id }) => id), ["transfer_to_account", "acknowledge_residue"])
        const decisions = [
          ...answersTo(asked).filter(({ id }) => id !== point.id),
          echo(point, "transfer_to_account", { destination: destination.publicKey() })
        ]
        const { plan: ready, rounds } = yield* closeThrough({ source, destination, decisions })
        assert.deepStrictEqual(ready.transactions.map(({ covers, reason }) => [covers[0], reason ?? null]), [
          ["HANDLE_TOKENS", "token_exit"],
          ["MERGE", null]
        ])
        assert.deepStrictEqual(rounds[0]?.transactions[0]?.coversTargets, [point.id, token])
        assert.strictEqual(yield* held(token, destination), 1234567n)
        assert.strictEqual(yield* held(token, source), 0n)
      })
  )

  for (const family of firstOf(1, ["open_zeppelin", "book"] as const)) {
    it.effect(`closes whatever way the token keeps its books in: ${family}`, () =>
      Effect.gen(function*() {
        const { destination, request, source } = yield* holder
        const { token } = yield* gift(source, 77n, { family })
        const asked = yield* plan(request)
        const point = pointOf(asked, `token:${token}`)
        const decisions = [
          ...answersTo(asked).filter(({ id }) => id !== point.id),
          echo(point, "transfer_to_account", { destination: destination.publicKey() })
        ]
        assert.deepStrictEqual((yield* closed({ ...request, decisions }, source)).covered, ["HANDLE_TOKENS", "MERGE"])
      }))
  }

  it.effect("is sent to nobody who cannot use it, and to somebody else only where that was acknowledged", () =>
    Effect.gen(function*() {
      const { destination, request, source } = yield* holder
      const { giver, token } = yield* gift(source, 10n)
      const asked = yield* plan(request)
      const point = pointOf(asked, `token:${token}`)
      const to = (address: string) => [acknowledges(destination.publicKey()), echo(point, "transfer_to_account", { destination: address })]
      const nobody = yield* refusal("next", { ...request, decisions: to(Keypair.random().publicKey()) })
      assert.strictEqual(nobody.code, "destination_not_acknowledged", JSON.stringify(nobody))
      const missing = Keypair.random().publicKey()
      const gone = yield* refusal("next", { ...request, decisions: [...to(missing), acknowledges(missing)] })
      assert.strictEqual(gone.code, "transfer_destination_unusable", JSON.stringify(gone))
      const itself = yield* refusal("next", { ...request, decisions: to(source.publicKey()) })
      assert.strictEqual(itself.code, "transfer_destination_unusable", JSON.stringify(itself))
      const unasked = yield* refusal("next", { ...request, decisions: to(giver.publicKey()) })
      assert.deepStrictEqual([unasked.code, unasked.details["decisionId"]], [
        "destination_not_acknowledged",
        `destination:${giver.publicKey()}`
      ])
      const decisions = [...to(giver.publicKey()), acknowledges(giver.publicKey())]
      const { intent } = yield* offered({ ...request, decisions })
      assert.deepStrictEqual(intent.guarantees.paymentsOnlyTo, [giver.publicKey()])
      assert.deepStrictEqual((yield* closed({ ...request, decisions }, source)).covered, ["HANDLE_TOKENS", "MERGE"])
      assert.strictEqual(yield* held(token, giver), 20n)
    }))

  it.effect("is given away up to the amount that was answered, and is asked about again where it came again", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { destination, request, source } = yield* holder
      const { giver, token } = yield* gift(source, 10n)
      const asked = yield* plan(request)
      const point = pointOf(asked, `token:${token}`)
      const own = acknowledges(destination.publicKey())
      for (const choice of ["transfer_to_account", "acknowledge_residue"]) {
        const params = { maxAmount: "9", ...(choice === "transfer_to_account" ? { destination: giver.publicKey() } : {}) }
        const few = yield* refusal("next", {
          ...request,
          decisions: [own, acknowledges(giver.publicKey()), { id: point.id, choice, params }]
        })
        assert.strictEqual(few.code, "plan_changed", JSON.stringify(few))
        assert.deepInclude(few.details["changes"], { kind: "amount", subject: point.id, agreed: "9", current: "10" })
      }
      const decisions = [own, echo(point, "transfer_to_account", { destination: destination.publicKey() })]
      yield* step({ ...request, decisions }, source)
      yield* on(sendToken(token, giver, source.publicKey(), 1n))
      yield* laterLedger
      const again = pointOf(yield* plan({ ...request, decisions }), point.id)
      assert.deepStrictEqual([again.required, again.answered], [true, false])
      assert.strictEqual((yield* refusal("next", { ...request, decisions })).code, "needs_decisions")
      // Answered with the present option, the transfer works once more.
      const once = [own, echo(again, "transfer_to_account", { destination: destination.publicKey() })]
      assert.deepStrictEqual((yield* closed({ ...request, decisions: once }, source)).covered, ["HANDLE_TOKENS", "MERGE"])
      assert.strictEqual(yield* held(token, destination), 11n)
    }))

  it.effect("whose entries are archived is sent once they are restored, where the node brings back nothing", () =>
    Effect.gen(function*() {
      const { on, sandbox: { faults } } = yield* Service
      const { destination, request, source } = yield* holder
      const { token } = yield* gift(source, 5n)
      for (const key of [balanceEntry(token, source.publicKey()), keyOfInstance(addressOf(token))]) {
        yield* on(new EntryArchived({ key: key.toXdr("base64") }).happen())
      }
      yield* laterLedger
      yield* Effect.acquireUseRelease(
        faults.set({ fault: new ManualRestoration({}) }),
        () =>
          Effect.gen(function*() {
            const asked = yield* plan(request)
            const decisions = sentTo(asked, token, destination)
            const { covered, plan: ready } = yield* closed({ ...request, decisions }, source)
            assert.deepStrictEqual(ready.steps.map(({ type }) => type), ["RESTORE_ENTRIES", "HANDLE_TOKENS", "MERGE"])
            assert.deepStrictEqual(covered, ["RESTORE_ENTRIES", "HANDLE_TOKENS", "MERGE"])
          }),
        (id) => faults.clear(id)
      )
      assert.strictEqual(yield* held(token, destination), 5n)
    }))

  it.effect("whose entries are archived, at both ends, is sent by a call that restores them itself", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { destination, request, source } = yield* holder
      const { giver, token } = yield* gift(source, 5n)
      yield* on(sendToken(token, giver, destination.publicKey(), 3n))
      const decisions = sentTo(yield* plan(request), token, destination)
      for (
        const key of [
          balanceEntry(token, source.publicKey()),
          balanceEntry(token, destination.publicKey()),
          keyOfInstance(addressOf(token))
        ]
      ) {
        yield* on(new EntryArchived({ key: key.toXdr("base64") }).happen())
      }
      yield* laterLedger
      assert.deepStrictEqual((yield* closed({ ...request, decisions }, source)).covered, ["HANDLE_TOKENS", "MERGE"])
      assert.deepStrictEqual([yield* held(token, source), yield* held(token, destination)], [0n, 8n])
    }))

  it.effect("waits until offers give back the lumens that its call takes, in a transaction of its own", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { destination, request, source } = yield* holder
      const { token } = yield* gift(source, 5n)
      const { asset } = yield* on(Issued("USD", [source, "0"]))
      yield* on(perform("all but a few stroops are offered", {
        as: source,
        operations: [Operation.manageSellOffer({ selling: Asset.native(), buying: asset, amount: "97.99", price: "1000" })]
      }))
      yield* laterLedger
      const { covered, plan: ready } = yield* closed({ ...request, decisions: sentTo(yield* plan(request), token, destination) }, source)
      assert.deepStrictEqual(ready.transactions.map(({ reason }) => reason ?? null), ["frees_lumens", "token_exit", null])
      assert.deepStrictEqual([covered[0]?.split("+")[0], covered[1]], ["CANCEL_OFFERS", "HANDLE_TOKENS"])
      assert.strictEqual(yield* held(token, destination), 5n)
    }))

  it.effect("is asked about in a batch of plans, and leaves by what was answered there", () =>
    Effect.gen(function*() {
      const { call } = yield* Service
      const [one, two] = [yield* holder, yield* holder]
      const [first, second] = [yield* gift(one.source, 5n), yield* gift(two.source, 6n)]
      const decisions = sentTo(yield* plan(two.request), second.token, two.destination)
      const { body: { results } } = yield* call<{ readonly results: ReadonlyArray<{ readonly plan: PlanBody }> }>(
        "POST",
        "/v1/testnet/close/batch-plan",
        { accounts: [one.request, { ...two.request, decisions }] }
      )
      const [asked, ready] = results.map((each) => each.plan)
      assert.deepStrictEqual([asked?.status, ready?.status], ["needs_decisions", "ready"])
      assert.isTrue(asked?.decisionPoints.some(({ id, required }) => id === `token:${first.token}` && required))
      assert.deepStrictEqual(ready?.steps.map(({ type }) => type), ["HANDLE_TOKENS", "MERGE"])
    }))

  // This test is last, because the rent keeps its new price.
  it.effect("whose call costs more than the service pays unasked is sent for a fee that was accepted by name", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { destination, request, source } = yield* holder
      const { token } = yield* gift(source, 5n)
      yield* on(rentAt(6_000_000n))
      yield* laterLedger
      const decisions = sentTo(yield* plan(request), token, destination)
      const asked = yield* plan({ ...request, decisions })
      const point = pointOf(asked, `token:${token}`)
      assert.deepStrictEqual([asked.status, point.required, point.answered], ["needs_decisions", true, false])
      const offer = point.options.find(({ id }) => id === "transfer_to_account")
      assert.match(offer?.note ?? "", /needs a resource fee of \d+\.\d+ lumens, more than this service pays without a decision/)
      const most = Number(offer?.params?.maxResourceFee)
      assert.isTrue(most > 5 && most < 100, `${most}`)
      assert.strictEqual((yield* refusal("next", { ...request, decisions })).code, "needs_decisions")
      const dear = withAnswer(decisions, echo(point, "transfer_to_account", { destination: destination.publicKey() }))
      const { intent } = yield* offered({ ...request, decisions: dear })
      assert.isTrue(Number(intent.feeStroops) > 50_000_000 && Number(intent.feeStroops) <= most * 10_000_000, intent.feeStroops)
      assert.deepStrictEqual((yield* closed({ ...request, decisions: dear }, source)).covered, ["HANDLE_TOKENS", "MERGE"])
      assert.strictEqual(yield* held(token, destination), 5n)
    }))
})
