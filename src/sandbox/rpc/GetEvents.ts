import { StrKey, type xdr } from "@stellar/stellar-sdk"
import { Effect, Schema } from "effect"
import { objectMemo } from "../../fibers/ObjectMemo.ts"
import { xdrBase64 } from "../../xdr/XdrBytes.ts"
import { type LedgerRecord, totalOrderId, type TransactionRecord } from "../network/LedgerRecord.ts"
import { showTime } from "../ShowTime.ts"
import { EventFilter, type EventMatcher, eventMatcher, type FilteredEvent } from "./EventFilter.ts"
import { isWithin, ledgerRange } from "./LedgerRange.ts"
import { cursorOf, PageParams } from "./Pagination.ts"
import { RpcFault } from "./RpcFault.ts"
import { readingMethod, xdrFormat } from "./RpcMethod.ts"
import { ServerLimits } from "./ServerLimits.ts"

const scanLedgers = 10_000
const maxLimit = 10_000
const defaultLimit = 100
const cursorPattern = /^[0-9]{19}-[0-9]{10}$/
const lastIndex = { transaction: (1 << 20) - 1, operation: (1 << 12) - 1, event: 0xffff_ffff }

const Params = Schema.Struct({
  startLedger: Schema.optional(Schema.Int),
  endLedger: Schema.optional(Schema.Int),
  filters: Schema.optional(Schema.NullOr(Schema.Array(EventFilter))),
  pagination: PageParams,
  ...xdrFormat
})
type Params = typeof Params.Type

/** Place of an event: total order id of its operation, and its index there. Ids sort as the events happened. */
const eventId = (ledger: number, transaction: number, operation: number, event: number): string =>
  `${totalOrderId(ledger, transaction, operation).toString().padStart(19, "0")}-${event.toString().padStart(10, "0")}`

/** Where in its ledger an event happened. */
interface Place {
  readonly transaction: number
  readonly operation: number
  readonly event: number
}

interface PlacedEvent extends FilteredEvent {
  readonly id: string
  readonly event: xdr.ContractEvent
  readonly ledger: LedgerRecord
  readonly record: TransactionRecord
  readonly place: Place
}

/** An event at its place; none for a diagnostic one, which is not served. */
const placed = (ledger: LedgerRecord, record: TransactionRecord, event: xdr.ContractEvent, place: Place): ReadonlyArray<PlacedEvent> => {
  const { body, contractId, type: { name } } = event
  return name === "diagnostic" ? [] : [{
    id: eventId(ledger.sequence, place.transaction, place.operation, place.event),
    type: name,
    contractId: contractId === null ? "" : StrKey.encodeContract(contractId.toBytes()),
    topic: body.v0.topics.map(xdrBase64),
    event,
    ledger,
    record,
    place
  }]
}

/** An event in an answer. */
const written = ({ contractId, event, id, ledger, place, record, topic, type }: PlacedEvent) => ({
  type,
  ledger: ledger.sequence,
  ledgerClosedAt: showTime(ledger.closeTime),
  contractId,
  id,
  operationIndex: place.operation,
  transactionIndex: place.transaction,
  txHash: record.facts.hash,
  ...(ledger.header.ledgerVersion < 30 ? { inSuccessfulContractCall: record.successful } : {}),
  topic,
  value: xdrBase64(event.body.v0.data)
})

/** The events of a ledger as they happened: all fees first, at place 0, then operation by operation, refunds at the end. */
const eventsOf = objectMemo((ledger: LedgerRecord): ReadonlyArray<PlacedEvent> => {
  const metas = ledger.transactions.flatMap((record) => record.meta.type === "v4" ? [{ record, meta: record.meta.v4 }] : [])
  const atStage = (name: xdr.TransactionEventStageName, transaction: number) =>
    metas
      .flatMap(({ meta, record }) => meta.events.filter(({ stage }) => stage.name === name).map(({ event }) => ({ record, event })))
      .flatMap(({ event, record }, at) => placed(ledger, record, event, { transaction, operation: 0, event: at }))
  return [
    ...atStage("transactionEventStageBeforeAllTxs", 0),
    ...metas.flatMap(({ meta, record }) =>
      meta.operations.flatMap(({ events }, operation) =>
        events.flatMap((event, at) => placed(ledger, record, event, { transaction: record.applicationOrder, operation, event: at }))
      )
    ),
    ...atStage("transactionEventStageAfterAllTxs", lastIndex.transaction)
  ]
})

