import { HttpClient } from "@effect/platform"
import type { xdr } from "@stellar/stellar-sdk"
import { Array as Arr, Context, Duration, Effect, Either, Exit, Fiber, Layer, Option } from "effect"
import type { ChainFailure } from "./ChainFailure.ts"
import { jsonRpc } from "./contract-rpc/JsonRpc.ts"
import { getLatestLedger } from "./contract-rpc/LatestLedger.ts"
import type { LatestLedger } from "./contract-rpc/LatestLedger.ts"
import { getLedgerEntries } from "./contract-rpc/LiveEntry.ts"
import { passphraseOf } from "./contract-rpc/NetworkAnswer.ts"
import * as Endpoints from "./Endpoints.ts"
import { quiet } from "./Exchange.ts"
import { NetworkSettings } from "./NetworkSettings.ts"

/** Entries of one endpoint, and the newest ledger it had just before it was asked for them. */
export interface NewestAnswer {
  readonly header: LatestLedger
  readonly entries: ReadonlyArray<xdr.LedgerEntry>
}

/** What one endpoint answered. */
export interface EndpointAnswer extends NewestAnswer {
  /** The ledger that both header and entries are at least from. */
  readonly ledger: number
}

/** How long the others are waited for once one has answered: one that is down or hangs must not hold everybody up. */
const patience = Duration.seconds(1)

/** How long each is waited for where all are to be heard, once one of them has answered. */
const longestSilence = Duration.seconds(3)

const newer = (a: NewestAnswer, b: NewestAnswer): NewestAnswer => (b.header.sequence > a.header.sequence ? b : a)

/** Ledger entries where being one ledger behind can cost money: every endpoint is asked, and the one with the newest ledger is believed. */
export class NewestEntries extends Context.Tag("closeout/chain/NewestEntries")<NewestEntries, {
  /** `getLatestLedger`, then `getLedgerEntries`, of the endpoint that is ahead; at most 200 keys. A key without an entry is left out. */
  readonly read: (keys: ReadonlyArray<xdr.LedgerKey>) => Effect.Effect<NewestAnswer, ChainFailure>

  /**
   * The same two questions, asked together, and what each endpoint answered within three seconds. Until one has answered, none is given up;
   * fails only when none of them answers.
   */
  readonly all: (keys: ReadonlyArray<xdr.LedgerKey>) => Effect.Effect<ReadonlyArray<EndpointAnswer>, ChainFailure>
}>() {
  /** Asks all of `NetworkSettings.rpcUrls`; fails only when none of them answers. */
  static readonly layer = Layer.effect(
    NewestEntries,
    Effect.gen(function*() {
      const { network, passphrase, rpcUrls } = yield* NetworkSettings
      const call = jsonRpc(quiet(yield* HttpClient.HttpClient))
      const each = yield* Effect.forEach(
        rpcUrls,
        (url) => Endpoints.make({ source: "contract_rpc", network, urls: [url], identity: { passphrase, of: passphraseOf(call) } })
      )
      const attempt = (keys: ReadonlyArray<xdr.LedgerKey>) => (url: URL) =>
        Effect.gen(function*() {
          const header = yield* getLatestLedger(call)(url)
          const { entries } = yield* getLedgerEntries(call)(keys)(url)
          return { header, entries: entries.map(({ entry }) => entry) }
        })
      const read = Effect.fnUntraced(function*(keys: ReadonlyArray<xdr.LedgerKey>) {
        const asked = yield* Effect.forEach(each, ({ run }) => Effect.forkScoped(Effect.either(run(attempt(keys)))))
        const first = yield* Effect.raceAll(asked.map((fiber) => Effect.flatten(Fiber.join(fiber))))
        const told = yield* Effect.forEach(asked, (fiber) => Effect.timeoutOption(Fiber.join(fiber), patience), {
          concurrency: "unbounded"
        })
        return Arr.filterMap(told, Option.flatMap(Either.getRight)).reduce(newer, first)
      }, Effect.scoped)
      const together = (keys: ReadonlyArray<xdr.LedgerKey>) => (url: URL) =>
        Effect.map(
          Effect.all([getLatestLedger(call)(url), getLedgerEntries(call)(keys)(url)], { concurrency: 2 }),
          ([header, { entries, latestLedger }]): EndpointAnswer => ({
            header,
            entries: entries.map(({ entry }) => entry),
            ledger: Math.min(header.sequence, latestLedger)
          })
        )
      const all = Effect.fnUntraced(function*(keys: ReadonlyArray<xdr.LedgerKey>) {
        const asked = yield* Effect.forEach(each, ({ run }) => Effect.forkScoped(Effect.either(run(together(keys)))))
        const [took] = yield* Effect.timed(Effect.raceAll(asked.map((fiber) => Effect.flatten(Fiber.join(fiber)))))
        yield* Effect.timeoutOption(Fiber.awaitAll(asked), Duration.subtract(longestSilence, took))
        const ended = Arr.getSomes(yield* Effect.forEach(asked, Fiber.poll))
        return Arr.getRights(Arr.filterMap(ended, Exit.match({ onFailure: () => Option.none(), onSuccess: Option.some })))
      }, Effect.scoped)
      return NewestEntries.of({ read, all })
    })
  )
}
