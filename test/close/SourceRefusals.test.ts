import { assert } from "@effect/vitest"
import { Asset, AuthClawbackEnabledFlag, AuthImmutableFlag, AuthRevocableFlag, Keypair, Operation, StrKey } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { randomBytes } from "node:crypto"
import { fund, perform } from "../../src/sandbox/scenarios/Scenario.ts"
import { layer } from "../support/Layered.ts"
import { HolderWithMarket, Issued, Pair } from "./support/Accounts.ts"
import { acknowledges, answersTo } from "./support/Answering.ts"
import { next, offered, plan, refusal, submit } from "./support/Client.ts"
import { closeThrough } from "./support/CloseLoop.ts"
import { acknowledged, judged } from "./support/Judged.ts"
import { accountOf } from "./support/LedgerView.ts"
import { Service } from "./support/Service.ts"
import { signed } from "./support/Signing.ts"

layer(Service.layer(), { excludeTestServices: true })("what the source is keeps it from being closed:", (it) => {
  it.effect("an immutable account, for ever", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { destination, source } = yield* on(Pair())
      yield* on(perform("immutable", { as: source, operations: [Operation.setOptions({ setFlags: AuthImmutableFlag })] }))
      const { blockers, reasons, refusal: refused, status } = yield* judged(acknowledged(source, destination))
      assert.deepStrictEqual([status, reasons], ["blocked", ["auth_immutable"]])
      assert.deepInclude(refused, { status: 422, code: "plan_blocked" })
      assert.deepStrictEqual(refused.details["blockers"], blockers)
      assert.isUndefined(blockers[0]?.code)
    }))

  it.effect("a balance the issuer has frozen; a frozen empty line just goes", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { destination, source } = yield* on(Pair())
      const { source: other } = yield* on(Pair())
      const { asset, issuer } = yield* on(Issued("FROZEN", [source, "5"], [other, "0"]))
      yield* on(perform("the issuer freezes both lines", {
        as: issuer,
        operations: [
          Operation.setOptions({ setFlags: AuthRevocableFlag }),
          ...[source, other].map((holder) =>
            Operation.setTrustLineFlags({ trustor: holder.publicKey(), asset, flags: { authorized: false } })
          )
        ]
      }))
      const { blockers, reasons, refusal: refused } = yield* judged(acknowledged(source, destination))
      assert.deepStrictEqual(reasons, ["trustline_deauthorized"])
      assert.strictEqual(blockers[0]?.subject, `FROZEN:${issuer.publicKey()}`)
      assert.strictEqual(refused.code, "plan_blocked")
      yield* closeThrough({ source: other, destination })
    }))

  it.effect("a balance that may only maintain liabilities", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { destination, source } = yield* on(Pair())
      const { asset, issuer } = yield* on(Issued("HALF", [source, "5"]))
      yield* on(perform("the issuer halves the authorisation", {
        as: issuer,
        operations: [
          Operation.setOptions({ setFlags: AuthRevocableFlag }),
          Operation.setTrustLineFlags({
            trustor: source.publicKey(),
            asset,
            flags: { authorized: false, authorizedToMaintainLiabilities: true }
          })
        ]
      }))
      assert.deepStrictEqual((yield* judged(acknowledged(source, destination))).reasons, ["trustline_deauthorized"])
    }))

  it.effect("signers that together do not reach the high threshold", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { destination, source } = yield* on(Pair())
      yield* on(perform("a threshold out of reach", {
        as: source,
        operations: [
          Operation.setOptions({ signer: { ed25519PublicKey: Keypair.random().publicKey(), weight: 3 } }),
          Operation.setOptions({ masterWeight: 1, lowThreshold: 1, medThreshold: 1, highThreshold: 5 })
        ]
      }))
      const { reasons, refusal: refused } = yield* judged(acknowledged(source, destination))
      assert.deepStrictEqual(reasons, ["signers_insufficient"])
      assert.strictEqual(refused.code, "plan_blocked")
    }))

  it.effect("a disabled master key and too light other signers", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { destination, source } = yield* on(Pair())
      yield* on(perform("the master key is disabled", {
        as: source,
        operations: [
          Operation.setOptions({ signer: { ed25519PublicKey: Keypair.random().publicKey(), weight: 1 } }),
          Operation.setOptions({ masterWeight: 0, lowThreshold: 1, medThreshold: 1, highThreshold: 2 })
        ]
      }))
      assert.deepStrictEqual((yield* judged(acknowledged(source, destination))).reasons, ["master_key_disabled"])
    }))

  it.effect("weight that only transactions fixed beforehand carry", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { destination, source } = yield* on(Pair())
      const payloadSigner = StrKey.encodeSignedPayload(
        Buffer.concat([StrKey.decodeEd25519PublicKey(Keypair.random().publicKey()), Buffer.from([0, 0, 0, 4]), randomBytes(4)])
      )
      yield* on(perform("signers of every other kind", {
        as: source,
        operations: [
          Operation.setOptions({ signer: { preAuthTx: randomBytes(32), weight: 10 } }),
          Operation.setOptions({ signer: { ed25519SignedPayload: payloadSigner, weight: 10 } }),
          Operation.setOptions({ masterWeight: 1, lowThreshold: 1, medThreshold: 1, highThreshold: 2 })
        ]
      }))
      const { reasons } = yield* judged(acknowledged(source, destination))
      assert.deepStrictEqual(reasons, ["signers_insufficient"])
      const { warnings } = yield* plan(acknowledged(source, destination))
      assert.include(warnings.map(({ code }) => code), "preauthorized_transaction")
    }))

  it.effect("a sequence number that reaches into the next ledger's, to the last one", () =>
    Effect.gen(function*() {
      const { on, sandbox } = yield* Service
      const bumped = (below: bigint) =>
        Effect.gen(function*() {
          const { destination, source } = yield* on(Pair())
          const { state } = yield* sandbox.snapshot
          // The bump itself takes one ledger; the merge could be in the one after it.
          const first = BigInt(state.header.ledgerSeq + 2) << 32n
          yield* on(perform("bump", { as: source, operations: [Operation.bumpSequence({ bumpTo: (first - below).toString() })] }))
          return { request: acknowledged(source, destination), source }
        })
      const free = yield* bumped(2n)
      assert.strictEqual((yield* plan(free.request)).status, "ready")
      yield* submit(yield* signed(yield* offered(free.request), free.source))
      assert.strictEqual(yield* accountOf(free.source), null)
      const far = yield* bumped(1n)
      const { reasons, refusal: refused } = yield* judged(far.request)
      assert.deepStrictEqual(reasons, ["sequence_too_far"])
      assert.strictEqual(refused.code, "plan_blocked")
      yield* sandbox.closeLedger()
      yield* submit(yield* signed(yield* offered(far.request), far.source))
      assert.strictEqual(yield* accountOf(far.source), null)
    }))

  it.effect("lumens that do not pay one operation, unless somebody else pays the fee", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { destination } = yield* on(Pair())
      const short = Keypair.random()
      const enough = Keypair.random()
      yield* on(fund("1.0000099", short))
      yield* on(fund("1.00001", enough))
      const { reasons, refusal: refused } = yield* judged(acknowledged(short, destination))
      assert.deepStrictEqual(reasons, ["insufficient_lumens"])
      assert.deepInclude(refused, { status: 422, code: "insufficient_lumens" })
      assert.deepStrictEqual(refused.details, { needed: "0.0000100", spendable: "0.0000099" })
      assert.strictEqual((yield* plan({ ...acknowledged(short, destination), feePayer: "fee_bump" })).status, "ready")
      yield* submit(yield* signed(yield* offered(acknowledged(enough, destination)), enough))
      assert.strictEqual(yield* accountOf(enough), null)
    }))

  it.effect("two things at once are plan_blocked, with both", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { destination, source } = yield* on(Pair())
      yield* on(perform("immutable and out of reach", {
        as: source,
        operations: [Operation.setOptions({ setFlags: AuthImmutableFlag }), Operation.setOptions({ highThreshold: 9 })]
      }))
      const { reasons, refusal: refused } = yield* judged(acknowledged(source, destination))
      assert.sameMembers(reasons, ["auth_immutable", "signers_insufficient"])
      assert.strictEqual(refused.code, "plan_blocked")
      assert.lengthOf(Array.isArray(refused.details["blockers"]) ? refused.details["blockers"] : [], 2)
    }))

  it.effect("a balance the issuer may claw back is warned of, and closes", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { destination, source } = yield* on(Pair())
      const issuer = Keypair.random()
      yield* on(fund("100", issuer))
      const asset = new Asset("CLAW", issuer.publicKey())
      yield* on(
        perform("clawback", { as: issuer, operations: [Operation.setOptions({ setFlags: AuthRevocableFlag | AuthClawbackEnabledFlag })] })
      )
      yield* on(perform("a line", { as: source, operations: [Operation.changeTrust({ asset })] }))
      yield* on(perform("paid", { as: issuer, operations: [Operation.payment({ destination: source.publicKey(), asset, amount: "3" })] }))
      const { warnings } = yield* plan(acknowledged(source, destination))
      assert.include(warnings.map(({ code, subject }) => `${code} ${subject ?? ""}`), `clawback_enabled CLAW:${issuer.publicKey()}`)
      yield* closeThrough({ source, destination })
    }))

  it.effect("an account that does not exist, or was never asked about", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { destination } = yield* on(Pair())
      const nobody = Keypair.random()
      for (const route of ["plan", "next"] as const) {
        const refused = yield* refusal(route, acknowledged(nobody, destination))
        assert.deepStrictEqual(refused, {
          status: 404,
          code: "not_found",
          details: { address: nobody.publicKey() },
          retry: "after_fix",
          retryAfter: null
        })
      }
    }))

  it.effect("questions it has not answered, by name", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { decision, destination, source } = yield* on(HolderWithMarket())
      const request = acknowledged(source, destination)
      const asked = yield* plan(request)
      assert.strictEqual(asked.status, "needs_decisions")
      assert.strictEqual(asked.projection.status, "partial")
      const refused = yield* refusal("next", request)
      assert.deepStrictEqual(refused, {
        status: 422,
        code: "needs_decisions",
        details: { missing: [decision] },
        retry: "after_fix",
        retryAfter: null
      })
      const answered = { ...request, decisions: [...answersTo(asked), acknowledges(Keypair.random().publicKey())] }
      const extra = answered.decisions.at(-1)?.id ?? ""
      assert.deepStrictEqual((yield* plan(answered)).unusedDecisions, [extra])
      assert.deepStrictEqual((yield* next(answered)).unusedDecisions, [extra])
    }))
})
