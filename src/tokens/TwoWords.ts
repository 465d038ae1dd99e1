import { Effect } from "effect"
import type { ContractRpc } from "../chain/ContractRpc.ts"
import type { Getter } from "../chain/Getter.ts"
import type { RpcOrigin } from "../chain/RpcOrigin.ts"
import { concurrently } from "../domain/Concurrently.ts"
import { askingTokens, type AskTokens, type Told } from "./AskTokens.ts"
import { largerOf } from "./BalanceOf.ts"

/** How a token's word is confirmed: by another origin on the same ledger or a later one; not yet, since the others are behind; or not at all. */
export type Confirmation = "confirmed" | "behind" | "alone"

/** What a token says of a balance, by two origins together. */
export interface Word {
  readonly told: Told
  readonly confirmation: Confirmation
}

/** Asks tokens for balances at two origins; one word a question, in their order. */
export type AskBalances = (getters: ReadonlyArray<Getter>) => Effect.Effect<ReadonlyArray<Word>>

const confirmationOf = (first: Told, second: Told | undefined): Confirmation => {
  if (second === undefined || second._tag === "Unasked") return "alone"
  return first._tag === "Told" && second._tag === "Told" && second.ledger < first.ledger ? "behind" : "confirmed"
}

/** With what one more origin says. */
const withMore = ({ told, confirmation }: Word, more: Told | undefined): Word => {
  const next = confirmationOf(told, more)
  return { told: largerOf(told, more), confirmation: next === "alone" ? confirmation : next }
}

/**
 * How one read of an account asks tokens for balances: at the endpoint of the request and at another origin side by side, and at the next
 * origin where that one does not answer or is behind. Of the amounts the larger counts.
 */
export const askingTwo = (rpc: ContractRpc["Type"], others: ReadonlyArray<RpcOrigin>, ask: AskTokens, control: Getter): AskBalances => {
  const [second, ...further] = others.map((origin) => askingTokens({ ...rpc, simulateTransaction: origin.simulateTransaction }, control))
  return (getters) =>
    Effect.gen(function*() {
      const [first, beside] = yield* concurrently([ask(getters), second === undefined ? Effect.succeed([]) : second(getters)])
      let words = first.map((told, at): Word => withMore({ told, confirmation: "alone" }, beside[at]))
      for (const next of further) {
        const open = words.flatMap(({ confirmation }, at) => (confirmation === "confirmed" ? [] : [at]))
        if (open.length === 0) break
        const more = yield* next(open.flatMap((at) => getters[at] ?? []))
        words = words.map((word, at) => (open.includes(at) ? withMore(word, more[open.indexOf(at)]) : word))
      }
      return words
    })
}
