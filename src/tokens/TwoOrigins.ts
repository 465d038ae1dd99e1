import { Effect } from "effect"
import type { ContractRpc } from "../chain/ContractRpc.ts"
import type { Getter } from "../chain/Getter.ts"
import { currentPin } from "../chain/Pin.ts"
import { othersOf, ownOf } from "../chain/RpcOrigin.ts"
import { concurrently } from "../fibers/Concurrently.ts"
import { askingTokens, type AskTokens, type TokenAnswer } from "./AskTokens.ts"

/** How a token's word is confirmed: by another origin on the same ledger or a later one; not yet, since the others are behind; or not at all. */
export type Confirmation = "confirmed" | "behind" | "alone"

/** What a token says, by two origins together. */
export interface Word {
  readonly told: TokenAnswer
  readonly confirmation: Confirmation
}

/** Asks tokens at two origins until a time of the clock in milliseconds; one word a question, in their order. */
export type AskTwo = (getters: ReadonlyArray<Getter>, until: number) => Effect.Effect<ReadonlyArray<Word>>

/** What two answers say together. */
export type Together = (first: TokenAnswer, second: TokenAnswer) => TokenAnswer

/** Whether the token was asked, with any answer. */
const isAsked = ({ _tag }: TokenAnswer): boolean => _tag === "Told" || _tag === "Untold"

/** Of two origins neither of which asked: that there was no time says more than that one did not answer. */
const neither = (first: TokenAnswer, second: TokenAnswer): TokenAnswer => (first._tag === "Failed" ? second : first)

const isOlder = (second: TokenAnswer, first: TokenAnswer): boolean =>
  first._tag === "Told" && second._tag === "Told" && second.ledger < first.ledger

/** With what one more origin says. One that did not ask takes no part. */
const withMore = ({ told, confirmation }: Word, more: TokenAnswer, together: Together): Word => {
  if (!isAsked(told)) return { told: isAsked(more) ? more : neither(told, more), confirmation: "alone" }
  if (!isAsked(more)) return { told, confirmation }
  return { told: together(told, more), confirmation: isOlder(more, told) ? "behind" : "confirmed" }
}

/** Those who ask tokens, each at an origin of its own: first at that of the endpoint that the request keeps to. */
export type Asking = Effect.Effect<ReadonlyArray<AskTokens>>

/** How one read of an account asks tokens at each origin. */
export const askingOrigins = ({ origins }: Pick<ContractRpc["Type"], "origins">, control: Getter): Effect.Effect<Asking> =>
  Effect.map(Effect.forEach(origins, (origin) => Effect.map(askingTokens(origin, control), (ask) => [origin, ask] as const)), (pairs) => {
    const asking = new Map(pairs)
    return Effect.map(
      currentPin,
      (pin) => [...ownOf(origins, pin), ...othersOf(origins, pin)].flatMap((origin) => asking.get(origin) ?? [])
    )
  })

/** Asks at one origin. */
export const askedOnce = (asking: Asking): AskTokens => (getters, until) =>
  Effect.flatMap(asking, ([first]) => (first === undefined ? Effect.succeed([]) : first(getters, until)))

/** Asks at two origins side by side, and at the next one where one of them does not answer or the second is behind. */
export const askedTwice = (asking: Asking, together: Together): AskTwo => (getters, until) =>
  Effect.gen(function*() {
    const all = yield* asking
    const [own = [], beside = []] = yield* concurrently(all.slice(0, 2).map((ask) => ask(getters, until)))
    let words = own.map((told, at): Word => {
      const other = beside[at]
      const alone: Word = { told, confirmation: "alone" }
      return other === undefined ? alone : withMore(alone, other, together)
    })
    for (const next of all.slice(2)) {
      const open = words.flatMap(({ confirmation }, at) => (confirmation === "confirmed" ? [] : [at]))
      if (open.length === 0) break
      const more = yield* next(open.flatMap((at) => getters[at] ?? []), until)
      words = words.map((word, at) => {
        const told = more[open.indexOf(at)]
        return told === undefined ? word : withMore(word, told, together)
      })
    }
    return words
  })
