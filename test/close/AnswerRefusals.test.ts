import { assert } from "@effect/vitest"
import { Asset, AuthRequiredFlag, AuthRevocableFlag, Keypair, Operation } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { randomBytes } from "node:crypto"
import { perform } from "../../src/sandbox/scenarios/Scenario.ts"
import { anyContract } from "../support/Addresses.ts"
import { layer } from "../support/Layered.ts"
import { HolderWithMarket, Pair } from "./support/Accounts.ts"
import { acknowledges, answersTo, echo, pointOf } from "./support/Answering.ts"
import { type Answer, next, offered, plan, refusal } from "./support/Client.ts"
import { baseOf, muxedOf } from "./support/Muxed.ts"
import { Service } from "./support/Service.ts"

/** A holder with a market, and the decision points of its plan. */
const asked = Effect.gen(function*() {
  const { on } = yield* Service
  const world = yield* on(HolderWithMarket())
  const request = { source: world.source.publicKey(), destination: world.destination.publicKey() }
  const acknowledgement = acknowledges(world.destination.publicKey())
  const point = pointOf(yield* plan({ ...request, decisions: [acknowledgement] }), world.decision)
  return {
    ...world,
    on,
    point,
    acknowledgement,
    request,
    with: (...more: ReadonlyArray<Answer>) => ({ ...request, decisions: [acknowledgement, ...more] })
  }
})

/** What a plan says of one option of a point. */
const noteIn = ({ decisionPoints }: Effect.Effect.Success<ReturnType<typeof plan>>, decision: string, choice: string) =>
  decisionPoints.find(({ id }) => id === decision)?.options.find(({ id }) => id === choice)?.note ?? ""

const unsettled = "The decision of this request does not settle this point"

