import { Effect, Option, Ref } from "effect"
import type { ApiRequest } from "./ApiRequest.ts"
import { type AnsweringFault, type Fault, type FaultRule, matches } from "./FaultRule.ts"
import type { UnknownArms } from "./MalformedAnswers.ts"
import type { DroppedTransaction, TryAgainLater } from "./SubmissionFaults.ts"

/** A rule in force. */
export interface ActiveFault {
  readonly id: number
  readonly rule: FaultRule
  /** How often it still bites; null: until it is cleared. */
  readonly left: number | null
  /** How often it has. */
  readonly met: number
}

/** What the rules in force make of one request. */
export interface RequestFaults {
  /** Milliseconds before anything else. */
  readonly delay: number
  /** How many ledgers old the ledger API's answer is. */
  readonly lag: number
  /** The contract RPC does not restore by itself. */
  readonly restoresManually: boolean
  /** The contract RPC leaves archived entries out. */
  readonly hidesArchived: boolean
  /** How many ledgers, each counted once a filter, `getEvents` looks through; null: all. */
  readonly maxEventLedgers: number | null
  /** What writes the answer anew. */
  readonly arms: ReadonlyArray<UnknownArms>
  /** What answers in place of the network. */
  readonly answer: Option.Option<AnsweringFault>
}

/** A request that no rule matches. */
export const noFaults: RequestFaults = {
  delay: 0,
  lag: 0,
  restoresManually: false,
  hidesArchived: false,
  maxEventLedgers: null,
  arms: [],
  answer: Option.none()
}

/** The switches that make a network misbehave, and what they are set to. */
export interface Faults {
  /** Puts a rule in force, behind those that are; answers its id. */
  readonly set: (rule: FaultRule) => Effect.Effect<number>
  /** Rules in force, in the order they were set; those used up are gone. */
  readonly all: Effect.Effect<ReadonlyArray<ActiveFault>>
  /** Clears one rule, or all; false when there is no such rule. */
  readonly clear: (id?: number) => Effect.Effect<boolean>
  /** What becomes of a request. Counts: every rule that matches it, but of those that answer it only the first. */
  readonly ofRequest: (request: ApiRequest) => Effect.Effect<RequestFaults>
  /** What becomes of a submitted transaction. Counts. */
  readonly ofSubmission: Effect.Effect<Option.Option<DroppedTransaction | TryAgainLater>>
  /** What the ledger being closed asks for and takes. Counts. */
  readonly ofLedger: Effect.Effect<LedgerFaults>
  /** How many operations a ledger takes, as `ofLedger` will tell; does not count. */
  readonly capacity: Effect.Effect<number | undefined>
}

/** What the rules in force make of a ledger. */
export interface LedgerFaults {
  /** Stroops per operation that it asks for; undefined when that is the base fee. */
  readonly baseFee: number | undefined
  /** How many operations it takes; undefined: all. */
  readonly capacity: number | undefined
}

interface FaultList {
  readonly next: number
  readonly active: ReadonlyArray<ActiveFault>
}

const used = (active: ActiveFault): ActiveFault => ({
  ...active,
  left: active.left === null ? null : active.left - 1,
  met: active.met + 1
})

/** Takes one use of every rule picked; a rule without uses goes. */
const use = ({ active, next }: FaultList, picked: (rule: FaultRule) => boolean): readonly [ReadonlyArray<Fault>, FaultList] => {
  const bitten = active.map((one) => ({ one, bites: picked(one.rule) }))
  return [
    bitten.flatMap(({ bites, one }) => (bites ? [one.rule.fault] : [])),
    { next, active: bitten.map(({ bites, one }) => (bites ? used(one) : one)).filter(({ left }) => left !== 0) }
  ]
}

const isAnswer = (fault: Fault): fault is AnsweringFault => "answer" in fault

const capacityIn = (faults: ReadonlyArray<Fault>): number | undefined => faults.find((fault) => fault._tag === "LedgerCapacity")?.operations

const leastOf = (numbers: ReadonlyArray<number>): number | null => (numbers.length === 0 ? null : Math.min(...numbers))

const firstOnly = <A>(predicate: (rule: A) => boolean): (rule: A) => boolean => {
  let found = false
  return (rule) => !found && (found = predicate(rule))
}

export const makeFaults: Effect.Effect<Faults> = Effect.map(
  Ref.make<FaultList>({ next: 1, active: [] }),
  (switches): Faults => ({
    set: (rule) =>
      Ref.modify(switches, ({ active, next }) => [
        next,
        { next: next + 1, active: [...active, { id: next, rule, left: rule.times ?? null, met: 0 }] }
      ]),
    all: Effect.map(Ref.get(switches), ({ active }) => active),
    clear: (id) =>
      Ref.modify(switches, ({ active, next }) => {
        const kept = id === undefined ? [] : active.filter((one) => one.id !== id)
        return [id === undefined || kept.length < active.length, { next, active: kept }]
      }),
    ofRequest: (request) =>
      Ref.modify(switches, (now) => {
        const answering = firstOnly((rule: FaultRule) => isAnswer(rule.fault) && matches(rule, request))
        const [faults, after] = use(now, (rule) => isAnswer(rule.fault) ? answering(rule) : matches(rule, request))
        return [
          {
            delay: faults.reduce((sum, fault) => sum + (fault._tag === "Latency" ? fault.millis : 0), 0),
            lag: faults.reduce((most, fault) => Math.max(most, fault._tag === "LaggingLedgerApi" ? fault.ledgers : 0), 0),
            restoresManually: faults.some(({ _tag }) => _tag === "ManualRestoration"),
            hidesArchived: faults.some(({ _tag }) => _tag === "ArchivedLeftOut"),
            maxEventLedgers: leastOf(faults.flatMap((fault) => (fault._tag === "EventsTooHeavy" ? [fault.ledgers] : []))),
            arms: faults.filter((fault) => fault._tag === "UnknownArms"),
            answer: Option.fromNullable(faults.find(isAnswer))
          },
          after
        ]
      }),
    ofSubmission: Ref.modify(switches, (now) => {
      const [faults, after] = use(
        now,
        firstOnly(({ fault }: FaultRule) => fault._tag === "DroppedTransaction" || fault._tag === "TryAgainLater")
      )
      const met = faults.find((fault) => fault._tag === "DroppedTransaction" || fault._tag === "TryAgainLater")
      return [Option.fromNullable(met), after]
    }),
    ofLedger: Ref.modify(switches, (now) => {
      const isSurge = firstOnly(({ fault }: FaultRule) => fault._tag === "SurgeBaseFee")
      const isCapacity = firstOnly(({ fault }: FaultRule) => fault._tag === "LedgerCapacity")
      const [faults, after] = use(now, (rule) => isSurge(rule) || isCapacity(rule))
      return [{ baseFee: faults.find((fault) => fault._tag === "SurgeBaseFee")?.baseFee, capacity: capacityIn(faults) }, after]
    }),
    capacity: Effect.map(Ref.get(switches), ({ active }) => capacityIn(active.map(({ rule }) => rule.fault)))
  })
)