/** Which events are requested: those after a cursor, or those of ledgers from one up to, and without, another. */
interface EventRange {
  readonly cursor: string | undefined
  readonly startLedger: number
  /** Nought for no end. */
  readonly endLedger: number
  readonly limit: number
}

const eventRange = Effect.fnUntraced(function*(params: Params) {
  const cursor = cursorOf(params.pagination)
  const { endLedger = 0, startLedger = 0 } = params
  const limit = params.pagination?.limit ?? defaultLimit
  if (limit < 1 || limit > maxLimit) return yield* RpcFault.invalidParams(`limit must not exceed ${maxLimit}`)
  yield* cursor === undefined ? checkStart(startLedger) : checkCursor(cursor, params)
  if (endLedger !== 0 && endLedger < startLedger) {
    return yield* RpcFault.invalidParams("endLedger must be after or the same as startLedger")
  }
  const range: EventRange = { cursor, startLedger, endLedger, limit }
  return range
})

const checkStart = (startLedger: number): Effect.Effect<void, RpcFault> =>
  startLedger < 1 ? RpcFault.invalidParams("startLedger must be positive") : Effect.void

const checkCursor = (cursor: string, { endLedger, startLedger }: Params): Effect.Effect<void, RpcFault> => {
  if (startLedger !== undefined || endLedger !== undefined) {
    return RpcFault.invalidParams("ledger ranges and cursor cannot both be set")
  }
  return cursorPattern.test(cursor) ? Effect.void : RpcFault.invalidParams(`invalid event id ${cursor}`)
}

/** Ledger of the event a cursor names. */
const ledgerOf = (cursor: string): number => Number(BigInt(cursor.slice(0, 19)) >> 32n)

/** Events of ledgers that a range asks for, oldest first, and no more than its limit. */
const eventsIn = (ledgers: Iterable<LedgerRecord>, { cursor, limit }: EventRange, matches: EventMatcher): ReadonlyArray<PlacedEvent> => {
  const found: Array<PlacedEvent> = []
  for (const ledger of ledgers) {
    for (const one of eventsOf(ledger)) {
      if (found.length >= limit) return found
      if ((cursor === undefined || one.id > cursor) && matches(one)) found.push(one)
    }
  }
  return found
}

/** `getEvents`: at most 10,000 ledgers a call. To continue, pass the returned cursor until it reaches the latest ledger. */
export const getEvents = readingMethod(
  "getEvents",
  Params,
  Effect.fnUntraced(function*(chain, params) {
    const range = yield* eventRange(params)
    const matcher = yield* eventMatcher(params.filters ?? [])
    const { history } = chain
    const start = range.cursor === undefined ? range.startLedger : ledgerOf(range.cursor)
    if (!isWithin(chain, start)) {
      return yield* RpcFault.invalidRequest(
        `startLedger must be within the ledger range: ${history.oldest.sequence} - ${history.latest.sequence}`
      )
    }
    const end = Math.min(start + scanLedgers, history.latest.sequence + 1, range.endLedger || Number.MAX_SAFE_INTEGER)
    const { maxEventLedgers } = yield* ServerLimits
    if (maxEventLedgers !== null && (end - start) * Math.max(1, params.filters?.length ?? 0) > maxEventLedgers) {
      return yield* RpcFault.tooLong
    }
    const found = eventsIn(history.between(start, end), range, matcher)
    const last = found.at(-1)
    return {
      ...ledgerRange(chain),
      events: found.map(written),
      cursor: last !== undefined && found.length >= range.limit
        ? last.id
        : eventId(end - 1, lastIndex.transaction, lastIndex.operation, lastIndex.event)
    }
  })
)
