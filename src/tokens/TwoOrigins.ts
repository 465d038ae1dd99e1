import { Effect } from "effect"
import type { ContractRpc } from "../chain/ContractRpc.ts"
import type { Getter } from "../chain/Getter.ts"
import { currentPin } from "../chain/Pin.ts"
import { othersOf, ownOf } from "../chain/RpcOrigin.ts"
import { type TokenAnswer, type TokenQuery, tokenQuery } from "./TokenQuery.ts"

/** How an answer is confirmed: by another origin on the same ledger or later; not yet, since others are behind; or not at all. */
export type Confirmation = "confirmed" | "behind" | "alone"

/** The answer of a token by two origins together. */
export interface ConfirmedAnswer {
  readonly answer: TokenAnswer
  readonly confirmation: Confirmation
}

/** Asks tokens at two origins until a time of the clock in milliseconds; one answer a getter, in their order. */
export type ConfirmedQuery = (getters: ReadonlyArray<Getter>, until: number) => Effect.Effect<ReadonlyArray<ConfirmedAnswer>>

/** Combines the answers of two origins. */
export type CombinedAnswer = (first: TokenAnswer, second: TokenAnswer) => TokenAnswer

/** Whether the query reached the token, with any answer. */
const hasReachedToken = ({ _tag }: TokenAnswer): boolean => _tag === "Value" || _tag === "NoValue"

/** Of two origins neither of which asked: that there was no time says more than that one did not answer. */
const neither = (first: TokenAnswer, second: TokenAnswer): TokenAnswer => (first._tag === "Failed" ? second : first)

const isOlder = (second: TokenAnswer, first: TokenAnswer): boolean =>
  first._tag === "Value" && second._tag === "Value" && second.ledger < first.ledger

/** With what one more origin says. One that did not ask takes no part. */
const withMore = ({ answer, confirmation }: ConfirmedAnswer, more: TokenAnswer, together: CombinedAnswer): ConfirmedAnswer => {
  if (!hasReachedToken(answer)) return { answer: hasReachedToken(more) ? more : neither(answer, more), confirmation: "alone" }
  if (!hasReachedToken(more)) return { answer, confirmation }
  return { answer: together(answer, more), confirmation: isOlder(more, answer) ? "behind" : "confirmed" }
}

/** One token query an origin; the origin of the endpoint that the request is pinned to comes first. */
export type TokenQueries = Effect.Effect<ReadonlyArray<TokenQuery>>

/** The token queries of one read of an account, one an origin. */
export const queriesByOrigin = ({ origins }: Pick<ContractRpc["Type"], "origins">, control: Getter): Effect.Effect<TokenQueries> =>
  Effect.map(Effect.forEach(origins, (origin) => Effect.map(tokenQuery(origin, control), (ask) => [origin, ask] as const)), (pairs) => {
    const asking = new Map(pairs)
    return Effect.map(
      currentPin,
      (pin) => [...ownOf(origins, pin), ...othersOf(origins, pin)].flatMap((origin) => asking.get(origin) ?? [])
    )
  })

/** Queries the first origin. */
export const oneOriginQuery = (asking: TokenQueries): TokenQuery => (getters, until) =>
  Effect.flatMap(asking, ([first]) => (first === undefined ? Effect.succeed([]) : first(getters, until)))

/** Queries two origins in parallel, and the next one where one of them does not answer or the second is behind. */
export const twoOriginQuery = (asking: TokenQueries, together: CombinedAnswer): ConfirmedQuery => (getters, until) =>
  Effect.gen(function*() {
    const all = yield* asking
    const [own = [], beside = []] = yield* Effect.all(all.slice(0, 2).map((ask) => ask(getters, until)), { concurrency: "unbounded" })
    let words = own.map((answer, at): ConfirmedAnswer => {
      const other = beside[at]
      const alone: ConfirmedAnswer = { answer, confirmation: "alone" }
      return other === undefined ? alone : withMore(alone, other, together)
    })
    for (const next of all.slice(2)) {
      const open = words.flatMap(({ confirmation }, at) => (confirmation === "confirmed" ? [] : [at]))
      if (open.length === 0) break
      const more = yield* next(open.flatMap((at) => getters[at] ?? []), until)
      words = words.map((word, at) => {
        const answer = more[open.indexOf(at)]
        return answer === undefined ? word : withMore(word, answer, together)
      })
    }
    return words
  })
