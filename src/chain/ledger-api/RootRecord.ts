import { type HttpClient, HttpClientRequest } from "@effect/platform"
import { Effect, Schema } from "effect"
import { unixSeconds } from "../../domain/Instant.ts"
import { Int } from "../../domain/Leaf.ts"
import type { ChainFailure } from "../ChainFailure.ts"
import { decodeError } from "../DecodeError.ts"
import type { EndpointTip } from "../EndpointTip.ts"
import { exchange } from "../Exchange.ts"
import { type Fault, Undecodable } from "../Fault.ts"
import type { Ask } from "./Ask.ts"

const Tip = Schema.parseJson(Schema.Struct({
  network_passphrase: Schema.NonEmptyString,
  ingest_latest_ledger: Int,
  history_latest_ledger_closed_at: Schema.DateFromString.pipe(Schema.validDate())
}))

const History = Schema.Struct({ history_elder_ledger: Int })

/** `/` of one endpoint: which network it serves, and how far its state of the ledger is. */
export const readTip = (client: HttpClient.HttpClient) => (base: URL): Effect.Effect<EndpointTip, Fault> =>
  Effect.gen(function*() {
    const { status, text } = yield* exchange(
      client,
      { endpoint: base, method: "root" },
      HttpClientRequest.get(base).pipe(HttpClientRequest.acceptJson)
    )
    if (status !== 200) return yield* new Undecodable({ reason: `root: status ${status}` })
    const root = yield* Effect.mapError(
      Schema.decode(Tip)(text),
      (error) => new Undecodable({ reason: `root: ${decodeError(error)}` })
    )
    return {
      passphrase: root.network_passphrase,
      ledger: root.ingest_latest_ledger,
      closeTime: unixSeconds(root.history_latest_ledger_closed_at.getTime()),
      protocolVersion: null
    }
  })

/** The oldest ledger whose transactions the ledger API keeps (`/`). */
export const elderLedger = (ask: Ask): Effect.Effect<number, ChainFailure> =>
  Effect.map(ask.fact({ path: [] }, History), ({ history_elder_ledger }) => history_elder_ledger)
