import { StrKey, xdr } from "@stellar/stellar-sdk"
import { Effect, Schema } from "effect"
import { RpcFault } from "./RpcFault.ts"

const maxFilters = 5
const maxContracts = 5
const maxTopics = 5
const maxSegments = 4

/** One filter of `getEvents`: an event must satisfy each part that is given. */
export const EventFilter = Schema.Struct({
  type: Schema.optional(Schema.String),
  contractIds: Schema.optional(Schema.NullOr(Schema.Array(Schema.String))),
  topics: Schema.optional(Schema.NullOr(Schema.Array(Schema.Array(Schema.String))))
})
export type EventFilter = typeof EventFilter.Type

/** The parts of an event that filters compare, as an answer writes them. */
export interface FilteredEvent {
  readonly type: "contract" | "system"
  /** Empty for an event without a contract. */
  readonly contractId: string
  /** Base64 of each topic. */
  readonly topic: ReadonlyArray<string>
}

export interface EventMatcher {
  (event: FilteredEvent): boolean
}

/** The types a filter lets through; undefined for all. */
const typesOf = ({ type }: EventFilter): ReadonlyArray<string> | undefined =>
  type === undefined || type === "" ? undefined : type.split(",")

/** Segments of a topic, and whether more may follow them. */
const patternOf = (segments: ReadonlyArray<string>) => {
  const open = segments.at(-1) === "**"
  return { open, fixed: open ? segments.slice(0, -1) : segments }
}

/** What is wrong with a topic; undefined when nothing is. */
const topicProblem = (segments: ReadonlyArray<string>): string | undefined => {
  const { fixed } = patternOf(segments)
  if (segments.length === 0) return "topic must have at least one segment"
  if (fixed.length > maxSegments) return "topic cannot have more than 4 segments"
  const strange = fixed.find((segment) => segment !== "*" && !xdr.ScVal.validateXdr(segment, "base64"))
  return strange === undefined ? undefined : `topic segment ${strange} is neither a value nor a wildcard`
}

const checkFilter = Effect.fnUntraced(function*(filter: EventFilter, at: number) {
  const refuse = (reason: string) => RpcFault.invalidParams(`filter ${at + 1} invalid: ${reason}`)
  if (typesOf(filter)?.some((type) => type !== "contract" && type !== "system")) {
    return yield* refuse("if set, type must be either 'system' or 'contract'")
  }
  const contracts = filter.contractIds ?? []
  if (contracts.length > maxContracts) return yield* refuse(`maximum ${maxContracts} contract IDs per filter`)
  if (!contracts.every((id) => StrKey.isValidContract(id))) return yield* refuse("contract ID invalid")
  const topics = filter.topics ?? []
  if (topics.length > maxTopics) return yield* refuse(`maximum ${maxTopics} topics per filter`)
  for (const segments of topics) {
    const problem = topicProblem(segments)
    if (problem !== undefined) return yield* refuse(problem)
  }
})

const topicMatches = (segments: ReadonlyArray<string>, topics: ReadonlyArray<string>): boolean => {
  const { fixed, open } = patternOf(segments)
  return (open ? topics.length >= fixed.length : topics.length === fixed.length) &&
    fixed.every((segment, at) => segment === "*" || segment === topics[at])
}

const matches = (filter: EventFilter, { contractId, topic, type }: FilteredEvent): boolean => {
  if (typesOf(filter)?.includes(type) === false) return false
  const contracts = filter.contractIds ?? []
  if (contracts.length > 0 && !contracts.includes(contractId)) return false
  const topics = filter.topics ?? []
  return topics.length === 0 || topics.some((segments) => topicMatches(segments, topic))
}

/** Checks the filters and makes one test of them: an event passes when any filter does, or when there is none. */
export const eventMatcher = Effect.fnUntraced(function*(filters: ReadonlyArray<EventFilter>) {
  if (filters.length > maxFilters) return yield* RpcFault.invalidParams(`maximum ${maxFilters} filters per request`)
  yield* Effect.forEach(filters, checkFilter)
  const matcher: EventMatcher = (event) => filters.length === 0 || filters.some((filter) => matches(filter, event))
  return matcher
})
