import { HttpClient } from "@effect/platform"
import type { xdr } from "@stellar/stellar-sdk"
import { Array as Arr, Context, Data, Duration, Effect, Either, Layer, Option, Schedule } from "effect"
import type { ContractRpcLagging, SourcesDisagree } from "../domain/failure/Upstream.ts"
import { keyText } from "../stellar/EntryKeys.ts"
import { jsonRpc } from "./contract-rpc/JsonRpc.ts"
import { getLedgerEntries } from "./contract-rpc/LiveEntry.ts"
import { passphraseOf } from "./contract-rpc/NetworkAnswer.ts"
import * as Endpoints from "./Endpoints.ts"
import { quiet } from "./Exchange.ts"
import { NetworkSettings } from "./NetworkSettings.ts"
import { currentPin, type Pin, type Shown } from "./Pinned.ts"
import { concurrency, maxKeysPerCall } from "./RpcPolicy.ts"
import { type Claim, contradiction, keysOf, ledgerOf, type Lists, type Statement } from "./Testimony.ts"

/** How long one endpoint is waited for before the next one is asked. */
const longestSilence = Duration.seconds(3)

/** How long one that is behind is asked again. */
const catchingUp = Schedule.spaced("1 second").pipe(Schedule.intersect(Schedule.recurs(6)))

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

/** What the first witness shows is held against what another endpoint shows, before a transaction rests on it that cannot be taken back. */
export class SecondWitness extends Context.Tag("closeout/chain/SecondWitness")<SecondWitness, {
  /** Whether there is an endpoint of another origin to be asked at all. */
  readonly exists: boolean

  /**
   * Asks another origin (`getLedgerEntries`) for what the first one showed: everything of this request that `isWitnessed` picks, and
   * what lists of contracts rest on. Of the latter, what was told by another endpoint than this request's, and what was learned and
   * never confirmed, is held against both: whoever told it, one of them is somebody else. Fails with `SourcesDisagree` where two cannot
   * both be right, with `ContractRpcLagging` where the first one has not reached the other, so that everything is read anew, and with
   * `WitnessBehind` the other way round. Asks nobody where nothing is picked.
   */
  readonly confirm: (isWitnessed: (key: xdr.LedgerKey) => boolean, lists: Lists) => Effect.Effect<Testimony, WitnessFailure>
}>() {
  static readonly layer = Layer.effect(
    SecondWitness,
    Effect.gen(function*() {
      const { network, passphrase, rpcUrls } = yield* NetworkSettings
      const call = jsonRpc(quiet(yield* HttpClient.HttpClient))
      const all = yield* Effect.forEach(rpcUrls, (url) =>
        Effect.map(
          Endpoints.make({ source: "contract_rpc", network, urls: [url], identity: { passphrase, of: passphraseOf(call) } }),
          ({ run }) => ({ origin: url.origin, run })
        ))
      type Endpoint = (typeof all)[number]

      const firstOf = (pin: Pin | null) => all[pin?.index ?? 0]

      /** One endpoint of each origin but the first witness's. */
      const othersOf = (pin: Pin | null) =>
        Arr.dedupeWith(all.filter(({ origin }) => origin !== firstOf(pin)?.origin), (a, b) => a.origin === b.origin)

      const shownBy = ({ run }: Endpoint, keys: ReadonlyArray<xdr.LedgerKey>) =>
        Effect.forEach(
          Arr.chunksOf(keys, maxKeysPerCall),
          (chunk) =>
            Effect.map(run(getLedgerEntries(call)(chunk)), ({ entries, latestLedger }) => {
              const found = new Map(entries.map((entry) => [keyText(entry.key), entry]))
              return chunk.map((key): Shown => ({ key, live: Option.fromNullable(found.get(keyText(key))), latestLedger }))
            }),
          { concurrency }
        ).pipe(
          Effect.map((chunks): ReadonlyArray<Shown> => chunks.flat()),
          Effect.either,
          Effect.timeoutTo({ duration: longestSilence, onSuccess: Either.getRight, onTimeout: () => Option.none<ReadonlyArray<Shown>>() })
        )

      /** What an endpoint says to a statement once it has come to its ledger: whether it answers at all. */
      const agrees = (statement: Statement) => (endpoint: Endpoint): Effect.Effect<boolean, WitnessFailure> => {
        const reached = Math.max(0, ...statement.shown.map(ledgerOf))
        const heard = Effect.flatMap(
          shownBy(endpoint, keysOf(statement)),
          Option.match({
            onNone: () => Effect.succeedNone,
            onSome: (shown) => {
              const behind = reached - Math.min(...shown.map(({ latestLedger }) => latestLedger))
              return behind > 0 ? Effect.fail(new WitnessBehind({ behind })) : Effect.succeedSome(shown)
            }
          })
        ).pipe(Effect.retry(catchingUp))
        return Effect.flatMap(
          heard,
          Option.match({
            onNone: () => Effect.succeed(false),
            onSome: (shown): Effect.Effect<boolean, WitnessFailure> => contradiction(statement, shown) ?? Effect.succeed(true)
          })
        )
      }

      const confirmed = new Set<string>()
      const remember = (claims: ReadonlyArray<Claim>): void => {
        if (confirmed.size + claims.length > mostClaims) confirmed.clear()
        for (const { text } of claims) confirmed.add(text)
      }

      const confirm = Effect.fnUntraced(
        function*(isWitnessed: (key: xdr.LedgerKey) => boolean, { claims, entries }: Lists) {
          const pin = yield* currentPin
          const picked = [...(pin?.shown.values() ?? [])].flatMap((versions) => versions.filter(({ key }) => isWitnessed(key)))
          const open = claims.filter(({ text }) => !confirmed.has(text))
          if (entries.length + picked.length + open.length === 0) return "agreed"
          const witnesses = othersOf(pin)
          if (witnesses.length === 0) return "alone"
          const listed = new Map<Shown, ReadonlyArray<xdr.ScVal>>(entries.map((one) => [one, one.inside]))
          const answered = yield* Effect.findFirst(witnesses, agrees({ shown: [...entries, ...picked], listed, claims: open }))
          if (Option.isNone(answered)) return "silent"
          const foreign: Statement = { shown: entries.filter(({ by }) => by === null || by !== pin?.index), listed, claims: open }
          const first = firstOf(pin)
          if (first !== undefined && foreign.shown.length + open.length > 0 && !(yield* agrees(foreign)(first))) return "silent"
          remember(open)
          return "agreed"
        }
      )
      return SecondWitness.of({ exists: othersOf(null).length > 0, confirm })
    })
  )
}
