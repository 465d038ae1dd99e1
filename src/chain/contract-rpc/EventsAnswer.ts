import type { xdr } from "@stellar/stellar-sdk"
import { Array as Arr, Effect } from "effect"
import type { ContractAddress } from "../../domain/Address.ts"
import { Unreachable } from "../Fault.ts"
import type { Fault } from "../Fault.ts"
import { maxLedgersPerCall } from "../RpcPolicy.ts"
import { ScValText } from "../xdr/XdrText.ts"
import { eventPage, goesOn, ledgerOf } from "./EventPage.ts"
import type { Call } from "./JsonRpc.ts"
import { getRetention } from "./Retention.ts"

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

/** The events found, and the ledgers that were searched. An answer may cover less than the question; the rest needs another query. */
export interface EventsAnswer {
  readonly events: ReadonlyArray<ContractEvent>
  /** The first ledger that was looked through. Later than asked when the endpoint has forgotten those before. */
  readonly from: number
  /** The ledger after the last that was looked through; `from` when none was. */
  readonly to: number
  /** The newest ledger the endpoint had: there is nothing to ask for after it. */
  readonly latestLedger: number
}

/** What a filter takes. */
const contractsPerFilter = 5

/** A range of no more ledgers than this is not halved: the server is busy with something else then. */
export const fewestLedgers = 625

/** How often a range is requested whose start the endpoint forgets between two requests. */
const mostStarts = 3

/** What a range outside the kept ledgers is refused with; and, by the same server, any range while it cannot read its own events. */
export const refusedRange = -32600

/**
 * `getEvents`, page after page. A range that starts before what the endpoint remembers is cut to what it remembers (`getHealth`), and
 * one that is too much for it is halved until it answers.
 */
export const getEvents = (call: Call) => ({ contracts, from, to, topics }: EventsQuestion) => {
  const texts = topics.map((topic) => topic.toXdr("base64"))
  const filters = Arr.chunksOf(contracts, contractsPerFilter).map((contractIds) => ({ contractIds, topics: [texts] }))
  const page = eventPage(call, filters, ScValText)

  const scanned = (url: URL, from: number, to: number): Effect.Effect<EventsAnswer, Fault> =>
    Effect.gen(function*() {
      let last = yield* page({ from, to })(url)
      const events = [...last.events]
      while (goesOn(last, to)) {
        // What a cursor continues with ends nowhere but at the server's own limit.
        last = yield* page({ cursor: last.cursor })(url)
        events.push(...last.events)
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
