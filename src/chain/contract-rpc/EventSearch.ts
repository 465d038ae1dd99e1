import { Effect, Schema } from "effect"
import type { ContractAddress } from "../../domain/Address.ts"
import { type Fault, Unreachable } from "../Fault.ts"
import { eventPage, type EventPlace, firstLedgerOf, goesOn, ledgerOf } from "./EventPage.ts"
import { fewestLedgers, refusedRange } from "./EventsAnswer.ts"
import type { Call } from "./JsonRpc.ts"
import { getRetention } from "./Retention.ts"

/** Events of any contract, by their topics. */
export interface EventSearch {
  /** At most five patterns; base64 of a topic's XDR, `*` for any one, `**` at the end for any number of more. */
  readonly topics: ReadonlyArray<ReadonlyArray<string>>
  /** Where the page begins. */
  readonly place: EventPlace
  /** The ledger after the last that is looked through. */
  readonly to: number
}

/** An event of a call that succeeded. Any contract can tell anything. */
export interface TopicEvent {
  readonly contract: ContractAddress
  /** Sorts as the events happened. */
  readonly id: string
  readonly ledger: number
  /** In base64 of their XDR, which was not read. */
  readonly topics: ReadonlyArray<string>
  /** What it carries, likewise. */
  readonly data: string
}

/** What a page told, or why there is none though the endpoint is well. */
export type SearchedPage =
  | {
    readonly _tag: "Page"
    readonly events: ReadonlyArray<TopicEvent>
    /** The ledger after the last that the answer covers whole. */
    readonly upTo: number
    /** Behind which the rest follows; null where nothing follows before the end. */
    readonly next: string | null
  }
  /** So many ledgers are too much for one question. */
  | { readonly _tag: "TooMuch" }
  /** The endpoint does not remember the first of them; it does from here on. */
  | { readonly _tag: "Forgotten"; readonly oldestLedger: number }

/** One page of `getEvents`. */
export const searchEvents = (call: Call) => ({ place, to, topics }: EventSearch) => {
  const page = eventPage(call, [{ topics }], Schema.String)(place)
  const from = firstLedgerOf(place)
  return (url: URL): Effect.Effect<SearchedPage, Fault> =>
    page(url).pipe(
      Effect.map((told): SearchedPage => {
        const more = goesOn(told, to)
        return {
          _tag: "Page",
          events: told.events.filter(({ inSuccessfulContractCall, ledger }) => inSuccessfulContractCall && ledger >= from && ledger < to)
            .map(({ contractId, id, ledger, topic, value }) => ({ contract: contractId, id, ledger, topics: topic, data: value })),
          // The ledger that a full page ends in may hold more.
          upTo: more ? ledgerOf(told.cursor) : Math.min(to, ledgerOf(told.cursor) + 1, told.latestLedger + 1),
          next: more ? told.cursor : null
        }
      }),
      Effect.catchTags({
        Unreachable: (fault): Effect.Effect<SearchedPage, Fault> =>
          fault.tooMuch === true && to - from > fewestLedgers ? Effect.succeed({ _tag: "TooMuch" }) : fault,
        Refused: (fault) =>
          Effect.flatMap(getRetention(call)(url), ({ latestLedger, oldestLedger }): Effect.Effect<SearchedPage, Fault> => {
            if (from > latestLedger) return Effect.succeed({ _tag: "Page", events: [], upTo: from, next: null })
            if (from < oldestLedger) return Effect.succeed({ _tag: "Forgotten", oldestLedger })
            return fault.code === refusedRange ? new Unreachable({ reason: fault.reason }) : fault
          })
      })
    )
}
