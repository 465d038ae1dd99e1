import type { xdr } from "@stellar/stellar-sdk"
import { Array as Arr, Context, Data, Duration, Effect, Either, Layer, Option } from "effect"
import { type ContractRpcLagging, SourcesDisagree } from "../../domain/failure/Upstream.ts"
import { concurrently } from "../../fibers/Concurrently.ts"
import { keyText } from "../../stellar/EntryKeys.ts"
import { ContractRpc } from "../ContractRpc.ts"
import { askDated } from "../Getter.ts"
import { ledgerAge } from "../LedgerAge.ts"
import { sideBySide } from "../pace/SideBySide.ts"
import { currentPin, type Pin, type Shown } from "../Pinned.ts"
import { othersOf, ownOf, type RpcOrigin } from "../RpcOrigin.ts"
import { concurrency, maxKeysPerCall } from "../RpcPolicy.ts"
import { type Claim, contradiction, keysOf, ledgerOf, type Lists, type Spoken, type Statement } from "./Testimony.ts"

/** How long one endpoint is waited for before the next one is asked. */
const longestSilence = Duration.seconds(3)

/** How often those that are behind are asked again, and after how long each time. */
const mostRounds = 6
const untilAgain = Duration.seconds(1)

/** More ledgers than this are not made up for while a request waits; behind two others it is no witness any more. */
const farBehind = 20

/** Claims that are remembered as confirmed. */
const mostClaims = 20_000

/** What became of asking somebody else. */
export type Testimony =
  /** No endpoint of another origin is configured. */
  | "alone"
  /** Several are, and none of them answered. */
  | "silent"
  | "agreed"

/** The second witness did not reach the ledger of the first one in time: reading that one anew would change nothing. */
export class WitnessBehind extends Data.TaggedError("WitnessBehind")<{ readonly behind: number }> {}

/** Contradictions, and want of time. */
export type WitnessFailure = SourcesDisagree | ContractRpcLagging | WitnessBehind

/** What witnesses are asked, and the ledger that their answers must be of at the least. */
interface Question extends Statement {
  readonly spoken: ReadonlyArray<Spoken>
  readonly reached: number
}

const questionOf = (statement: Statement, spoken: ReadonlyArray<Spoken>, pin: Pin | null): Question => ({
  ...statement,
  spoken,
  reached: Math.max(spoken.length === 0 ? 0 : pin?.newest ?? 0, ...statement.shown.map(ledgerOf))
})

interface Behind {
  readonly _tag: "Behind"
  readonly origin: RpcOrigin
  readonly behind: number
}

/** What an origin says to a statement. */
type Verdict =
  | { readonly _tag: "Silent" }
  | { readonly _tag: "Agrees" }
  | Behind
  | { readonly _tag: "Contradicts"; readonly failure: SourcesDisagree | ContractRpcLagging }

/** What the first witness shows is held against what another endpoint shows, before a transaction rests on it that cannot be taken back. */
export class SecondWitness extends Context.Tag("closeout/chain/SecondWitness")<SecondWitness, {
  /** Whether there is an endpoint of another origin to be asked at all. */
  readonly exists: boolean

