import { assert } from "@effect/vitest"
import { Asset, Keypair, Operation, TransactionBuilder } from "@stellar/stellar-sdk"
import { Effect, Option } from "effect"
import { showAmount } from "../../src/domain/Amount.ts"
import { showTime } from "../../src/domain/Instant.ts"
import { sponsorshipOf } from "../../src/ledger/entries/Account.ts"
import { DemoAccount } from "../../src/sandbox/scenarios/DemoAccount.ts"
import { perform } from "../../src/sandbox/scenarios/Scenario.ts"
import { layer } from "../support/Layered.ts"
import { Pair } from "./support/Accounts.ts"
import { answersTo } from "./support/Answering.ts"
import { coSign, next, type NextBody, offered, plan, refusal, submit } from "./support/Client.ts"
import { accountOf } from "./support/LedgerView.ts"
import { exchanges, forge, lumensAt } from "./support/Mediated.ts"
import { Service } from "./support/Service.ts"
import { decoded, signed } from "./support/Signing.ts"

const memo = { type: "text", value: "customer 42" } as const

const signedBy = (xdr: string, ...keys: ReadonlyArray<Keypair>) => signed({ xdr }, ...keys)

layer(Service.layer(), { excludeTestServices: true })("a close through the mediator", (it) => {
  it.effect("credits the exchange by a payment with the memo, of what the plan promised", () =>
    Effect.gen(function*() {
      const { on, sandbox } = yield* Service
      const { source } = yield* on(Pair("37.5"))
      const { payments } = yield* exchanges
      const request = { source: source.publicKey(), destination: payments, memo }
      const ready = yield* plan(request)
      assert.strictEqual(ready.status, "ready")
      assert.deepStrictEqual(ready.transactions.map(({ covers, index, reason, steps }) => [index, steps, covers, reason]), [
        [0, [0], ["MERGE"], "mediator"]
      ])
      assert.strictEqual(ready.projection.status, "verified")
      assert.strictEqual(ready.estimate.receivedLumens, "37.4999800")
      assert.include(ready.warnings.map(({ code }) => code), "gates_at_build")

      const transaction = yield* offered(request)
      assert.deepStrictEqual([transaction.reason, transaction.next], ["mediator", ["mediator_sign", "sign", "submit"]])
      const read = yield* decoded(transaction)
      const mediator = transaction.intent.guarantees.mergeDestination ?? ""
      assert.deepStrictEqual(transaction.signing.map(({ account, level }) => [account, level]), [[source.publicKey(), "high"], [
        mediator,
        "med"
      ]])
      assert.deepStrictEqual(ready.signing, transaction.signing)
      assert.deepStrictEqual(read.operations.map(({ source, type }) => [source, type]), [[source.publicKey(), "accountMerge"], [
        mediator,
        "payment"
      ]])
      assert.deepStrictEqual(transaction.intent.guarantees.paymentsOnlyTo, [payments])
      assert.deepStrictEqual(transaction.intent.memo, memo)
      assert.strictEqual(read.fee, "200")

      const [before, held] = [yield* lumensAt(payments), yield* lumensAt(mediator)]
      const coSigned = yield* coSign(transaction.xdr)
      const { hash } = yield* submit(yield* signedBy(coSigned, source))
      assert.strictEqual(hash, transaction.hash)
      assert.strictEqual(yield* accountOf(source), null)
      assert.strictEqual(showAmount((yield* lumensAt(payments)) - before), ready.estimate.receivedLumens)
      assert.strictEqual(yield* lumensAt(mediator), held)

      const record = Option.getOrThrow(yield* sandbox.outcome(hash))
      const applied = yield* decoded({ xdr: record.facts.envelope.toXdr("base64") })
      assert.strictEqual(applied.memo.type, "text")
      assert.strictEqual(Buffer.from(applied.memo.value ?? "").toString(), memo.value)
      const { closed, status } = yield* plan(request)
      assert.deepStrictEqual([status, closed], ["complete", {
        hash,
        ledger: record.ledger,
        closedAt: showTime(record.closeTime),
        mergedInto: mediator,
        paidTo: payments,
        receivedLumens: "37.4999800",
        memo
      }])
    }))

  it.effect("does everything else first, and brings what the plan says to the stroop", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { source } = yield* on(DemoAccount)
      const { payments } = yield* exchanges
      const request = { source: source.publicKey(), destination: payments, memo }
      const decisions = answersTo(yield* plan(request))
      const ready = yield* plan({ ...request, decisions })
      assert.strictEqual(ready.status, "ready", JSON.stringify(ready.blockers))
      assert.deepStrictEqual(ready.transactions.map(({ reason }) => reason), [undefined, "mediator"])
      const before = yield* lumensAt(payments)
      const reasons: Array<string | null> = []
      for (;;) {
        const answer: NextBody = yield* next({ ...request, decisions })
        const [transaction] = answer.transactions
        const last = !answer.remaining.requiresAnotherCall
        reasons.push(transaction!.intent.memo?.value ?? null)
        yield* submit(yield* signedBy(last ? yield* coSign(transaction!.xdr) : transaction!.xdr, source))
        if (last) break
      }
      assert.deepStrictEqual(reasons, [null, memo.value])
      assert.strictEqual(yield* accountOf(source), null)
      assert.strictEqual(showAmount((yield* lumensAt(payments)) - before), ready.estimate.receivedLumens)
    }))

  it.effect("leaves the mediator what was bid and not charged, and nothing else", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { source } = yield* on(Pair())
      const { payments } = yield* exchanges
      const { intent } = yield* offered({ source: source.publicKey(), destination: payments, memo })
      const mediator = intent.guarantees.mergeDestination ?? ""
      const [held, credited] = [yield* lumensAt(mediator), yield* lumensAt(payments)]
      const transaction = yield* forge({ source, mediator, destination: payments, fee: 5000n })
      yield* submit(yield* signedBy(yield* coSign(transaction.toXdr()), source))
      assert.strictEqual((yield* lumensAt(mediator)) - held, 5000n - 200n)
      assert.strictEqual((yield* lumensAt(payments)) - credited, 100_0000000n - 5000n)
    }))

  it.effect("of an account with several signers is signed by them first, for half an hour at most", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { source } = yield* on(Pair())
      const [first, second] = [Keypair.random(), Keypair.random()]
      yield* on(perform("two of three sign", {
        as: source,
        operations: [
          ...[first, second].map((key) => Operation.setOptions({ signer: { ed25519PublicKey: key.publicKey(), weight: 1 } })),
          Operation.setOptions({ masterWeight: 1, lowThreshold: 1, medThreshold: 2, highThreshold: 2 })
        ]
      }))
      const { payments } = yield* exchanges
      const transaction = yield* offered({ source: source.publicKey(), destination: payments, memo, validForSeconds: 86_400 })
      assert.deepStrictEqual(transaction.next, ["sign", "mediator_sign", "submit"])
      const { closeTime } = (yield* (yield* Service).sandbox.snapshot).state.header
      const ahead = Date.parse(transaction.validUntil) / 1000 - Number(closeTime)
      assert.isAtLeast(ahead, 1790)
      assert.isAtMost(ahead, 1800)
      const unsigned = yield* refusal("coSign", { transaction: transaction.xdr })
      assert.deepInclude(unsigned, { status: 403, code: "mediator_refused", details: { rule: "time_bounds" } })
      const half = yield* refusal("coSign", { transaction: yield* signedBy(transaction.xdr, second) })
      assert.deepStrictEqual(half.details, { rule: "time_bounds" })
      const coSigned = yield* coSign(yield* signedBy(transaction.xdr, first, second))
      const before = yield* lumensAt(payments)
      yield* submit(coSigned)
      assert.strictEqual(yield* accountOf(source), null)
      assert.isAbove(Number((yield* lumensAt(payments)) - before), 0)
    }))

  it.effect("of a sponsored account gives its sponsor the reserve back", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { source: sponsor } = yield* on(Pair())
      const source = Keypair.random()
      yield* on(perform("a sponsored account", {
        as: sponsor,
        signedBy: [sponsor, source],
        operations: [
          Operation.beginSponsoringFutureReserves({ sponsoredId: source.publicKey() }),
          Operation.createAccount({ destination: source.publicKey(), startingBalance: "0.5" }),
          Operation.endSponsoringFutureReserves({ source: source.publicKey() })
        ]
      }))
      const { payments } = yield* exchanges
      const transaction = yield* offered({ source: source.publicKey(), destination: payments, memo })
      const before = yield* lumensAt(payments)
      yield* submit(yield* signedBy(yield* coSign(transaction.xdr), source))
      assert.strictEqual((yield* lumensAt(payments)) - before, 5_000_000n - 200n)
      const entry = yield* accountOf(sponsor)
      assert.strictEqual(entry === null ? null : sponsorshipOf(entry).numSponsoring, 0)
    }))

  it.effect("is never paid for by somebody else, while what comes before it may be", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { source } = yield* on(Pair())
      const { payments } = yield* exchanges
      yield* on(perform("a data entry", { as: source, operations: [Operation.manageData({ name: "note", value: "x" })] }))
      const request = { source: source.publicKey(), destination: payments, memo, feePayer: "fee_bump" } as const
      const ready = yield* plan(request)
      assert.strictEqual(ready.status, "ready")
      const first = yield* offered(request)
      assert.deepStrictEqual([first.reason, first.next], [undefined, ["sign", "fee_bump", "submit"]])
      assert.strictEqual((yield* decoded(first)).fee, "0")
      assert.strictEqual((yield* decoded(first)).memo.type, "none")
      const sponsor = (yield* on(Pair())).source
      const bump = TransactionBuilder.buildFeeBumpTransaction(
        sponsor,
        "200",
        yield* Effect.map(decoded(first), (inner) => (inner.sign(source), inner)),
        (yield* Service).passphrase
      )
      bump.sign(sponsor)
      yield* submit(bump.toXdr())
      for (const route of ["plan", "next"] as const) {
        assert.deepInclude(yield* refusal(route, request), { status: 400, code: "invalid_fee_payer" })
      }
      const { feePayer: _, ...paid } = request
      assert.strictEqual((yield* decoded(yield* offered(paid))).operations.length, 2)
    }))

  it.effect("is refused at submit when a deposit came late, or lumens left: neither may stay with or come from the mediator", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { payments } = yield* exchanges
      const changed = (current: string) => {
        const change = { kind: "amount", subject: "native", agreed: "99.9999800", current }
        return { status: 409, code: "plan_changed", details: { planHash: null, changes: [change] } }
      }
      for (const direction of ["in", "out"] as const) {
        const { destination: other, source } = yield* on(Pair())
        const request = { source: source.publicKey(), destination: payments, memo }
        const ready = yield* signedBy(yield* coSign((yield* offered(request)).xdr), source)
        // A stranger's transaction: the account's own sequence number does not move.
        yield* on(perform(
          "lumens move",
          direction === "in"
            ? { as: other, operations: [Operation.payment({ destination: source.publicKey(), asset: Asset.native(), amount: "3" })] }
            : {
              as: other,
              signedBy: [other, source],
              operations: [
                Operation.payment({ source: source.publicKey(), destination: other.publicKey(), asset: Asset.native(), amount: "3" })
              ]
            }
        ))
        assert.deepInclude(yield* refusal("submit", { signedXdr: ready }), changed(direction === "in" ? "102.9999800" : "96.9999800"))
        const before = yield* lumensAt(payments)
        yield* submit(yield* signedBy(yield* coSign((yield* offered(request)).xdr), source))
        assert.strictEqual((yield* lumensAt(payments)) - before, direction === "in" ? 103_0000000n - 200n : 97_0000000n - 200n)
      }
    }))
})
