import type { xdr } from "@stellar/stellar-sdk"
import { Array as Arr, Effect, Schema } from "effect"
import { ContractAddress } from "../../domain/Address.ts"
import { Undecodable, Unreachable } from "../Fault.ts"
import type { Fault } from "../Fault.ts"
import { maxLedgersPerCall } from "../RpcPolicy.ts"
import { ScValText } from "../XdrText.ts"
import type { Call } from "./JsonRpc.ts"
import { getRetention } from "./Retention.ts"
import { LedgerNumber } from "./WireNumbers.ts"

/** Events to look for. */
export interface EventsQuestion {
  /** Whose events; at most 25. */
  readonly contracts: ReadonlyArray<ContractAddress>
  /** All topics of an event, in order; one to four. */
  readonly topics: ReadonlyArray<xdr.ScVal>
  /** The first ledger to look through. */
  readonly from: number
  /** The ledger after the last. */
  readonly to: number
}

/** An event of a call that succeeded. */
export interface ContractEvent {
  readonly contract: ContractAddress
  readonly ledger: number
  readonly data: xdr.ScVal
}

/** What was found, and in which ledgers: an answer may cover less than was asked, and then the rest is to be asked again. */
export interface EventsAnswer {
  readonly events: ReadonlyArray<ContractEvent>
  /** The first ledger that was looked through. Later than asked when the endpoint has forgotten those before. */
  readonly from: number
  /** The ledger after the last that was looked through; `from` when none was. */
  readonly to: number
  /** The newest ledger the endpoint had: there is nothing to ask for after it. */
  readonly latestLedger: number
}

/** Events a page. */
const limit = 1_000

/** What a filter takes. */
const contractsPerFilter = 5

/** A range of no more ledgers than this is not halved: the server is busy with something else then. */
const fewestLedgers = 625

/** How often a range is asked for whose start the endpoint forgets meanwhile. */
const mostStarts = 3

/** What a range outside the kept ledgers is refused with; and, by the same server, any range while it cannot read its own events. */
const refusedRange = -32600

/** The id of an event, or of the end of what was looked through: the place of an operation, whose upper half is the ledger, and an index. */
const Cursor = Schema.String.pipe(Schema.pattern(/^[0-9]{19}-[0-9]{10}$/))

const ledgerOf = (cursor: string): number => Number(BigInt(cursor.slice(0, 19)) >> 32n)

const pageOf = (contracts: ReadonlySet<string>, topics: ReadonlyArray<string>) =>
  Schema.Struct({
    events: Schema.Array(
      Schema.Struct({
        type: Schema.Literal("contract"),
        ledger: LedgerNumber,
        contractId: ContractAddress,
        topic: Schema.Array(Schema.String),
        value: ScValText,
        inSuccessfulContractCall: Schema.optionalWith(Schema.Boolean, { exact: true, default: () => true })
      }).pipe(Schema.filter(({ contractId, topic }) =>
        (contracts.has(contractId) && topic.length === topics.length && topic.every((one, index) => one === topics[index])) ||
        "an event that was asked for"
      ))
    ).pipe(Schema.maxItems(limit)),
    cursor: Cursor,
    latestLedger: LedgerNumber
  })

/** Whether there may be more before `to` than a page, and the pages before it, told. */
const goesOn = (
  { cursor, events, latestLedger }: { readonly cursor: string; readonly events: ReadonlyArray<unknown>; readonly latestLedger: number },
  to: number
): boolean =>
  // The ledger a full page ends in may hold more.
  events.length === limit ? ledgerOf(cursor) < to : ledgerOf(cursor) < Math.min(to - 1, latestLedger)

/**
 * `getEvents`, page after page. A range that starts before what the endpoint remembers is cut to what it remembers (`getHealth`), and
 * one that is too much for it is halved until it answers.
 */
export const getEvents = (call: Call) => ({ contracts, from, to, topics }: EventsQuestion) => {
  const texts = topics.map((topic) => topic.toXdr("base64"))
  const Page = pageOf(new Set(contracts), texts)
  const filters = Arr.chunksOf(contracts, contractsPerFilter).map((contractIds) => ({ type: "contract", contractIds, topics: [texts] }))
  const page = (where: object) => call("getEvents", { filters, ...where }, Page)

  const scanned = (url: URL, from: number, to: number): Effect.Effect<EventsAnswer, Fault> =>
    Effect.gen(function*() {
      let last = yield* page({ startLedger: from, endLedger: to, pagination: { limit } })(url)
      const events = [...last.events]
      while (goesOn(last, to)) {
        // What a cursor goes on with ends nowhere but at the server's own limit.
        const next = yield* page({ pagination: { cursor: last.cursor, limit } })(url)
        if (next.cursor <= last.cursor) return yield* new Undecodable({ reason: "getEvents: a cursor that does not advance" })
        events.push(...next.events)
        last = next
      }
      return {
        events: events.filter(({ inSuccessfulContractCall, ledger }) => inSuccessfulContractCall && ledger >= from && ledger < to)
          .map(({ contractId, ledger, value }) => ({ contract: contractId, ledger, data: value })),
        from,
        to: Math.min(to, ledgerOf(last.cursor) + 1),
        latestLedger: last.latestLedger
      }
    })

  const answered = (url: URL, from: number, to: number, starts: number): Effect.Effect<EventsAnswer, Fault> =>
    scanned(url, from, to).pipe(
      Effect.catchTags({
        Unreachable: (
          fault
        ) => (fault.tooMuch === true && to - from > fewestLedgers ? answered(url, from, from + Math.ceil((to - from) / 2), starts) : fault),
        Refused: (fault) =>
          Effect.flatMap(getRetention(call)(url), ({ latestLedger, oldestLedger }): Effect.Effect<EventsAnswer, Fault> => {
            if (from > latestLedger) return Effect.succeed({ events: [], from, to: from, latestLedger })
            if (from >= oldestLedger || starts <= 1) return fault.code === refusedRange ? new Unreachable({ reason: fault.reason }) : fault
            return to <= oldestLedger
              ? Effect.succeed({ events: [], from: to, to, latestLedger })
              : answered(url, oldestLedger, to, starts - 1)
          })
      })
    )

  return (url: URL): Effect.Effect<EventsAnswer, Fault> => answered(url, from, Math.min(to, from + maxLedgersPerCall), mostStarts)
}
