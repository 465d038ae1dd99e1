import { HttpClient } from "@effect/platform"
import type { xdr } from "@stellar/stellar-sdk"
import { Array as Arr, Context, Data, Duration, Effect, Either, Layer, Option, Schedule } from "effect"
import { ContractRpcLagging, SourcesDisagree } from "../domain/failure/Upstream.ts"
import { isCodeName } from "../stellar/CodeReference.ts"
import { keyText } from "../stellar/EntryKeys.ts"
import { jsonRpc } from "./contract-rpc/JsonRpc.ts"
import { getLedgerEntries } from "./contract-rpc/LiveEntry.ts"
import { passphraseOf } from "./contract-rpc/NetworkAnswer.ts"
import * as Endpoints from "./Endpoints.ts"
import { quiet } from "./Exchange.ts"
import { NetworkSettings } from "./NetworkSettings.ts"
import { currentPin, type Pin, type Shown } from "./Pinned.ts"
import { concurrency, maxKeysPerCall } from "./RpcPolicy.ts"

/** How long one endpoint is waited for before the next one is asked. */
const longestSilence = Duration.seconds(3)

/** How long one that is behind is asked again. */
const catchingUp = Schedule.spaced("1 second").pipe(Schedule.intersect(Schedule.recurs(6)))

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

const ledgerOf = ({ latestLedger, live }: Shown): number =>
  Option.match(live, { onNone: () => latestLedger, onSome: ({ entry }) => Math.max(latestLedger, entry.lastModifiedLedgerSeq) })

/** Of a contract its executable only: what its instance stores is as busy as the contract. A temporary entry whose time is over is gone. */
const factsAt = (ledger: number, { live }: Shown): string | null =>
  Option.match(live, {
    onNone: () => null,
    onSome: ({ entry: { data }, liveUntilLedger }) => {
      if (data.type !== "contractData") return data.toXdr("base64")
      const { durability, val } = data.contractData
      if (val.type === "scvContractInstance") return val.instance.executable.toXdr("base64")
      return durability.name === "temporary" && liveUntilLedger !== null && liveUntilLedger < ledger ? null : data.toXdr("base64")
    }
  })

const modifiedOf = ({ live }: Shown): number | null => Option.getOrNull(Option.map(live, ({ entry }) => entry.lastModifiedLedgerSeq))

/**
 * What a second witness makes of something the first one showed: nothing (`same`), that it changed since (`newer`), or that it was never
 * so (`differs`). An entry that is not there any more has no last modification: it may have gone in any ledger that only the second has.
 */
const verdict = (first: Shown, second: Shown): "same" | "newer" | "differs" => {
  const [reached, at] = [ledgerOf(first), ledgerOf(second)]
  if (factsAt(Math.max(reached, at), first) === factsAt(Math.max(reached, at), second)) return "same"
  return (modifiedOf(second) ?? at) > reached ? "newer" : "differs"
}

/** Who an entry is of, for people. */
const aboutOf = ({ key }: Shown): string => {
  if (key.type !== "contractData") return key.type
  if (isCodeName(key)) return "contract_code"
  return key.contractData.key.type === "scvLedgerKeyContractInstance" ? "contract_code" : "contract_entries"
}

/** What the first witness shows is held against what another endpoint shows, before a transaction rests on it that cannot be taken back. */
export class SecondWitness extends Context.Tag("closeout/chain/SecondWitness")<SecondWitness, {
  /** Whether there is an endpoint of another origin to be asked at all. */
  readonly exists: boolean

  /**
   * Asks another origin (`getLedgerEntries`) for what the first one showed: everything of this request that `isWitnessed` picks, and
   * what lists of contracts rest on. Fails with `SourcesDisagree` where the two cannot both be right, with `ContractRpcLagging` where the first one
   * has not reached the other, so that everything is read anew, and with `WitnessBehind` the other way round. Asks nobody where nothing is picked.
   */
  readonly confirm: (isWitnessed: (key: xdr.LedgerKey) => boolean, listed: ReadonlyArray<Shown>) => Effect.Effect<Testimony, WitnessFailure>
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

      /** One endpoint of each origin but the first witness's. */
      const othersOf = (pin: Pin | null) => {
        const first = all[pin?.index ?? 0]?.origin
        return Arr.dedupeWith(all.filter(({ origin }) => origin !== first), (a, b) => a.origin === b.origin)
      }

      const shownBy = ({ run }: (typeof all)[number], keys: ReadonlyArray<xdr.LedgerKey>) =>
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

      /** What lists showed is of some minutes ago: they may have grown since, but what they named does not go away. */
      const compare = (
        first: ReadonlyMap<string, ReadonlyArray<Shown>>,
        second: ReadonlyArray<Shown>,
        listed: ReadonlySet<Shown>
      ): SourcesDisagree | ContractRpcLagging | null => {
        let behind = 0
        for (const one of second) {
          const versions = first.get(keyText(one.key)) ?? []
          for (const [index, shown] of versions.entries()) {
            const told = verdict(shown, one)
            if (told === "differs") return new SourcesDisagree({ about: aboutOf(one) })
            const hasGrown = listed.has(shown) && Option.isSome(one.live)
            if (told === "newer" && index === versions.length - 1 && !hasGrown) {
              behind = Math.max(behind, ledgerOf(one) - ledgerOf(shown), 1)
            }
          }
        }
        return behind === 0 ? null : new ContractRpcLagging({ behind, ageSeconds: null })
      }

      const confirm = Effect.fn("SecondWitness.confirm")(
        function*(isWitnessed: (key: xdr.LedgerKey) => boolean, listed: ReadonlyArray<Shown>) {
          const pin = yield* currentPin
          const picked = [...(pin?.shown.values() ?? [])].flatMap((versions) => versions.filter(({ key }) => isWitnessed(key)))
          const first = new Map<string, ReadonlyArray<Shown>>()
          for (const one of [...listed, ...picked]) first.set(keyText(one.key), [...(first.get(keyText(one.key)) ?? []), one])
          if (first.size === 0) return "agreed"
          const witnesses = othersOf(pin)
          if (witnesses.length === 0) return "alone"
          const keys = [...first.values()].flatMap(([one]) => (one === undefined ? [] : [one.key]))
          const reached = Math.max(...[...first.values()].flat().map(ledgerOf))
          for (const witness of witnesses) {
            const heard = yield* Effect.flatMap(
              shownBy(witness, keys),
              Option.match({
                onNone: () => Effect.succeedNone,
                onSome: (second) => {
                  const behind = reached - Math.min(...second.map(({ latestLedger }) => latestLedger))
                  return behind > 0 ? Effect.fail(new WitnessBehind({ behind })) : Effect.succeedSome(second)
                }
              })
            ).pipe(Effect.retry(catchingUp))
            if (Option.isNone(heard)) continue
            const failure = compare(first, heard.value, new Set(listed))
            if (failure !== null) return yield* failure
            return "agreed"
          }
          return "silent"
        }
      )
      return SecondWitness.of({ exists: othersOf(null).length > 0, confirm })
    })
  )
}
