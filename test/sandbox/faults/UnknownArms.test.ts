import { HttpClientRequest } from "@effect/platform"
import { assert, describe, it } from "@effect/vitest"
import { type Keypair, xdr } from "@stellar/stellar-sdk"
import { Effect, Layer } from "effect"
import { type RewritablePlace, UnknownArms } from "../../../src/sandbox/faults/MalformedAnswers.ts"
import { Friendbot } from "../../../src/sandbox/Friendbot.ts"
import { inMemoryTransport } from "../../../src/sandbox/InMemoryTransport.ts"
import { Network } from "../../../src/sandbox/Network.ts"
import { FundedPair } from "../../../src/sandbox/scenarios/FundedPair.ts"
import { accountKey, keyText } from "../../../src/xdr/LedgerKeys.ts"

const origin = "http://sandbox.invalid"

const rpc = (method: string, params: unknown = {}) =>
  inMemoryTransport.pipe(
    Effect.flatMap((client) =>
      HttpClientRequest.post(`${origin}/rpc`).pipe(
        HttpClientRequest.bodyUnsafeJson({ jsonrpc: "2.0", id: 7, method, params }),
        client.execute
      )
    ),
    Effect.flatMap((response) => response.json),
    Effect.map((body) => (body as { readonly result: Record<string, unknown> }).result)
  )

const entriesOf = (...keys: ReadonlyArray<Keypair>) =>
  Effect.map(
    rpc("getLedgerEntries", { keys: keys.map((key) => keyText(accountKey(key.publicKey()))) }),
    ({ entries }) => entries as ReadonlyArray<{ readonly xdr: string; readonly extXdr: string }>
  )

const record = (key: Keypair) =>
  Effect.map(
    Effect.flatMap(Effect.flatMap(inMemoryTransport, (client) => client.get(`${origin}/accounts/${key.publicKey()}/transactions`)), (one) =>
      one.json),
    (body) =>
      (body as { readonly _embedded: { readonly records: ReadonlyArray<{ readonly envelope_xdr: string; readonly result_xdr: string }> } })
        ._embedded
        .records[0] ?? assert.fail("no record")
  )

const isRead = (type: { readonly validateXdr: (bytes: Uint8Array) => boolean }, text: string) =>
  type.validateXdr(Buffer.from(text, "base64"))

describe("unknown arms", () => {
  it.effect("stand where they are wanted, and nowhere else", () =>
    Effect.gen(function*() {
      const { faults } = yield* Network
      const { destination, source } = yield* FundedPair
      const shown = Effect.gen(function*() {
        const [own, other] = yield* entriesOf(source, destination)
        const { envelope_xdr, result_xdr } = yield* record(source)
        const { headerXdr } = yield* rpc("getLatestLedger")
        return [
          isRead(xdr.LedgerEntryData, own?.xdr ?? ""),
          isRead(xdr.LedgerEntryExt, own?.extXdr ?? ""),
          isRead(xdr.LedgerEntryData, other?.xdr ?? ""),
          isRead(xdr.TransactionEnvelope, envelope_xdr),
          isRead(xdr.TransactionResult, result_xdr),
          isRead(xdr.LedgerHeader, `${headerXdr}`)
        ]
      })
      const [yes, no] = [true, false]
      assert.deepStrictEqual(yield* shown, [yes, yes, yes, yes, yes, no])
      const places: ReadonlyArray<readonly [RewritablePlace, ReadonlyArray<boolean>]> = [
        ["accounts", [yes, yes, no, yes, yes, no]],
        ["entryExtensions", [yes, yes, yes, yes, yes, no]],
        ["envelopes", [yes, yes, yes, no, yes, no]],
        ["results", [yes, yes, yes, yes, no, no]],
        ["events", [yes, yes, yes, yes, yes, no]]
      ]
      for (const [place, wanted] of places) {
        const id = yield* faults.set({ fault: new UnknownArms({ in: [place], except: [source.publicKey()] }) })
        assert.deepStrictEqual(yield* shown, wanted, place)
        yield* faults.clear(id)
      }
      yield* faults.set({ fault: new UnknownArms({}) })
      assert.deepStrictEqual(yield* shown, [no, no, no, no, no, no])
    }).pipe(Effect.provide(Layer.provideMerge(Layer.fresh(Friendbot.layer), Network.layer()))))
})
