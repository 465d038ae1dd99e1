import type { TopicEvent } from "../chain/contract-rpc/EventSearch.ts"
import { including, type Span } from "../chain/LedgerSpans.ts"
import type { ContractAddress } from "../domain/Address.ts"
import type { ToldApproval } from "./Approval.ts"
import { approvalIn, movesTokens } from "./EventTopics.ts"

/** What was told, by what it is about, and how much of it did not fit. */
export interface Newest<Value> {
  /** With the id of the newest event that told of it. */
  readonly known: ReadonlyMap<string, { readonly value: Value; readonly id: string }>
  /** How often something was left out for something newer. */
  readonly dropped: number
}

/** What events told of one owner, as far as it is kept. */
export interface ToldEvents {
  readonly tokens: Newest<ContractAddress>
  readonly approvals: Newest<ToldApproval>
  /** Ledgers whose events were read, the oldest first. */
  readonly covered: ReadonlyArray<Span>
}

/** Kept of one owner at most: strangers choose how many contracts tell of it. */
export const most = { tokens: 500, approvals: 1_000, spans: 200 }

const none = { known: new Map(), dropped: 0 }

/** Nothing was read yet. */
export const nothingTold: ToldEvents = { tokens: none, approvals: none, covered: [] }

/** The newest first. */
const sorted = <Value>({ known }: Newest<Value>) => [...known].toSorted(([, one], [, other]) => (one.id < other.id ? 1 : -1))

const withMore = <Value>(before: Newest<Value>, more: ReadonlyArray<readonly [string, Value, string]>, room: number): Newest<Value> => {
  if (more.length === 0) return before
  const known = new Map(before.known)
  for (const [name, value, id] of more) {
    const seen = known.get(name)
    if (seen === undefined || seen.id < id) known.set(name, { value, id })
  }
  const over = known.size - room
  return over <= 0
    ? { known, dropped: before.dropped }
    : { known: new Map(sorted({ known, dropped: 0 }).slice(0, room)), dropped: before.dropped + over }
}

/** With what a page told. */
export const withPage = (before: ToldEvents, events: ReadonlyArray<TopicEvent>, covered: Span): ToldEvents => ({
  tokens: withMore(before.tokens, events.filter(movesTokens).map(({ contract, id }) => [contract, contract, id] as const), most.tokens),
  approvals: withMore(
    before.approvals,
    events.flatMap((event) => {
      const approval = approvalIn(event)
      return approval === null ? [] : [[`${approval.token} ${approval.spender}`, approval, event.id] as const]
    }),
    most.approvals
  ),
  covered: including(before.covered, covered).slice(-most.spans)
})

/** What is kept, the newest first. */
export const valuesOf = <Value>(newest: Newest<Value>): ReadonlyArray<Value> => sorted(newest).map(([, { value }]) => value)

/** How much is kept. */
export const sizeOf = ({ approvals, tokens }: ToldEvents): number => approvals.known.size + tokens.known.size
