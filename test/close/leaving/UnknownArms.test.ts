import { assert } from "@effect/vitest"
import { StrKey, xdr } from "@stellar/stellar-sdk"
import { Effect, Layer } from "effect"
import type { IncomingMessage, ServerResponse } from "node:http"
import { text } from "node:stream/consumers"
import { layer } from "../../support/Layered.ts"
import { listeningServer } from "../../support/ListeningServer.ts"
import { plan } from "../support/Client.ts"
import { Service } from "../support/Service.ts"
import { type Between, laterLedger, ToyHolder, toyServiceThrough } from "./support/ToyService.ts"

/** A vector with an address of an unknown arm. */
const unknown = Buffer.from([0, 0, 0, 16, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 18, 0, 0, 0, 9, 1, 2, 3, 4])

interface EntryText {
  readonly xdr: string
}

/** Contracts (hex) whose entries have an unreadable value. */
const foreign = new Set<string>()

/** A contract's entry with a value newer than every version, if it is a record with a key of its own. */
const changed = (entry: EntryText): EntryText => {
  const data = xdr.LedgerEntryData.fromXdr(entry.xdr, "base64")
  if (data.type !== "contractData" || data.contractData.key.type !== "scvVec") return entry
  const { contract, val } = data.contractData
  if (contract.type !== "scAddressTypeContract" || !foreign.has(Buffer.from(contract.contractId.value).toString("hex"))) return entry
  const bytes = Buffer.from(entry.xdr, "base64")
  return { ...entry, xdr: Buffer.concat([bytes.subarray(0, bytes.length - val.toXdr().length), unknown]).toString("base64") }
}

const answer = (rpcUrl: string) => async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const body = await text(request)
  const honest = await fetch(rpcUrl, { method: "POST", headers: { "content-type": "application/json" }, body })
  const told = (await honest.json()) as { readonly result?: { readonly entries?: ReadonlyArray<EntryText> } }
  response.writeHead(honest.status, { "content-type": "application/json" })
  const entries = told.result?.entries
  response.end(JSON.stringify(entries === undefined ? told : { ...told, result: { ...told.result, entries: entries.map(changed) } }))
}

const between: Between = (rpcUrl) => Effect.map(listeningServer(answer(rpcUrl)), ({ href }) => href)

interface AccountBody {
  readonly account: { readonly accountId: string }
}

layer(Layer.fresh(toyServiceThrough(between)), { excludeTestServices: true })("a record with an arm that nobody knows", (it) => {
  it.effect("is a question of its own, and neither the account read nor the plan is lost", () =>
    Effect.gen(function*() {
      const { call, on } = yield* Service
      const { contract, destination, source } = yield* on(ToyHolder({ pool: 0 }))
      yield* laterLedger
      const request = { source: source.publicKey(), destination: destination.publicKey() }
      const before = yield* plan(request)
      assert.isFalse(before.decisionPoints.some(({ id }) => id.startsWith("positions_unread")))
      foreign.add(Buffer.from(StrKey.decodeContract(contract)).toString("hex"))
      yield* laterLedger
      const read = yield* call<AccountBody>("GET", `/testnet/account/${source.publicKey()}`)
      assert.strictEqual(read.status, 200)
      const after = yield* plan(request)
      assert.deepInclude(after.decisionPoints.find(({ id }) => id.startsWith("positions_unread")), { required: true, answered: false })
    }))
})
