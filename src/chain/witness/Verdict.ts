import type { xdr } from "@stellar/stellar-sdk"
import { Array as Arr, Effect, Either, Option } from "effect"
import { ContractRpcLagging, SourcesDisagree } from "../../domain/failure/Upstream.ts"
import { type EntryAnswer, entryAnswers } from "../EntryAnswer.ts"
import { askDated } from "../Getter.ts"
import type { Pin } from "../Pin.ts"
import type { RpcOrigin } from "../RpcOrigin.ts"
import { concurrency, maxKeysPerCall, testimonyTimeout, witnessTimeout } from "../RpcPolicy.ts"
import { type ContractAnswers, contradiction, keysOf, ledgerOf, showsMore, type Statement } from "./Statement.ts"

/** The question to a witness: a statement, what contracts said, and the ledger that its answers must be of at the least. */
export interface Question extends Statement {
  readonly spoken: ReadonlyArray<ContractAnswers>
  readonly reached: number
}

export const questionOf = (statement: Statement, spoken: ReadonlyArray<ContractAnswers>, pin: Pin | null): Question => ({
  ...statement,
  spoken,
  reached: Math.max(spoken.length === 0 ? 0 : pin?.newest ?? 0, ...statement.shown.map(ledgerOf))
})

/** It has not reached the ledger of the statement, by so many ledgers. */
export interface Behind {
  readonly _tag: "Behind"
  readonly origin: RpcOrigin
  readonly behind: number
  /** Whether it has an entry that the statement calls absent: it was left since, or is hidden. */
  readonly hasMore: boolean
}

/** What an origin says to a statement. */
export type Verdict =
  | { readonly _tag: "Silent" }
  /** On this ledger. */
  | { readonly _tag: "Agrees"; readonly ledger: number }
  | Behind
  /** It shows what changed since the first reading, which is to be read anew; `since`: the newest ledger that it names for a change. */
  | { readonly _tag: "Newer"; readonly failure: ContractRpcLagging; readonly since: number }
  | { readonly _tag: "Contradicts"; readonly failure: SourcesDisagree }

/** The entries under some keys as an origin shows them; none where it does not answer. */
const entriesOf = (origin: RpcOrigin, keys: ReadonlyArray<xdr.LedgerKey>) =>
  Effect.forEach(
    Arr.chunksOf(keys, maxKeysPerCall),
    (chunk) => Effect.map(origin.ledgerEntries(chunk), (found) => entryAnswers(chunk, found)),
    { concurrency }
  ).pipe(
    Effect.map((chunks): ReadonlyArray<EntryAnswer> => chunks.flat()),
    Effect.either,
    Effect.timeoutTo({ duration: witnessTimeout, onSuccess: Either.getRight, onTimeout: () => Option.none<ReadonlyArray<EntryAnswer>>() })
  )

/** What contracts say there, to every getter; none where it does not answer one of them in time, or not all of them. */
const answersOf = (origin: RpcOrigin, spoken: ReadonlyArray<ContractAnswers>) =>
  Effect.forEach(spoken.flatMap(({ getters }) => getters), (getter) => Effect.timeout(askDated(origin, getter), witnessTimeout), {
    concurrency
  }).pipe(Effect.timeout(testimonyTimeout), Effect.option)

/** What an origin says to a statement now. */
export const verdictOf = ({ reached, spoken, ...statement }: Question, origin: RpcOrigin): Effect.Effect<Verdict> =>
  Effect.map(
    Effect.all([entriesOf(origin, keysOf(statement)), answersOf(origin, spoken)], { concurrency: "unbounded" }),
    ([heard, said]): Verdict => {
      if (Option.isNone(heard) || Option.isNone(said)) return { _tag: "Silent" }
      const ledger = Math.min(...heard.value.map(({ latestLedger }) => latestLedger), ...said.value.map((one) => one.ledger))
      if (ledger < reached) return { _tag: "Behind", origin, behind: reached - ledger, hasMore: showsMore(statement, heard.value) }
      const against = contradiction(statement, heard.value)
      if (against?._tag === "Outdated") {
        const { behind, since } = against
        return { _tag: "Newer", failure: new ContractRpcLagging({ behind, ageSeconds: null }), since }
      }
      if (against !== null) return { _tag: "Contradicts", failure: against }
      const words = said.value.values()
      const isOther = spoken.some(({ differs, getters }) => differs(getters.flatMap(() => words.next().value?.answer ?? [])))
      return isOther ? { _tag: "Contradicts", failure: new SourcesDisagree({ about: "contract_answers" }) } : { _tag: "Agrees", ledger }
    }
  )
