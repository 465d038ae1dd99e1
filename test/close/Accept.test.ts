import { assert } from "@effect/vitest"
import { Asset, Keypair, Operation, xdr } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { SurgeBaseFee } from "../../src/sandbox/faults/SubmissionFaults.ts"
import { fund, perform } from "../../src/sandbox/scenarios/Scenario.ts"
import { signedEnvelope } from "../sandbox/Envelopes.ts"
import { layer } from "../support/Layered.ts"
import { acceptOf, assertKept, closeAccepted } from "./support/Accepting.ts"
import { Buyer, HolderWithMarket, Issued, Pair } from "./support/Accounts.ts"
import { acknowledges, pointOf } from "./support/Answering.ts"
import { type Asked, next, offered, plan, refusal, submit } from "./support/Client.ts"
import { accountOf, offersOf } from "./support/LedgerView.ts"
import { Service } from "./support/Service.ts"
import { signed } from "./support/Signing.ts"

/** A holder and the acceptance that its first plan offers. */
const accepting = Effect.gen(function*() {
  const { on } = yield* Service
  const world = yield* on(HolderWithMarket())
  const base = { source: world.source.publicKey(), destination: world.destination.publicKey() }
  const decisions = [acknowledges(base.destination)]
  const first = yield* plan(base)
  return { ...world, on, first, base: { ...base, decisions }, request: { ...base, decisions, accept: acceptOf(first) } }
})

/** Sets the price of the only buyer: units of the asset for a lumen. */
const requote = (maker: Keypair, asset: Asset, price: string) =>
  Effect.gen(function*() {
    const { on } = yield* Service
    const [offer] = yield* offersOf(maker)
    yield* on(perform("the buyer changes its offer", {
      as: maker,
      operations: [Operation.manageSellOffer({ selling: Asset.native(), buying: asset, amount: "5000", price, offerId: String(offer) })]
    }))
  })

const floorIn = (request: Asked) => Effect.map(offered(request), ({ intent }) => intent.guarantees.minLumensFromConversions)

layer(Service.layer(), { excludeTestServices: true })("suggested decisions", (it) => {
  it.effect("are every recommended option, and later with what was seen: sent back, only the destination is left to answer", () =>
    Effect.gen(function*() {
      const { base, decision, first } = yield* accepting
      assert.deepStrictEqual(first.suggestedDecisions.map(({ choice, id }) => [id, choice]), [
        ["later", "leave_what_came_later"],
        [decision, "convert_to_native"]
      ])
      const [later] = first.suggestedDecisions
      assert.deepStrictEqual(later?.params, { ...pointOf(first, "later").options[0]?.params, maxLumensEach: "1.0000000" })
      assert.notProperty(first, "appliedDecisions")
      const ready = yield* plan({ ...base, decisions: [...base.decisions, ...first.suggestedDecisions] })
      assert.strictEqual(ready.status, "ready")
      assert.deepStrictEqual(ready.suggestedDecisions, first.suggestedDecisions.slice(0, 1))
    }))

  it.effect("name nothing that is given away, and no option that needs params", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { destination, source } = yield* on(Pair())
      yield* on(Issued("DUST", [source, "5"]))
      const { decisionPoints, suggestedDecisions } = yield* plan({ source: source.publicKey(), destination: destination.publicKey() })
      assert.deepStrictEqual(decisionPoints.map(({ type }) => type), ["destination", "later", "asset"])
      assert.deepStrictEqual(suggestedDecisions.map(({ id }) => id), ["later"])
    }))
})

