import { BigInt as Big, Order } from "effect"
import type { TopicEvent } from "../chain/contract-rpc/EventSearch.ts"
import { including, type Span, without } from "../chain/history/LedgerSpans.ts"
import type { AccountAddress, ContractAddress } from "../domain/Address.ts"
import type { ApprovalEvent } from "./Approval.ts"
import { approvalIn, moveOf, movesTokens, type TokenMove } from "./EventTopics.ts"

/** A value that events report, with the ids of its newest and oldest event. */
interface LoggedValue<Value> {
  readonly value: Value
  readonly id: string
  readonly oldest: string
}

/** Values that events reported, by what they are about, and how many did not fit. */
export interface NewestValues<Value> {
  /** Each with the id of the newest event that reported it, and of the oldest that was read. */
  readonly known: ReadonlyMap<string, LoggedValue<Value>>
  /** How often something was left out for something newer. */
  readonly dropped: number
}

/** What events of one token moved in one ledger. */
interface LedgerMoves extends TokenMove {
  /** The newest event that is counted. */
  readonly id: string
}

/** An origin that reports nothing of a ledger. */
const noMoves: LedgerMoves = { came: 0n, went: 0n, id: "" }

/** What events reported about one owner, as far as it is kept. */
export interface EventLog {
  readonly tokens: NewestValues<ContractAddress>
  readonly approvals: NewestValues<ApprovalEvent>
  /** What came and went, by token and ledger: of the tokens that are kept, the newest ledgers. */
  readonly moves: ReadonlyMap<ContractAddress, ReadonlyMap<number, LedgerMoves>>
  /** Ledgers whose events were read, the oldest first. */
  readonly covered: ReadonlyArray<Span>
}

/** The most that is kept for one owner. Strangers control how many contracts emit events about it. */
const most = { tokens: 500, approvals: 1_000, spans: 200, ledgersOfToken: 300 }

const noValues = { known: new Map(), dropped: 0 }

/** Nothing was read yet. */
export const emptyLog: EventLog = { tokens: noValues, approvals: noValues, moves: new Map(), covered: [] }

/** The newest first. */
const sorted = <Value>({ known }: NewestValues<Value>) => [...known].toSorted(([, one], [, other]) => (one.id < other.id ? 1 : -1))

const earlier = Order.min(Order.string)
const later = Order.max(Order.string)

const withMore = <Value>(
  before: NewestValues<Value>,
  more: ReadonlyArray<readonly [string, LoggedValue<Value>]>,
  room: number
): NewestValues<Value> => {
  if (more.length === 0) return before
  const known = new Map(before.known)
  for (const [name, one] of more) {
    const seen = known.get(name)
    if (seen === undefined) known.set(name, one)
    else known.set(name, { ...(seen.id < one.id ? one : seen), oldest: earlier(seen.oldest, one.oldest) })
  }
  const over = known.size - room
  return over <= 0
    ? { known, dropped: before.dropped }
    : { known: new Map(sorted({ known, dropped: 0 }).slice(0, room)), dropped: before.dropped + over }
}

/** Adds what an event moved. Events of one ledger come in their order, so that a repeated one counts once. */
const addMove = (ledgers: Map<number, LedgerMoves>, { id, ledger }: TopicEvent, { came, went }: TokenMove): void => {
  const before = ledgers.get(ledger)
  if (before !== undefined && id <= before.id) return
  ledgers.set(ledger, { came: (before?.came ?? 0n) + came, went: (before?.went ?? 0n) + went, id })
}

const newestLedgers = (ledgers: ReadonlyMap<number, LedgerMoves>): ReadonlyMap<number, LedgerMoves> =>
  ledgers.size <= most.ledgersOfToken
    ? ledgers
    : new Map([...ledgers].toSorted(([one], [other]) => other - one).slice(0, most.ledgersOfToken))

const withMoves = (
  before: EventLog["moves"],
  owner: AccountAddress,
  events: ReadonlyArray<TopicEvent>,
  kept: EventLog["tokens"]["known"]
): EventLog["moves"] => {
  if (events.length === 0) return before
  const changed = new Map<ContractAddress, Map<number, LedgerMoves>>()
  for (const event of events) {
    const ledgers = changed.get(event.contract) ?? new Map(before.get(event.contract))
    addMove(ledgers, event, moveOf(owner, event))
    changed.set(event.contract, ledgers)
  }
  const all = [...before, ...[...changed].map(([token, ledgers]) => [token, newestLedgers(ledgers)] as const)]
  return new Map(all.filter(([token]) => kept.has(token)))
}