  /**
   * Asks another origin (`getLedgerEntries`) for what the first one showed: everything of this request that `isWitnessed` picks, and
   * what lists of contracts rest on, and what contracts said. Of the latter, what was told by another endpoint than this request's, and what was learned and
   * never confirmed, is held against both: one of the two is another source than told it. Fails with `SourcesDisagree` where two cannot
   * both be right, with `ContractRpcLagging` where the first one has not reached the other, so that everything is read anew, and with
   * `WitnessBehind` where all others are behind it: one that is, is answered for by the next. One that agrees is enough. Asks nobody where nothing is picked.
   */
  readonly confirm: (
    isWitnessed: (key: xdr.LedgerKey) => boolean,
    lists: Lists,
    spoken?: ReadonlyArray<Spoken>
  ) => Effect.Effect<Testimony, WitnessFailure>
}>() {
  static readonly layer = Layer.effect(
    SecondWitness,
    Effect.gen(function*() {
      const { origins } = yield* ContractRpc
      const age = yield* ledgerAge
      /** Those that were behind when they were asked last: they are asked after the others. */
      const laggards = new Set<string>()

      const shownBy = (origin: RpcOrigin, keys: ReadonlyArray<xdr.LedgerKey>) =>
        Effect.forEach(
          Arr.chunksOf(keys, maxKeysPerCall),
          (chunk) =>
            Effect.map(origin.ledgerEntries(chunk), ({ entries, latestLedger }) => {
              const found = new Map(entries.map((entry) => [keyText(entry.key), entry]))
              return chunk.map((key): Shown => ({ key, live: Option.fromNullable(found.get(keyText(key))), latestLedger }))
            }),
          { concurrency }
        ).pipe(
          Effect.map((chunks): ReadonlyArray<Shown> => chunks.flat()),
          Effect.either,
          Effect.timeoutTo({ duration: longestSilence, onSuccess: Either.getRight, onTimeout: () => Option.none<ReadonlyArray<Shown>>() })
        )

      /** What contracts say there, to every getter; none where it does not answer. */
      const saidBy = (origin: RpcOrigin, spoken: ReadonlyArray<Spoken>) =>
        sideBySide(spoken.flatMap(({ getters }) => getters), concurrency, (getter) => askDated(origin, getter)).pipe(
          Effect.option,
          Effect.timeoutTo({ duration: longestSilence, onSuccess: (told) => told, onTimeout: () => Option.none() })
        )

      /** What an origin says to a statement now. */
      const verdictOf = ({ reached, spoken, ...statement }: Question, origin: RpcOrigin): Effect.Effect<Verdict> =>
        Effect.map(concurrently([shownBy(origin, keysOf(statement)), saidBy(origin, spoken)]), ([heard, said]): Verdict => {
          if (Option.isNone(heard) || Option.isNone(said)) return { _tag: "Silent" }
          const ledger = Math.min(...heard.value.map(({ latestLedger }) => latestLedger), ...said.value.map((one) => one.ledger))
          if (ledger < reached) return { _tag: "Behind", origin, behind: reached - ledger }
          const failure = contradiction(statement, heard.value)
          if (failure !== null) return { _tag: "Contradicts", failure }
          const words = said.value.values()
          const isOther = spoken.some(({ differs, getters }) => differs(getters.flatMap(() => words.next().value?.answer ?? [])))
          return isOther ? { _tag: "Contradicts", failure: new SourcesDisagree({ about: "contract_answers" }) } : { _tag: "Agrees" }
        })

      /** Whether one that is behind is so far gone that it counts as silent: by our clock, or more than any two others. */
      const isGone = ({ behind, origin }: Behind, all: ReadonlyArray<Verdict>): Effect.Effect<boolean> => {
        const others = all.filter((one) => one._tag !== "Silent" && !(one._tag === "Behind" && behind - one.behind <= farBehind))
        if (behind > farBehind && others.length > 0) return Effect.succeed(true)
        return Effect.flatMap(
          Effect.timeoutOption(Effect.option(origin.latestLedger), longestSilence),
          Option.match({
            onNone: () => Effect.succeed(true),
            onSome: Option.match({ onNone: () => Effect.succeed(true), onSome: ({ closeTime }) => age.isOver(closeTime) })
          })
        )
      }

      /** What the witnesses say, one after the other, until one agrees; those that are behind are asked again for a while. */
      const heardFrom = (statement: Question, witnesses: ReadonlyArray<RpcOrigin>): Effect.Effect<"agreed" | "silent", WitnessFailure> =>
        Effect.gen(function*() {
          const verdicts = new Map<RpcOrigin, Verdict>()
          let open = witnesses
          for (let round = 0; open.length > 0; round++) {
            for (const origin of open) {
              const verdict = yield* verdictOf(statement, origin)
              verdicts.set(origin, verdict)
              if (verdict._tag === "Behind") laggards.add(origin.name)
              else laggards.delete(origin.name)
              if (verdict._tag === "Agrees") return "agreed"
              // What changed meanwhile is read anew.
              if (verdict._tag === "Contradicts" && verdict.failure._tag === "ContractRpcLagging") return yield* verdict.failure
            }
            const late = [...verdicts.values()].filter((one) => one._tag === "Behind")
            const near = late.filter(({ behind }) => behind <= farBehind)
            if (round === mostRounds || near.length === 0) break
            open = near.map(({ origin }) => origin)
            yield* Effect.sleep(untilAgain)
          }
          const all = [...verdicts.values()]
          const against = all.find((one) => one._tag === "Contradicts")
          if (against !== undefined) return yield* against.failure
          const late = yield* Effect.filter(all.filter((one) => one._tag === "Behind"), (one) => Effect.negate(isGone(one, all)))
          const [nearest] = late.toSorted((one, other) => one.behind - other.behind)
          return nearest === undefined ? "silent" : yield* new WitnessBehind({ behind: nearest.behind })
        })

      const confirmed = new Set<string>()
      const remember = (claims: ReadonlyArray<Claim>): void => {
        if (confirmed.size + claims.length > mostClaims) confirmed.clear()
        for (const { text } of claims) confirmed.add(text)
      }

      const confirm = Effect.fnUntraced(
        function*(isWitnessed: (key: xdr.LedgerKey) => boolean, { claims, entries }: Lists, spoken: ReadonlyArray<Spoken> = []) {
          const pin = yield* currentPin
          const picked = [...(pin?.shown.values() ?? [])].flatMap((versions) => versions.filter(({ key }) => isWitnessed(key)))
          const open = claims.filter(({ text }) => !confirmed.has(text))
          if (entries.length + picked.length + open.length + spoken.length === 0) return "agreed"
          const others = othersOf(origins, pin)
          if (others.length === 0) return "alone"
          const witnesses = others.toSorted((one, other) => Number(laggards.has(one.name)) - Number(laggards.has(other.name)))
          const listed = new Map<Shown, ReadonlyArray<xdr.ScVal>>(entries.map((one) => [one, one.inside]))
          const told = yield* heardFrom(questionOf({ shown: [...entries, ...picked], listed, claims: open }, spoken, pin), witnesses)
          if (told === "silent") return "silent"
          const [first] = ownOf(origins, pin)
          const foreign: Statement = {
            shown: entries.filter(({ by }) => by === null || first?.places.includes(by) !== true),
            listed,
            claims: open
          }
          if (
            first !== undefined && foreign.shown.length + open.length > 0 &&
            (yield* heardFrom(questionOf(foreign, [], null), [first])) === "silent"
          ) {
            return "silent"
          }
          remember(open)
          return "agreed"
        }
      )
      return SecondWitness.of({ exists: origins.length > 1, confirm })
    })
  )
}