layer(Service.layer(), { excludeTestServices: true })("an accepted close", (it) => {
  it.effect("applies its recommended options, lists them, and brings what was accepted", () =>
    Effect.gen(function*() {
      const { decision, destination, request, source } = yield* accepting
      const shown = yield* plan(request)
      assert.deepStrictEqual([shown.status, shown.appliedDecisions?.map(({ id }) => id)], ["ready", [decision]])
      const { received, rounds } = yield* closeAccepted({ source, destination, request })
      assert.deepStrictEqual(rounds.map(({ appliedDecisions }) => appliedDecisions?.map(({ id }) => id)), [[decision]])
      assertKept(received, request, "")
      const complete = yield* plan(request)
      assert.strictEqual(complete.status, "complete")
      assert.strictEqual(
        complete.planHash,
        (yield* plan({ ...request, accept: { ...request.accept, minReceivedLumens: "9999" } })).planHash
      )
    }))

  it.effect("has a hash of what was accepted and not of what is applied, and repeats what the plan saw", () =>
    Effect.gen(function*() {
      const { asset, base, maker, request } = yield* accepting
      const shown = yield* plan(request)
      yield* requote(maker, asset, "1.5")
      const again = yield* plan(request)
      assert.strictEqual(again.planHash, shown.planHash)
      assert.notDeepEqual(again.appliedDecisions, shown.appliedDecisions)
      assert.strictEqual((yield* next(request)).planHash, shown.planHash)
      assert.notStrictEqual((yield* plan(base)).planHash, shown.planHash)
      const later = pointOf(again, "later")
      const { had, ledger } = request.accept
      assert.deepStrictEqual([later.answered, later.options[0]?.params], [true, { ledger, had, maxLumensEach: "1.0000000" }])
    }))

  it.effect("still asks for the destination and for what has no recommended option", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { destination, source } = yield* on(Pair())
      const { issuer } = yield* on(Issued("DUST", [source, "5"]))
      const base = { source: source.publicKey(), destination: destination.publicKey() }
      const request = { ...base, accept: acceptOf(yield* plan(base)) }
      assert.deepInclude(yield* refusal("next", request), { code: "destination_not_acknowledged" })
      const acknowledged = { ...request, decisions: [acknowledges(base.destination)] }
      const { code, details } = yield* refusal("next", acknowledged)
      assert.deepStrictEqual([code, details], ["needs_decisions", { missing: [`asset:DUST-${issuer.publicKey()}`] }])
      const returned = { id: `asset:DUST-${issuer.publicKey()}`, choice: "return_to_issuer", params: { maxAmount: "5" } }
      const { received } = yield* closeAccepted({
        source,
        destination,
        request: { ...acknowledged, decisions: [...acknowledged.decisions, returned] }
      })
      assertKept(received, request, "")
    }))

  it.effect("leaves a decision of the request as it is", () =>
    Effect.gen(function*() {
      const { base, decision, destination, on, request, source } = yield* accepting
      const { asset } = yield* on(Issued("GOLD", [source, "7"]))
      yield* on(Buyer(asset, "100", "1"))
      const own = { id: decision, choice: "return_to_issuer", params: { maxAmount: "100" } }
      const decided = { ...base, decisions: [...base.decisions, own] }
      assert.deepInclude(yield* refusal("next", { ...request, decisions: decided.decisions }), { code: "below_accepted_minimum" })
      const accepted = { ...decided, accept: acceptOf(yield* plan(decided)) }
      const { received, rounds } = yield* closeAccepted({ source, destination, request: accepted })
      const operations = rounds.flatMap(({ transactions }) => transactions.flatMap(({ intent }) => intent.operations))
      assert.deepStrictEqual(operations.filter(({ type }) => type === "payment").length, 1)
      assert.deepStrictEqual(operations.filter(({ type }) => type === "path_payment_strict_send").length, 1)
      assertKept(received, accepted, "")
    }))

  it.effect("is refused below the accepted amount, with what it would bring now; a plan says so and asks", () =>
    Effect.gen(function*() {
      const { asset, maker, request, source } = yield* accepting
      yield* requote(maker, asset, "2.1")
      const { code, details, status } = yield* refusal("next", request)
      assert.deepStrictEqual([status, code], [409, "below_accepted_minimum"])
      assert.strictEqual(details["accepted"], request.accept.minReceivedLumens)
      const shown = yield* plan(request)
      assert.strictEqual(shown.status, "needs_decisions")
      assert.deepStrictEqual(shown.blockers.map(({ reason }) => reason), ["below_accepted_minimum"])
      assert.isTrue(Number(details["current"]) < Number(request.accept.minReceivedLumens))
      yield* requote(maker, asset, "2")
      yield* submit(yield* signed(yield* offered(request), source))
      assert.strictEqual(yield* accountOf(source), null)
    }))

  it.effect("names a sale of the request's own that drifted first", () =>
    Effect.gen(function*() {
      const { asset, decision, maker, request } = yield* accepting
      yield* requote(maker, asset, "4")
      const own = { id: decision, choice: "convert_to_native", params: { minReceive: "30" } }
      assert.strictEqual((yield* refusal("next", { ...request, decisions: [...request.decisions, own] })).code, "quote_drifted")
      const low = { ...own, params: { minReceive: "20" } }
      assert.strictEqual((yield* refusal("next", { ...request, decisions: [...request.decisions, low] })).code, "below_accepted_minimum")
    }))

  it.effect("has floors that guarantee the accepted amount where the quotes have fallen towards it", () =>
    Effect.gen(function*() {
      const { asset, destination, maker, request, source } = yield* accepting
      assert.strictEqual(yield* floorIn(request), "49.7500000")
      yield* requote(maker, asset, "2.008")
      const [floor, quote] = [Number(yield* floorIn(request)), 100 / 2.008]
      assert.isTrue(floor > quote * 0.995, `${floor} of ${quote}`)
      // Less the fee of three operations at the largest bid.
      assert.isTrue(100 - 0.003 + floor >= Number(request.accept.minReceivedLumens), `${floor} of ${request.accept.minReceivedLumens}`)
      const { received } = yield* closeAccepted({ source, destination, request })
      assertKept(received, request, "")
    }))

  it.effect("is planned for each account of a batch by its own acceptance", () =>
    Effect.gen(function*() {
      const [one, other] = [yield* accepting, yield* accepting]
      yield* requote(other.maker, other.asset, "4")
      const { call } = yield* Service
      const accounts = [one.request, other.request, { ...one.base, source: Keypair.random().publicKey() }]
      const { body } = yield* call<{ readonly results: ReadonlyArray<{ readonly plan?: { readonly status: string } }> }>(
        "POST",
        "/v1/testnet/close/batch-plan",
        { accounts }
      )
      assert.deepStrictEqual(body.results.map(({ plan: planned }) => planned?.status), ["ready", "needs_decisions", undefined])
    }))

  it.effect("is not broken by one failed attempt, nor by a surge of fees at it and after it", () =>
    Effect.gen(function*() {
      const { on, sandbox } = yield* Service
      const [{ destination, source }, stranger] = [yield* on(Pair()), Keypair.random()]
      yield* on(fund("100", stranger))
      const base = { source: source.publicKey(), destination: destination.publicKey(), decisions: [acknowledges(destination.publicKey())] }
      const request = { ...base, accept: acceptOf(yield* plan(base)) }
      yield* sandbox.faults.set({ fault: new SurgeBaseFee({ baseFee: 9000 }) })
      for (let at = 0; at < 10; at++) {
        yield* sandbox.submit(yield* on(signedEnvelope(stranger, [Operation.bumpSequence({ bumpTo: "0" })], 20_000)))
      }
      const before = (yield* accountOf(source))?.balance ?? 0n
      // Fees from before the surge are dropped once an answer names a later ledger.
      yield* offered(request)
      const failing = yield* signed(yield* offered(request), source)
      // The destination is gone when the ledger has the merge, and comes back.
      const away = [Operation.accountMerge({ destination: stranger.publicKey() })]
      yield* sandbox.submit(yield* on(signedEnvelope(destination, away, 20_000)))
      yield* sandbox.submit(xdr.TransactionEnvelope.fromXdr(failing, "base64"))
      assert.strictEqual((yield* accountOf(source))?.balance, before - 9000n)
      yield* sandbox.faults.clear()
      yield* on(fund("100", destination))
      const { received } = yield* closeAccepted({ source, destination, request })
      assertKept(received, request, "")
    }))
})
