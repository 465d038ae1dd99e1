import { assert } from "@effect/vitest"
import { xdr } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { layer } from "../../support/Layered.ts"
import { answersTo } from "../support/Answering.ts"
import { offered, plan, refusal, submit } from "../support/Client.ts"
import { Service } from "../support/Service.ts"
import { signed } from "../support/Signing.ts"
import { CATCHING_UP } from "./support/ToyPool.ts"
import { laterLedger, ToyHolder, toyService } from "./support/ToyService.ts"

/** The resources that the service declares beyond the node's count. */
const LEEWAY = 4_000_000

/** The node's declaration without a leeway: its count plus a share, at least a small amount. */
const shareOf = (counted: number): number => Math.max(counted + 50_000, Math.floor((counted * 104) / 100))

/** The same transaction, unsigned, with other declared instructions; and the original ones. */
const declaring = (text: string, change: (declared: number) => number): { readonly xdr: string; readonly declared: number } => {
  const envelope = xdr.TransactionEnvelope.fromXdr(text, "base64")
  assert(envelope.type === "envelopeTypeTx" && envelope.v1.tx.ext.type === "sorobanData")
  const { ext: { sorobanData: data }, ...tx } = envelope.v1.tx
  const declared = data.resources.instructions
  const resources = new xdr.SorobanResources({ ...data.resources, instructions: change(declared) })
  const ext = xdr.TransactionExt.sorobanData(new xdr.SorobanTransactionData({ ...data, resources }))
  const changed = xdr.TransactionEnvelope.envelopeTypeTx(
    new xdr.TransactionV1Envelope({ tx: new xdr.Transaction({ ...tx, ext }), signatures: [] })
  )
  return { xdr: changed.toXdr("base64"), declared }
}

layer(toyService, { excludeTestServices: true })("a call that has more to do when it is applied than when it was simulated", (it) => {
  const built = (pool: number) =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const held = yield* on(ToyHolder({ pool, mode: "drift" }))
      const request = { source: held.source.publicKey(), destination: held.destination.publicKey() }
      const transaction = yield* offered({ ...request, decisions: answersTo(yield* plan(request)) })
      yield* laterLedger
      yield* laterLedger
      return { ...held, transaction }
    })

  it.effect("goes through with what the service declares", () =>
    Effect.gen(function*() {
      const { source, transaction } = yield* built(0)
      assert.strictEqual((yield* submit(yield* signed(transaction, source))).status, "success")
    }))

  it.effect("would run out of a share of what was counted, which is little where the call is small", () =>
    Effect.gen(function*() {
      const { source, transaction } = yield* built(1)
      const less = declaring(transaction.xdr, (declared) => shareOf(declared - LEEWAY))
      const counted = less.declared - LEEWAY
      assert.isAbove(counted, 0)
      assert.isBelow(shareOf(counted), counted + CATCHING_UP)
      const failed = yield* refusal("submit", { signedXdr: yield* signed(less, source) })
      assert.strictEqual(failed.code, "transaction_failed")
      assert.deepStrictEqual(failed.details["operationResultCodes"], ["op_resource_limit_exceeded"])
    }))
})
