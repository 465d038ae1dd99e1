import { Effect, Schema } from "effect"
import { ContractAddress } from "../../domain/Address.ts"
import { type Fault, Undecodable } from "../Fault.ts"
import type { Call } from "./JsonRpc.ts"
import { LedgerNumber } from "./WireNumbers.ts"

/** Which events of contracts are looked for. */
export interface EventFilter {
  /** Whose events, at most five; left out: those of every contract. */
  readonly contractIds?: ReadonlyArray<ContractAddress>
  /** Patterns of topics, at most five. A topic is base64 of its XDR; `*` stands for any one, `**` at the end for any number of more. */
  readonly topics: ReadonlyArray<ReadonlyArray<string>>
}

/** Where a page begins: ledgers from one on, up to another which is not in it; or behind an event, which ends nowhere but at a limit of the server. */
export type EventPlace = { readonly from: number; readonly to: number } | { readonly cursor: string }

/** Events a page. */
export const eventsPerPage = 1_000

/** The id of an event, or of the end of what was looked through: the place of an operation, whose upper half is the ledger, and an index. */
const EventId = Schema.String.pipe(Schema.pattern(/^[0-9]{19}-[0-9]{10}$/))

/** The ledger of an event, by its id. */
export const ledgerOf = (id: string): number => Number(BigInt(id.slice(0, 19)) >> 32n)

/** The same for where a page begins. */
export const firstLedgerOf = (place: EventPlace): number => ("cursor" in place ? ledgerOf(place.cursor) : place.from)

const fits = (pattern: ReadonlyArray<string>, topics: ReadonlyArray<string>): boolean => {
  const isOpen = pattern.at(-1) === "**"
  const fixed = isOpen ? pattern.slice(0, -1) : pattern
  return (isOpen ? topics.length >= fixed.length : topics.length === fixed.length) &&
    fixed.every((one, index) => one === "*" || one === topics[index])
}

const isAskedFor = (
  filters: ReadonlyArray<EventFilter>
) =>
({ contractId, topic }: { readonly contractId: ContractAddress; readonly topic: ReadonlyArray<string> }) =>
  filters.some(({ contractIds, topics }) =>
    (contractIds === undefined || contractIds.includes(contractId)) && topics.some((pattern) => fits(pattern, topic))
  ) || "a requested event"

const Page = <A>(filters: ReadonlyArray<EventFilter>, value: Schema.Schema<A, string>) =>
  Schema.Struct({
    events: Schema.Array(
      Schema.Struct({
        type: Schema.Literal("contract"),
        id: EventId,
        ledger: LedgerNumber,
        contractId: ContractAddress,
        topic: Schema.Array(Schema.String),
        value,
        inSuccessfulContractCall: Schema.optionalWith(Schema.Boolean, { exact: true, default: () => true })
      }).pipe(Schema.filter(isAskedFor(filters)))
    ).pipe(Schema.maxItems(eventsPerPage)),
    cursor: EventId,
    latestLedger: LedgerNumber
  })

/** What one call tells. */
export type EventPage<A> = Schema.Schema.Type<ReturnType<typeof Page<A>>>

/** One call of `getEvents`; `value` is how what events carry is read. A caller that continues behind it goes forward. */
export const eventPage =
  <A>(call: Call, filters: ReadonlyArray<EventFilter>, value: Schema.Schema<A, string>) =>
  (place: EventPlace) =>
  (url: URL): Effect.Effect<EventPage<A>, Fault> => {
    const where = "cursor" in place
      ? { pagination: { cursor: place.cursor, limit: eventsPerPage } }
      : { startLedger: place.from, endLedger: place.to, pagination: { limit: eventsPerPage } }
    const sent = filters.map((filter) => ({ type: "contract", ...filter }))
    return Effect.filterOrFail(
      call("getEvents", { filters: sent, ...where }, Page(filters, value))(url),
      ({ cursor }) => !("cursor" in place) || cursor > place.cursor,
      () => new Undecodable({ reason: "getEvents: a cursor that does not advance" })
    )
  }

/** Whether there may be more before `to` than a page, and the pages before it, told. */
export const goesOn = ({ cursor, events, latestLedger }: EventPage<unknown>, to: number): boolean =>
  // The ledger a full page ends in may hold more.
  events.length === eventsPerPage ? ledgerOf(cursor) < to : ledgerOf(cursor) < Math.min(to - 1, latestLedger)
