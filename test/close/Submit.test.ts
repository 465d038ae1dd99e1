import { assert } from "@effect/vitest"
import { Account, Asset, Keypair, Networks, Operation, TransactionBuilder } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { fund, perform } from "../../src/sandbox/scenarios/Scenario.ts"
import { layer } from "../support/Layered.ts"
import { Pair } from "./support/Accounts.ts"
import { lookup, offered, plan, refusal, submit } from "./support/Client.ts"
import { acknowledged } from "./support/Judged.ts"
import { accountOf, lumensOf } from "./support/LedgerView.ts"
import { asVersionZero, feeBumped } from "./support/Outsiders.ts"
import { Service } from "./support/Service.ts"
import { decoded, signed } from "./support/Signing.ts"

const unknownHash = "0123456789abcdef".repeat(4)

layer(Service.layer(), { excludeTestServices: true })("submitting", (it) => {
  it.effect("drops signatures nobody asked for, which the network itself would refuse", () =>
    Effect.gen(function*() {
      const { on, sandbox } = yield* Service
      const { destination, source } = yield* on(Pair())
      const transaction = yield* offered(acknowledged(source, destination))
      const overSigned = yield* signed(transaction, Keypair.random(), source, destination)
      const plain = (yield* sandbox.submit((yield* decoded({ xdr: overSigned })).toEnvelope())).verdict
      assert.notStrictEqual(plain, "pending")
      assert.strictEqual((yield* submit(overSigned)).hash, transaction.hash)
      assert.strictEqual(yield* accountOf(source), null)
    }))

  it.effect("keeps every signature that the highest level and an extra signer ask for", () =>
    Effect.gen(function*() {
      const { on, passphrase } = yield* Service
      const { source } = yield* on(Pair())
      const [second, third, extra] = [Keypair.random(), Keypair.random(), Keypair.random()]
      const bySigners = [second, third].map((key) => Operation.setOptions({ signer: { ed25519PublicKey: key.publicKey(), weight: 1 } }))
      const levels = Operation.setOptions({ lowThreshold: 1, medThreshold: 2, highThreshold: 3 })
      yield* on(perform("three signers", { as: source, operations: [...bySigners, levels] }))
      const sequence = (yield* accountOf(source))?.seqNum ?? 0n
      const transaction = new TransactionBuilder(new Account(source.publicKey(), sequence.toString()), {
        fee: "100",
        networkPassphrase: passphrase
      })
        .addOperation(Operation.setOptions({ masterWeight: 1 }))
        .addOperation(Operation.manageData({ name: "after", value: "1" }))
        .setExtraSigners([extra.publicKey()])
        .setTimeout(300)
        .build()
      transaction.sign(source, second, Keypair.random())
      const needed = [
        { account: source.publicKey(), requiredWeight: 3, presentWeight: 2 },
        { account: "extra signers", requiredWeight: 1, presentWeight: 0 }
      ]
      assert.deepInclude(yield* refusal("submit", { signedXdr: transaction.toXdr() }), {
        status: 422,
        code: "bad_signatures",
        details: { needed, unused: 1 }
      })
      transaction.sign(third, extra)
      assert.strictEqual((yield* submit(transaction.toXdr())).status, "success")
    }))

  it.effect("without a signature that counts is bad_signatures, with the figures", () =>
    Effect.gen(function*() {
      const { on, passphrase } = yield* Service
      const { destination, source } = yield* on(Pair())
      const transaction = yield* offered(acknowledged(source, destination))
      const missing = [{ account: source.publicKey(), requiredWeight: 1, presentWeight: 0 }]
      for (const [signedXdr, unused] of [[transaction.xdr, 0], [yield* signed(transaction, Keypair.random(), destination), 2]] as const) {
        const refused = yield* refusal("submit", { signedXdr })
        assert.deepStrictEqual(refused, {
          status: 422,
          code: "bad_signatures",
          details: { needed: missing, unused },
          retry: "after_fix",
          retryAfter: null
        })
      }
      const elsewhere = TransactionBuilder.fromXdr(transaction.xdr, Networks.PUBLIC)
      elsewhere.sign(source)
      assert.notStrictEqual(passphrase, Networks.PUBLIC)
      assert.deepInclude(yield* refusal("submit", { signedXdr: elsewhere.toXdr() }), { status: 422, code: "bad_signatures" })
      assert.isNotNull(yield* accountOf(source))
    }))

  it.effect("takes a transaction that somebody else pays for", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { destination, source } = yield* on(Pair("1"))
      const { source: payer } = yield* on(Pair())
      const request = { ...acknowledged(source, destination), feePayer: "fee_bump" }
      const ready = yield* plan(request)
      assert.deepInclude(ready.estimate, { feeLumens: "0.0000000", receivedLumens: "1.0000000" })
      const transaction = yield* offered(request)
      assert.strictEqual(transaction.intent.feeStroops, "0")
      const [before, payerBefore] = [yield* lumensOf(destination), yield* lumensOf(payer)]
      const bump = yield* feeBumped(transaction, [source], payer)
      const done = yield* submit(bump)
      assert.strictEqual((yield* lumensOf(destination)) - before, 1_0000000n)
      assert.isBelow(Number((yield* lumensOf(payer)) - payerBefore), 0)
      assert.deepStrictEqual(yield* submit(bump), done)
      assert.strictEqual((yield* lookup(done.hash)).status, "success")
    }))

  it.effect("of a fee bump whose payer did not sign is bad_signatures", () =>
    Effect.gen(function*() {
      const { on, passphrase } = yield* Service
      const { destination, source } = yield* on(Pair())
      const { source: payer } = yield* on(Pair())
      const inner = yield* decoded(yield* offered({ ...acknowledged(source, destination), feePayer: "fee_bump" }))
      inner.sign(source)
      const bump = TransactionBuilder.buildFeeBumpTransaction(payer, "200", inner, passphrase)
      bump.sign(source)
      const refused = yield* refusal("submit", { signedXdr: bump.toXdr() })
      assert.deepInclude(refused, { status: 422, code: "bad_signatures" })
      assert.deepStrictEqual(refused.details, { needed: [{ account: payer.publicKey(), requiredWeight: 1, presentWeight: 0 }], unused: 1 })
    }))

  it.effect("of an envelope that asks for no fee, unwrapped, is refused and charges nothing", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { destination, source } = yield* on(Pair())
      const transaction = yield* offered({ ...acknowledged(source, destination), feePayer: "fee_bump" })
      const before = yield* lumensOf(source)
      const refused = yield* refusal("submit", { signedXdr: yield* signed(transaction, source) })
      assert.deepInclude(refused, { status: 422, code: "transaction_rejected" })
      assert.strictEqual(refused.details["resultCode"], "tx_insufficient_fee")
      assert.strictEqual(yield* lumensOf(source), before)
    }))

  it.effect("of what fails on the ledger is transaction_failed, the second time as well", () =>
    Effect.gen(function*() {
      const { on, passphrase } = yield* Service
      const { source } = yield* on(Pair())
      const account = yield* accountOf(source)
      const transaction = new TransactionBuilder(new Account(source.publicKey(), (account?.seqNum ?? 0n).toString()), {
        fee: "100",
        networkPassphrase: passphrase
      })
        .addOperation(Operation.payment({ destination: Keypair.random().publicKey(), asset: Asset.native(), amount: "1" }))
        .setTimeout(300)
        .build()
      transaction.sign(source)
      const hash = Buffer.from(transaction.hash()).toString("hex")
      for (const time of ["first", "second"]) {
        const refused = yield* refusal("submit", { signedXdr: transaction.toXdr() })
        assert.deepInclude(refused, { status: 422, code: "transaction_failed" }, time)
        const { ledger, ...codes } = refused.details
        assert.deepStrictEqual(codes, { hash, resultCode: "tx_failed", operationResultCodes: ["op_no_destination"] })
        assert.deepStrictEqual(yield* lookup(hash), { hash, status: "failed", ledger: Number(ledger), resultCode: "tx_failed" })
        assert.deepStrictEqual(yield* lookup(hash.toUpperCase()), yield* lookup(hash))
      }
    }))

  it.effect("with another sequence number than the next is stale_sequence", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { destination, source } = yield* on(Pair())
      const transaction = yield* offered(acknowledged(source, destination))
      yield* on(perform("something else goes first", { as: source, operations: [Operation.manageData({ name: "first", value: "1" })] }))
      yield* on(perform("and is taken back", { as: source, operations: [Operation.manageData({ name: "first", value: null })] }))
      const refused = yield* refusal("submit", { signedXdr: yield* signed(transaction, source) })
      const expected = ((yield* accountOf(source))?.seqNum ?? 0n) + 1n
      assert.deepStrictEqual(refused, {
        status: 409,
        code: "stale_sequence",
        details: { expected: expected.toString() },
        retry: "replan",
        retryAfter: null
      })
      yield* submit(yield* signed(yield* offered(acknowledged(source, destination)), source))
      assert.strictEqual(yield* accountOf(source), null)
    }))

  it.effect("after the bound is transaction_expired, and the next call starts over", () =>
    Effect.gen(function*() {
      const { on, sandbox } = yield* Service
      const { destination, source } = yield* on(Pair())
      const request = { ...acknowledged(source, destination), validForSeconds: 60 }
      const late = yield* signed(yield* offered(request), source)
      yield* sandbox.closeLedger({ advanceSeconds: 100 })
      assert.deepInclude(yield* refusal("submit", { signedXdr: late }), { status: 409, code: "transaction_expired" })
      yield* submit(yield* signed(yield* offered(request), source))
      assert.strictEqual(yield* accountOf(source), null)
    }))

  it.effect("after the last ledger it was good for is transaction_expired too", () =>
    Effect.gen(function*() {
      const { on, sandbox } = yield* Service
      const { destination, source } = yield* on(Pair())
      const transaction = yield* offered({ ...acknowledged(source, destination), validForSeconds: 60 })
      const late = yield* signed(transaction, source)
      for (;;) {
        const { sequence } = yield* sandbox.closeLedger()
        if (sequence >= transaction.validUntilLedger) break
      }
      assert.deepInclude(yield* refusal("submit", { signedXdr: late }), { status: 409, code: "transaction_expired" })
    }))

  it.effect("for an account that is not there is not_found", () =>
    Effect.gen(function*() {
      const { passphrase } = yield* Service
      const nobody = Keypair.random()
      const transaction = new TransactionBuilder(new Account(nobody.publicKey(), "1"), { fee: "100", networkPassphrase: passphrase })
        .addOperation(Operation.accountMerge({ destination: Keypair.random().publicKey() }))
        .setTimeout(300)
        .build()
      transaction.sign(nobody)
      const refused = yield* refusal("submit", { signedXdr: transaction.toXdr() })
      assert.deepStrictEqual(refused, {
        status: 404,
        code: "not_found",
        details: { address: nobody.publicKey() },
        retry: "after_fix",
        retryAfter: null
      })
    }))

  it.effect("of the old envelope version is invalid_transaction", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { destination, source } = yield* on(Pair())
      const transaction = yield* offered(acknowledged(source, destination))
      assert.deepInclude(yield* refusal("submit", { signedXdr: asVersionZero(transaction.xdr) }), {
        status: 400,
        code: "invalid_transaction"
      })
    }))

  it.effect("the same envelope many times at once applies it once and answers all alike", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { destination, source } = yield* on(Pair())
      const before = yield* lumensOf(destination)
      const transaction = yield* offered(acknowledged(source, destination))
      const envelope = yield* signed(transaction, source)
      const answers = yield* Effect.forEach(Array.from({ length: 6 }), () => submit(envelope), { concurrency: "unbounded" })
      assert.isTrue(answers.every(({ hash, ledger }) => hash === transaction.hash && ledger === answers[0]?.ledger))
      assert.strictEqual((yield* lumensOf(destination)) - before, 99_9999900n)
    }))

  it.effect("a hash nobody knows is unknown, with how far back anybody remembers", () =>
    Effect.gen(function*() {
      const answer = yield* lookup(unknownHash)
      assert.deepInclude(answer, { hash: unknownHash, status: "unknown" })
      assert.isNumber(answer.oldestLedger)
    }))

  it.effect("by an account that was funded after its sequence began anew goes through", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { destination, source } = yield* on(Pair())
      yield* submit(yield* signed(yield* offered(acknowledged(source, destination)), source))
      yield* on(fund("5", source))
      const ready = yield* plan(acknowledged(source, destination))
      assert.strictEqual(ready.status, "ready")
      yield* submit(yield* signed(yield* offered(acknowledged(source, destination)), source))
      assert.strictEqual(yield* accountOf(source), null)
    }))
})
