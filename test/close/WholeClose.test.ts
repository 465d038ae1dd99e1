import { assert } from "@effect/vitest"
import { Keypair, Operation } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { createHash, randomBytes } from "node:crypto"
import { showAmount } from "../../src/domain/Amount.ts"
import { DemoAccount } from "../../src/sandbox/scenarios/DemoAccount.ts"
import { perform } from "../../src/sandbox/scenarios/Scenario.ts"
import { layer } from "../support/Layered.ts"
import { HolderWithMarket, Pair } from "./support/Accounts.ts"
import { acknowledges, answersTo, echo, pointOf } from "./support/Answering.ts"
import { lookup, offered, plan, refusal, submit } from "./support/Client.ts"
import { closeThrough } from "./support/CloseLoop.ts"
import { accountOf, lumensOf } from "./support/LedgerView.ts"
import { seenOperations } from "./support/SeenOperations.ts"
import { Service } from "./support/Service.ts"
import { decoded, signed } from "./support/Signing.ts"

layer(Service.layer(), { excludeTestServices: true })("a whole close", (it) => {
  it.effect("of an account with a bit of everything brings the destination what the plan says, to the stroop", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { destination, source } = yield* on(DemoAccount)
      const { envelopes, plan: ready, received, rounds } = yield* closeThrough({ source, destination })
      assert.strictEqual(ready.projection.status, "verified")
      assert.strictEqual(showAmount(received), ready.estimate.receivedLumens)
      assert.lengthOf(rounds, 1)
      assert.strictEqual(ready.estimate.transactionCount, 1)
      const again = yield* submit(envelopes[0]!)
      assert.strictEqual(again.hash, rounds[0]?.transactions[0]?.hash)
      assert.deepStrictEqual(yield* lookup(again.hash), {
        hash: again.hash,
        status: "success",
        ledger: again.ledger,
        resultCode: "tx_success"
      })
      const complete = yield* plan({ source: source.publicKey(), destination: destination.publicKey() })
      assert.strictEqual(complete.status, "complete")
      const elsewhere = yield* refusal("plan", { source: source.publicKey(), destination: Keypair.random().publicKey() })
      assert.deepInclude(elsewhere, { status: 404, code: "not_found" })
      assert.strictEqual(elsewhere.details["mergedInto"], destination.publicKey())
    }))

  it.effect("hands over an envelope that says, read by the SDK, what its intent says", () =>
    Effect.gen(function*() {
      const { on, passphrase } = yield* Service
      const { assets, destination, issuer, source } = yield* on(DemoAccount)
      const request = { source: source.publicKey(), destination: destination.publicKey() }
      const asked = yield* plan(request)
      const decisions = answersTo(asked)
      const transaction = yield* offered({ ...request, decisions })
      const read = yield* decoded(transaction)
      assert.deepStrictEqual(seenOperations(read), transaction.intent.operations)
      assert.strictEqual(read.source, source.publicKey())
      assert.strictEqual(read.fee, transaction.intent.feeStroops)
      assert.strictEqual(read.memo.type, "none")
      assert.strictEqual(transaction.intent.memo, null)
      assert.lengthOf(read.signatures, 0)
      assert.strictEqual(transaction.networkPassphrase, passphrase)
      assert.strictEqual(read.sequence, transaction.sourceSequence)
      assert.strictEqual(new Date(Number(read.timeBounds?.maxTime) * 1000).toISOString(), transaction.validUntil)
      assert.strictEqual(read.ledgerBounds?.maxLedger, transaction.validUntilLedger)
      const floors = decisions.flatMap(({ choice, params }) => (choice === "convert_to_native" ? [params?.minReceive] : []))
      assert.lengthOf(floors, 2)
      assert.deepStrictEqual(transaction.intent.guarantees, {
        mergeDestination: destination.publicKey(),
        paymentsOnlyTo: [issuer.publicKey()],
        minLumensFromConversions: showAmount(floors.reduce((sum, floor) => sum + BigInt((floor ?? "").replace(".", "")), 0n))
      })
      assert.strictEqual(read.operations.at(-1)?.type, "accountMerge")
      const lineGone = Object.values(assets).map((asset) => `${asset.getCode()}:${asset.getIssuer()}`)
      assert.sameMembers(
        transaction.intent.operations.flatMap((operation) => (operation.type === "change_trust" ? [operation.asset] : [])),
        lineGone
      )
    }))

  it.effect("of an account whose only signer is a hash is signed with the preimage", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { destination, source } = yield* on(Pair())
      const preimage = randomBytes(32)
      yield* on(perform("only a hash signs", {
        as: source,
        operations: [
          Operation.setOptions({ signer: { sha256Hash: createHash("sha256").update(preimage).digest(), weight: 1 } }),
          Operation.setOptions({ masterWeight: 0, lowThreshold: 1, medThreshold: 1, highThreshold: 1 })
        ]
      }))
      const request = {
        source: source.publicKey(),
        destination: destination.publicKey(),
        decisions: [acknowledges(destination.publicKey())]
      }
      const ready = yield* plan(request)
      assert.deepInclude(ready.signing[0], { level: "high", requiredWeight: 1, availableWeight: 1 })
      assert.deepStrictEqual(ready.signing[0]?.signers.map(({ type, weight }) => [type, weight]), [["hash_x", 1]])
      const transaction = yield* decoded(yield* offered(request))
      transaction.signHashX(preimage)
      const before = yield* lumensOf(destination)
      yield* submit(transaction.toXdr())
      assert.strictEqual(yield* accountOf(source), null)
      assert.strictEqual(showAmount((yield* lumensOf(destination)) - before), ready.estimate.receivedLumens)
    }))

  it.effect("that needs several signers leaves them half an hour, and takes any that suffice", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { destination, source } = yield* on(Pair())
      const [first, second] = [Keypair.random(), Keypair.random()]
      yield* on(perform("two of three sign", {
        as: source,
        operations: [
          ...[first, second].map((key) => Operation.setOptions({ signer: { ed25519PublicKey: key.publicKey(), weight: 1 } })),
          Operation.setOptions({ masterWeight: 1, lowThreshold: 1, medThreshold: 2, highThreshold: 2 })
        ]
      }))
      const request = {
        source: source.publicKey(),
        destination: destination.publicKey(),
        decisions: [acknowledges(destination.publicKey())]
      }
      const { closeTime } = (yield* (yield* Service).sandbox.snapshot).state.header
      const transaction = yield* offered(request)
      assert.deepInclude(transaction.signing[0], { requiredWeight: 2, availableWeight: 3 })
      assert.isAtLeast(Date.parse(transaction.validUntil) / 1000 - Number(closeTime), 1800)
      const alone = yield* refusal("submit", { signedXdr: yield* signed(transaction, second) })
      assert.deepStrictEqual(alone, {
        status: 422,
        code: "bad_signatures",
        details: { needed: [{ account: source.publicKey(), requiredWeight: 2, presentWeight: 1 }], unused: 0 },
        retry: "after_fix",
        retryAfter: null
      })
      yield* submit(yield* signed(transaction, first, second))
      assert.strictEqual(yield* accountOf(source), null)
    }))

  it.effect("of an account with its master key disabled is signed by another key", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { destination, source } = yield* on(Pair())
      const other = Keypair.random()
      yield* on(perform("another key takes over", {
        as: source,
        operations: [
          Operation.setOptions({ signer: { ed25519PublicKey: other.publicKey(), weight: 5 } }),
          Operation.setOptions({ masterWeight: 0, lowThreshold: 5, medThreshold: 5, highThreshold: 5 })
        ]
      }))
      const transaction = yield* offered({
        source: source.publicKey(),
        destination: destination.publicKey(),
        decisions: [acknowledges(destination.publicKey())]
      })
      assert.deepStrictEqual(transaction.signing[0]?.signers.map(({ key }) => key), [other.publicKey()])
      assert.strictEqual((yield* refusal("submit", { signedXdr: yield* signed(transaction, source) })).code, "bad_signatures")
      yield* submit(yield* signed(transaction, other))
      assert.strictEqual(yield* accountOf(source), null)
    }))

  it.effect("can transfer an asset to another account of the owner instead", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { asset, decision, destination, source } = yield* on(HolderWithMarket())
      const { source: heir } = yield* on(Pair())
      yield* on(perform("the heir trusts the asset", { as: heir, operations: [Operation.changeTrust({ asset })] }))
      const request = { source: source.publicKey(), destination: destination.publicKey() }
      const transfer = echo(pointOf(yield* plan(request), decision), "transfer_to_account", { destination: heir.publicKey() })
      const asked = yield* plan({ ...request, decisions: [transfer, acknowledges(destination.publicKey())] })
      assert.strictEqual(asked.status, "needs_decisions")
      assert.isFalse(pointOf(asked, `destination:${heir.publicKey()}`).answered)
      const decisions = [transfer, acknowledges(destination.publicKey()), acknowledges(heir.publicKey())]
      const { plan: ready, received, rounds } = yield* closeThrough({ source, destination, decisions })
      assert.strictEqual(showAmount(received), ready.estimate.receivedLumens)
      assert.deepStrictEqual(rounds[0]?.transactions[0]?.intent.guarantees.paymentsOnlyTo, [heir.publicKey()])
    }))
})
