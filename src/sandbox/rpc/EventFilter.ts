import { StrKey, xdr } from "@stellar/stellar-sdk"
import { Effect, Schema } from "effect"
import { RpcFault } from "./RpcFault.ts"

const MAX_FILTERS = 5
const MAX_CONTRACTS = 5
const MAX_TOPICS = 5
const MAX_SEGMENTS = 4

/** One filter of `getEvents`: an event must satisfy each part that is given. */
export const EventFilter = Schema.Struct({
  type: Schema.optional(Schema.String),
  contractIds: Schema.optional(Schema.NullOr(Schema.Array(Schema.String))),
  topics: Schema.optional(Schema.NullOr(Schema.Array(Schema.Array(Schema.String))))
})
export type EventFilter = typeof EventFilter.Type

export interface EventMatcher {
  (event: xdr.ContractEvent): boolean
}

const TYPES = { contract: "contract", system: "system" } as const

/** Wire name of an event's type; undefined for the diagnostic ones, which are not served. */
export const eventType = (event: xdr.ContractEvent): "contract" | "system" | undefined =>
  event.type.name === TYPES.contract ? TYPES.contract : event.type.name === TYPES.system ? TYPES.system : undefined

const checkFilter = Effect.fnUntraced(function* (filter: EventFilter, at: number) {
  const refuse = (reason: string) => RpcFault.invalidParams(`filter ${at + 1} invalid: ${reason}`)
  for (const type of filter.type === undefined || filter.type === "" ? [] : filter.type.split(",")) {
    if (type !== "contract" && type !== "system") {
      return yield* refuse("if set, type must be either 'system' or 'contract'")
    }
  }
  const contracts = filter.contractIds ?? []
  if (contracts.length > MAX_CONTRACTS) return yield* refuse(`maximum ${MAX_CONTRACTS} contract IDs per filter`)
  if (!contracts.every((id) => StrKey.isValidContract(id))) return yield* refuse("contract ID invalid")
  const topics = filter.topics ?? []
  if (topics.length > MAX_TOPICS) return yield* refuse(`maximum ${MAX_TOPICS} topics per filter`)
  for (const segments of topics) {
    const open = segments.at(-1) === "**"
    const fixed = open ? segments.slice(0, -1) : segments
    if (segments.length === 0) return yield* refuse("topic must have at least one segment")
    if (fixed.length > MAX_SEGMENTS) return yield* refuse("topic cannot have more than 4 segments")
    for (const segment of fixed) {
      if (segment !== "*" && !xdr.ScVal.validateXdr(segment, "base64")) {
        return yield* refuse(`topic segment ${segment} is neither a value nor a wildcard`)
      }
    }
  }
})

const topicMatches = (segments: ReadonlyArray<string>, topics: ReadonlyArray<string>): boolean => {
  const open = segments.at(-1) === "**"
  const fixed = open ? segments.slice(0, -1) : segments
  return (open ? topics.length >= fixed.length : topics.length === fixed.length) &&
    fixed.every((segment, at) => segment === "*" || segment === topics[at])
}

const matches = (filter: EventFilter, event: xdr.ContractEvent): boolean => {
  const types = filter.type === undefined || filter.type === "" ? undefined : filter.type.split(",")
  const contract = event.contractId === null ? undefined : StrKey.encodeContract(event.contractId.toBytes())
  const contracts = filter.contractIds ?? []
  const topics = filter.topics ?? []
  const segments = event.body.v0.topics.map((topic) => topic.toXdr("base64"))
  return (types === undefined || types.some((type) => type === eventType(event))) &&
    (contracts.length === 0 || (contract !== undefined && contracts.includes(contract))) &&
    (topics.length === 0 || topics.some((topic) => topicMatches(topic, segments)))
}

/** Checks the filters and makes one test of them: an event passes when any filter does, or when there is none. */
export const eventMatcher = Effect.fnUntraced(function* (filters: ReadonlyArray<EventFilter>) {
  if (filters.length > MAX_FILTERS) return yield* RpcFault.invalidParams(`maximum ${MAX_FILTERS} filters per request`)
  yield* Effect.forEach(filters, checkFilter)
  const matcher: EventMatcher = (event) => filters.length === 0 || filters.some((filter) => matches(filter, event))
  return matcher
})