layer(Service.layer(), { excludeTestServices: true })("an answer", (it) => {
  it.effect("is offered with floor and maximum filled in, and nothing with a value has a default", () =>
    Effect.gen(function*() {
      const { point } = yield* asked
      assert.isNull(point.default)
      assert.isTrue(point.required)
      assert.deepStrictEqual(point.options.map(({ id, params, quote, recommended }) => ({ id, params, quote, recommended })), [
        {
          id: "convert_to_native",
          params: { minReceive: "49.7500000", amount: "100.0000000", maxSlippageBps: 50 },
          quote: {
            receive: "50.0000000",
            path: [],
            ledger: (yield* (yield* Service).sandbox.snapshot).history.latest.sequence,
            bestPrice: "0.5",
            priceImpactBps: 0
          },
          recommended: true
        },
        { id: "transfer_to_account", params: { maxAmount: "103.0000000" }, quote: undefined, recommended: undefined },
        { id: "return_to_issuer", params: { maxAmount: "103.0000000" }, quote: undefined, recommended: undefined }
      ])
    }))

  it.effect("to convert without a floor is conversion_floor_missing", () =>
    Effect.gen(function*() {
      const { decision, with: request } = yield* asked
      const refused = yield* refusal("next", request({ id: decision, choice: "convert_to_native" }))
      assert.deepStrictEqual(refused, {
        status: 422,
        code: "conversion_floor_missing",
        details: { decisionId: decision },
        retry: "after_fix",
        retryAfter: null
      })
    }))

  it.effect("with a floor above the quote is quote_drifted, to the stroop", () =>
    Effect.gen(function*() {
      const { decision, point, with: request } = yield* asked
      const refused = yield* refusal("next", request(echo(point, "convert_to_native", { minReceive: "50.0000001" })))
      assert.deepStrictEqual(refused, {
        status: 409,
        code: "quote_drifted",
        details: { decisionId: decision, agreed: "50.0000001", current: "50.0000000" },
        retry: "replan",
        retryAfter: null
      })
      assert.match(
        noteIn(yield* plan(request(echo(point, "convert_to_native", { minReceive: "50.0000001" }))), decision, "convert_to_native"),
        new RegExp(`^${unsettled}\\. Agreed: 50\\.0000001\\. Now: 50\\.0000000\\. Sell it`)
      )
      const { intent } = yield* offered(request(echo(point, "convert_to_native", { minReceive: "50" })))
      assert.strictEqual(intent.guarantees.minLumensFromConversions, "50.0000000")
    }))

  it.effect("with a floor far below the quote is still held to the slippage", () =>
    Effect.gen(function*() {
      const { point, with: request } = yield* asked
      const { intent } = yield* offered(request(echo(point, "convert_to_native", { minReceive: "0.0000001", maxSlippageBps: 100 })))
      assert.strictEqual(intent.guarantees.minLumensFromConversions, "49.5000000")
      const zero = yield* offered(request(echo(point, "convert_to_native", { minReceive: "0", maxSlippageBps: 5000 })))
      assert.strictEqual(zero.intent.guarantees.minLumensFromConversions, "25.0000000")
    }))

  it.effect("to give away at most so much is plan_changed when there is more", () =>
    Effect.gen(function*() {
      const { decision, point, with: request } = yield* asked
      for (const choice of ["return_to_issuer", "transfer_to_account"] as const) {
        const short = echo(point, choice, {
          maxAmount: "99.9999999",
          ...(choice === "transfer_to_account" ? { destination: Keypair.random().publicKey() } : {})
        })
        const given = choice === "transfer_to_account" ? request(short, acknowledges(short.params?.destination ?? "")) : request(short)
        const refused = yield* refusal("next", given)
        assert.deepInclude(refused, { status: 409, code: "plan_changed" })
        assert.deepStrictEqual(refused.details["changes"], [{
          kind: "amount",
          subject: decision,
          agreed: "99.9999999",
          current: "100.0000000"
        }])
        assert.match(
          noteIn(yield* plan(given), decision, choice),
          new RegExp(`^${unsettled}\\. Agreed: 99\\.9999999\\. Now: 100\\.0000000\\. `)
        )
      }
    }))

  it.effect("to transfer is refused with everything that keeps the account from taking the asset", () =>
    Effect.gen(function*() {
      const { asset, decision, destination, issuer, on, point, source, with: request } = yield* asked
      const [bare, small, filled, locked, frozen, wantsMemo] = [
        (yield* on(Pair())).source,
        (yield* on(Pair())).source,
        (yield* on(Pair())).source,
        (yield* on(Pair())).source,
        (yield* on(Pair())).source,
        (yield* on(Pair())).source
      ]
      const trust = (limit?: string) => Operation.changeTrust(limit === undefined ? { asset } : { asset, limit })
      yield* on(perform("too small a line", { as: small, operations: [trust("99")] }))
      yield* on(perform("a line that is filled, and is to be", { as: filled, operations: [trust("150")] }))
      yield* on(
        perform("paid out", { as: issuer, operations: [Operation.payment({ destination: filled.publicKey(), asset, amount: "25" })] })
      )
      yield* on(perform("an offer", {
        as: filled,
        operations: [Operation.manageBuyOffer({ selling: Asset.native(), buying: asset, buyAmount: "26", price: "0.1" })]
      }))
      yield* on(perform("a line that nobody can move", {
        as: locked,
        operations: [
          trust(),
          Operation.setOptions({ signer: { preAuthTx: randomBytes(32), weight: 5 } }),
          Operation.setOptions({ medThreshold: 3, highThreshold: 3 })
        ]
      }))
      yield* on(
        perform("a memo asked for", {
          as: wantsMemo,
          operations: [trust(), Operation.manageData({ name: "config.memo_required", value: "1" })]
        })
      )
      yield* on(
        perform("authorisation is asked for", {
          as: issuer,
          operations: [Operation.setOptions({ setFlags: AuthRequiredFlag | AuthRevocableFlag })]
        })
      )
      yield* on(perform("a line without authorisation", { as: frozen, operations: [trust()] }))
      const exchange =
        (yield* (yield* Service).call<{ entries: ReadonlyArray<{ address: string }> }>("GET", "/config/exchange-registry")).body.entries[0]
          ?.address ?? ""
      const cases: ReadonlyArray<readonly [to: string, ...problems: ReadonlyArray<RegExp>]> = [
        [Keypair.random().publicKey(), /does not exist/],
        [bare.publicKey(), /no trustline/],
        [destination.publicKey(), /no trustline/],
        [small.publicKey(), /limit .* too low/],
        [filled.publicKey(), /limit .* too low/],
        [frozen.publicKey(), /not authorised/],
        [locked.publicKey(), /no signatures/],
        [wantsMemo.publicKey(), /memo/],
        [exchange, /exchange address/, /no trustline/],
        [issuer.publicKey(), /issuer/],
        [source.publicKey(), /being closed/],
        [muxedOf(bare.publicKey(), 7n), /no trustline/],
        [muxedOf(issuer.publicKey(), 7n), /issuer/],
        [muxedOf(exchange, 7n), /exchange address/, /no trustline/],
        [muxedOf(source.publicKey(), 7n), /being closed/]
      ]
      for (const [to, ...problems] of cases) {
        const decisions = request(
          echo(point, "transfer_to_account", { destination: to }),
          ...([destination.publicKey(), exchange, source.publicKey()].includes(baseOf(to)) ? [] : [acknowledges(to)])
        )
        // No plan offers to confirm that an exchange's address, or the closing account itself, belongs to the owner.
        const refused = yield* refusal("next", decisions)
        assert.deepInclude(refused, { status: 422, code: "transfer_destination_unusable" }, `${to} ${JSON.stringify(refused.details)}`)
        const told = refused.details["problems"]
        assert.isTrue(
          Array.isArray(told) && told.length === problems.length && problems.every((problem, at) => problem.test(String(told[at]))),
          JSON.stringify(told)
        )
        const planned = yield* plan(decisions)
        assert.strictEqual(planned.status, "needs_decisions")
        const note = noteIn(planned, decision, "transfer_to_account")
        assert.isTrue(note.startsWith(`${unsettled}. ${Array.isArray(told) ? told.join(" ") : ""} Add the destination.`), note)
        assert.notMatch(planned.projection.unverified.join(" "), /Not decided|Without a destination/)
      }
    }))

  it.effect("to transfer to the close's own destination needs no second acknowledgement", () =>
    Effect.gen(function*() {
      const { asset, destination, on, point, with: request } = yield* asked
      yield* on(perform("the destination trusts the asset", { as: destination, operations: [Operation.changeTrust({ asset })] }))
      const { intent } = yield* offered(request(echo(point, "transfer_to_account", { destination: destination.publicKey() })))
      assert.deepStrictEqual(intent.guarantees.paymentsOnlyTo, [destination.publicKey()])
    }))

  it.effect("to transfer elsewhere needs that address acknowledged as well", () =>
    Effect.gen(function*() {
      const { asset, on, point, with: request } = yield* asked
      const { source: heir } = yield* on(Pair())
      yield* on(perform("the heir trusts the asset", { as: heir, operations: [Operation.changeTrust({ asset })] }))
      const refused = yield* refusal("next", request(echo(point, "transfer_to_account", { destination: heir.publicKey() })))
      assert.deepInclude(refused, { status: 422, code: "destination_not_acknowledged" })
      assert.strictEqual(refused.details["decisionId"], `destination:${heir.publicKey()}`)
    }))

  it.effect("that no plan offers is invalid_decisions, on both routes", () =>
    Effect.gen(function*() {
      const { decision, with: request } = yield* asked
      const wrong: ReadonlyArray<Answer> = [
        { id: "asset:native", choice: "convert_to_native", params: { minReceive: "1" } },
        { id: decision, choice: "forfeit" },
        { id: decision, choice: "return_to_issuer" },
        { id: decision, choice: "transfer_to_account", params: { maxAmount: "100" } },
        { id: decision, choice: "transfer_to_account", params: { maxAmount: "100", destination: "GNOBODY" } },
        {
          id: `token:${anyContract()}`,
          choice: "transfer_to_account",
          params: { maxAmount: "1", destination: muxedOf(Keypair.random().publicKey(), 7n) }
        },
        { id: decision, choice: "convert_to_native", params: { minReceive: "-1" } },
        { id: decision, choice: "convert_to_native", params: { minReceive: "1e3" } },
        { id: decision, choice: "convert_to_native", params: { minReceive: "1.12345678" } },
        { id: decision, choice: "convert_to_native", params: { minReceive: "922337203685.4775808" } },
        { id: decision, choice: "convert_to_native", params: { minReceive: "1", maxSlippageBps: 5001 } },
        { id: "destination", choice: "i_control_this_address" }
      ]
      for (const answer of wrong) {
        for (const route of ["plan", "next"] as const) {
          const refused = yield* refusal(route, request(answer))
          assert.deepInclude(refused, { status: 400, code: "invalid_decisions" }, JSON.stringify(answer))
          assert.isTrue(Array.isArray(refused.details["issues"]))
        }
      }
    }))

  it.effect("sent back without its params settles nothing, and its option says which are missing", () =>
    Effect.gen(function*() {
      const { decision, with: request } = yield* asked
      const planned = yield* plan(request({ id: decision, choice: "convert_to_native" }))
      assert.strictEqual(pointOf(planned, decision).answered, false)
      assert.match(
        noteIn(planned, decision, "convert_to_native"),
        new RegExp(`^${unsettled}\\. It has no params\\.minReceive\\. Send this option back with its params\\. Sell`)
      )
    }))

  it.effect("repeated after its subject is gone is unused and harmless", () =>
    Effect.gen(function*() {
      const { destination, request, source } = yield* asked
      const decisions = answersTo(yield* plan(request))
      const stray = { id: `asset:GONE-${destination.publicKey()}`, choice: "return_to_issuer", params: { maxAmount: "1" } }
      const { status, unusedDecisions } = yield* plan({ ...request, decisions: [...decisions, stray] })
      assert.deepStrictEqual([status, unusedDecisions], ["ready", [stray.id]])
      assert.strictEqual(
        (yield* next({ ...request, decisions: [...decisions, stray] })).planHash,
        (yield* plan({ ...request, decisions })).planHash
      )
      assert.strictEqual(source.publicKey(), request.source)
    }))
})
