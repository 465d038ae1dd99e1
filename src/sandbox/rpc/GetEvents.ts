import { StrKey, type xdr } from "@stellar/stellar-sdk"
import { Effect, Schema } from "effect"
import { type LedgerRecord, totalOrderId, type TransactionRecord } from "../network/LedgerRecord.ts"
import { showTime } from "../ShowTime.ts"
import { EventFilter, eventMatcher, eventType } from "./EventFilter.ts"
import { isWithin, ledgerRange } from "./LedgerRange.ts"
import { RpcFault } from "./RpcFault.ts"
import { readingMethod, xdrFormat } from "./RpcMethod.ts"

const SCAN_LEDGERS = 10_000
const MAX_LIMIT = 10_000
const DEFAULT_LIMIT = 100
const CURSOR = /^[0-9]{19}-[0-9]{10}$/
const LAST_INDEX = { transaction: (1 << 20) - 1, operation: (1 << 12) - 1, event: 0xffff_ffff }

const Params = Schema.Struct({
  startLedger: Schema.optional(Schema.Int),
  endLedger: Schema.optional(Schema.Int),
  filters: Schema.optional(Schema.NullOr(Schema.Array(EventFilter))),
  pagination: Schema.optional(
    Schema.NullOr(Schema.Struct({ cursor: Schema.optional(Schema.String), limit: Schema.optional(Schema.Int) }))
  ),
  ...xdrFormat
})

/** Place of an event: total order id of its operation, and its index there. Ids sort as the events happened. */
const eventId = (ledger: number, transaction: number, operation: number, event: number): string =>
  `${totalOrderId(ledger, transaction, operation).toString().padStart(19, "0")}-${event.toString().padStart(10, "0")}`

interface Placed {
  readonly id: string
  readonly event: xdr.ContractEvent
  readonly json: object
}

/** Where in its ledger an event happened. */
interface Place {
  readonly transaction: number
  readonly operation: number
  readonly event: number
}

const placed = (ledger: LedgerRecord, record: TransactionRecord, event: xdr.ContractEvent, place: Place): ReadonlyArray<Placed> => {
  const type = eventType(event)
  const id = eventId(ledger.sequence, place.transaction, place.operation, place.event)
  return type === undefined
    ? []
    : [{
        id,
        event,
        json: {
          type,
          ledger: ledger.sequence,
          ledgerClosedAt: showTime(ledger.closeTime),
          contractId: event.contractId === null ? "" : StrKey.encodeContract(event.contractId.toBytes()),
          id,
          operationIndex: place.operation,
          transactionIndex: place.transaction,
          txHash: record.facts.hash,
          inSuccessfulContractCall: record.successful,
          topic: event.body.v0.topics.map((topic) => topic.toXdr("base64")),
          value: event.body.v0.data.toXdr("base64")
        }
      }]
}

/** The events of a ledger as they happened: all fees first, at place 0, then operation by operation, refunds at the end. */
const eventsOf = (ledger: LedgerRecord): ReadonlyArray<Placed> => {
  const metas = ledger.transactions.flatMap((record) => record.meta.type === "v4" ? [{ record, meta: record.meta.v4 }] : [])
  const atStage = (name: xdr.TransactionEventStageName, transaction: number) =>
    metas
      .flatMap(({ meta, record }) =>
        meta.events.filter(({ stage }) => stage.name === name).map(({ event }) => ({ record, event })))
      .flatMap(({ event, record }, at) => placed(ledger, record, event, { transaction, operation: 0, event: at }))
  return [
    ...atStage("transactionEventStageBeforeAllTxs", 0),
    ...metas.flatMap(({ meta, record }) =>
      meta.operations.flatMap(({ events }, operation) =>
        events.flatMap((event, at) =>
          placed(ledger, record, event, { transaction: record.applicationOrder, operation, event: at })))),
    ...atStage("transactionEventStageAfterAllTxs", LAST_INDEX.transaction)
  ]
}

/** `getEvents`: at most 10,000 ledgers a call; whoever reads on uses the returned cursor until it reaches the latest. */
export const getEvents = readingMethod("getEvents", Params, Effect.fnUntraced(function* (chain, params) {
  const cursor = params.pagination?.cursor === "" ? undefined : params.pagination?.cursor
  const limit = params.pagination?.limit ?? DEFAULT_LIMIT
  if (limit < 1 || limit > MAX_LIMIT) return yield* RpcFault.invalidParams(`limit must not exceed ${MAX_LIMIT}`)
  if (cursor !== undefined && (params.startLedger !== undefined || params.endLedger !== undefined)) {
    return yield* RpcFault.invalidParams("ledger ranges and cursor cannot both be set")
  }
  if (cursor !== undefined && !/^[0-9]{19}-[0-9]{10}$/.test(cursor)) {
    return yield* RpcFault.invalidParams(`invalid event id ${cursor}`)
  }
  if (cursor !== undefined && !CURSOR.test(cursor)) {
    return yield* RpcFault.invalidParams(`invalid cursor ${cursor}: not the id of an event`)
  }
  if (cursor === undefined && (params.startLedger ?? 0) < 1) {
    return yield* RpcFault.invalidParams("startLedger must be positive")
  }
  if (params.endLedger && params.endLedger < (params.startLedger ?? 0)) {
    return yield* RpcFault.invalidParams("endLedger must be after or the same as startLedger")
  }
  const matcher = yield* eventMatcher(params.filters ?? [])
  const { history } = chain
  const start = cursor === undefined ? (params.startLedger ?? 0) : Number(BigInt(cursor.slice(0, 19)) >> 32n)
  if (!isWithin(chain, start)) {
    return yield* RpcFault.invalidRequest(
      `startLedger must be within the ledger range: ${history.oldest.sequence} - ${history.latest.sequence}`
    )
  }
  const end = Math.min(start + SCAN_LEDGERS, history.latest.sequence + 1, params.endLedger || Number.MAX_SAFE_INTEGER)
  const found: Array<Placed> = []
  for (const ledger of history.from(start)) {
    if (ledger.sequence >= end || found.length >= limit) break
    for (const one of eventsOf(ledger)) {
      if (found.length < limit && (cursor === undefined || one.id > cursor) && matcher(one.event)) found.push(one)
    }
  }
  const last = found.at(-1)
  return {
    ...ledgerRange(chain),
    events: found.map(({ json }) => json),
    cursor: last !== undefined && found.length >= limit
      ? last.id
      : eventId(end - 1, LAST_INDEX.transaction, LAST_INDEX.operation, LAST_INDEX.event)
  }
}))