/** The log with the events of one more page. */
export const withPage = (before: EventLog, owner: AccountAddress, events: ReadonlyArray<TopicEvent>, covered: Span): EventLog => {
  const moving = events.filter(movesTokens)
  const tokens = withMore(
    before.tokens,
    moving.map(({ contract, id }) => [contract, { value: contract, id, oldest: id }] as const),
    most.tokens
  )
  return {
    tokens,
    approvals: withMore(
      before.approvals,
      events.flatMap((event) => {
        const approval = approvalIn(event)
        return approval === null
          ? []
          : [[`${approval.token} ${approval.spender}`, { value: approval, id: event.id, oldest: event.id }] as const]
      }),
      most.approvals
    ),
    moves: withMoves(before.moves, owner, moving, tokens.known),
    covered: including(before.covered, covered).slice(-most.spans)
  }
}

const mergedValues = <Value>(one: NewestValues<Value>, other: NewestValues<Value>, room: number): NewestValues<Value> => {
  const all = withMore(one, [...other.known], room)
  return { ...all, dropped: Math.max(all.dropped, other.dropped) }
}

/**
 * What moved by the word of every origin: of each ledger the smaller sum of what came and the larger of what went, so that none of them
 * alone makes anything come.
 */
const agreedMoves = (all: ReadonlyArray<EventLog["moves"]>): EventLog["moves"] => {
  const ledgersOf = (token: ContractAddress) => new Set(all.flatMap((moves) => [...moves.get(token)?.keys() ?? []]))
  const movedIn = (token: ContractAddress, ledger: number): LedgerMoves => {
    const told = all.map((moves) => moves.get(token)?.get(ledger) ?? noMoves)
    return {
      id: told.map(({ id }) => id).reduce(later),
      came: told.map(({ came }) => came).reduce(Big.min),
      went: told.map(({ went }) => went).reduce(Big.max)
    }
  }
  const tokens = new Set(all.flatMap((moves) => [...moves.keys()]))
  return new Map(
    Array.from(tokens, (token) =>
      [
        token,
        new Map(Array.from(ledgersOf(token), (ledger) => [ledger, movedIn(token, ledger)] as const))
      ] as const)
  )
}

const mergedLog = (one: EventLog, other: EventLog): EventLog => ({
  ...one,
  tokens: mergedValues(one.tokens, other.tokens, most.tokens),
  approvals: mergedValues(one.approvals, other.approvals, most.approvals),
  covered: other.covered.reduce(including, one.covered)
})

/** What any of several origins reported about one owner; of moves, only what all `agreeing` ones report. */
export const mergedLogs = (all: ReadonlyArray<EventLog>, agreeing: ReadonlyArray<EventLog>): EventLog => ({
  ...all.reduce(mergedLog, emptyLog),
  moves: agreedMoves(agreeing.map(({ moves }) => moves))
})

/** The ledger of an event, by its id. */
const ledgerOf = (id: string): number => Number(BigInt(id.slice(0, 19)) >> 32n)

/** Whether a log lacks the event, though its ledger was read and nothing was left out for want of room. */
const lacks = ({ covered, tokens }: EventLog, token: string, id: string): boolean => {
  const ledger = ledgerOf(id)
  const isRead = covered.some(({ from, to }) => from <= ledger && ledger < to)
  const known = tokens.known.get(token)
  return isRead && tokens.dropped === 0 && (known === undefined || known.oldest > id)
}

/** Tokens whose oldest event one origin reported and another one left out. */
export const contradictedIn = (all: ReadonlyArray<EventLog>): ReadonlySet<ContractAddress> =>
  new Set(
    all.flatMap(({ tokens }) =>
      [...tokens.known.values()].filter(({ oldest, value }) => all.some((other) => lacks(other, value, oldest))).map(({ value }) => value)
    )
  )

/** The log with these ledgers marked as not read. */
export const withoutSpans = (told: EventLog, spans: ReadonlyArray<Span>): EventLog => ({
  ...told,
  covered: spans.reduce(without, told.covered)
})

/** What is kept, the newest first. */
export const valuesOf = <Value>(newest: NewestValues<Value>): ReadonlyArray<Value> => sorted(newest).map(([, { value }]) => value)

/** The same in the order of the oldest event of each, which no later one changes. */
export const byOldest = <Value>({ known }: NewestValues<Value>): ReadonlyArray<Value> =>
  [...known.values()].toSorted(Order.mapInput(Order.string, ({ oldest }) => oldest)).map(({ value }) => value)

/** How much is kept. */
export const sizeOf = ({ approvals, moves, tokens }: EventLog): number =>
  approvals.known.size + tokens.known.size + [...moves.values()].reduce((sum, ledgers) => sum + ledgers.size, 0)
