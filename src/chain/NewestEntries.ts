import { HttpClient } from "@effect/platform"
import type { xdr } from "@stellar/stellar-sdk"
import { Array as Arr, Context, Duration, Effect, Either, Layer } from "effect"
import type { ChainFailure } from "./ChainFailure.ts"
import { jsonRpc } from "./contract-rpc/JsonRpc.ts"
import { getLatestLedger } from "./contract-rpc/LatestLedger.ts"
import type { LatestLedger } from "./contract-rpc/LatestLedger.ts"
import { getLedgerEntries } from "./contract-rpc/LiveEntry.ts"
import * as Endpoints from "./Endpoints.ts"
import { quiet } from "./Exchange.ts"
import { NetworkSettings } from "./NetworkSettings.ts"

/** Entries of one endpoint, and the newest ledger it had just before it was asked for them. */
export interface NewestAnswer {
  readonly header: LatestLedger
  readonly entries: ReadonlyArray<xdr.LedgerEntry>
}

/** How long the others are waited for. One endpoint that hangs must not hold a signature up until its transaction expires. */
const patience = Duration.seconds(6)

/** Ledger entries where being one ledger behind can cost money: every endpoint is asked, and the one with the newest ledger is believed. */
export class NewestEntries extends Context.Tag("closeout/chain/NewestEntries")<NewestEntries, {
  /** `getLatestLedger`, then `getLedgerEntries`, of the endpoint that is ahead; at most 200 keys. A key without an entry is left out. */
  readonly read: (keys: ReadonlyArray<xdr.LedgerKey>) => Effect.Effect<NewestAnswer, ChainFailure>
}>() {
  /** Asks all of `NetworkSettings.rpcUrls`; fails only when none of them answers. */
  static readonly layer = Layer.effect(
    NewestEntries,
    Effect.gen(function*() {
      const { network, rpcUrls } = yield* NetworkSettings
      const call = jsonRpc(quiet(yield* HttpClient.HttpClient))
      const each = yield* Effect.forEach(rpcUrls, (url) => Endpoints.make({ source: "contract_rpc", network, urls: [url] }))
      const attempt = (keys: ReadonlyArray<xdr.LedgerKey>) => (url: URL) =>
        Effect.gen(function*() {
          const header = yield* getLatestLedger(call)(url)
          const { entries } = yield* getLedgerEntries(call)(keys)(url)
          return { header, entries: entries.map(({ entry }) => entry) }
        })
      const read = Effect.fn("NewestEntries.read")(function*(keys: ReadonlyArray<xdr.LedgerKey>) {
        const [first, ...others] = each
        if (first === undefined) return yield* Effect.dieMessage("a network without an endpoint")
        // A single endpoint is all there is, so it has all the time a call may take.
        if (others.length === 0) return yield* first.run(attempt(keys))
        const answers = yield* Effect.forEach(each, ({ run }) => Effect.timeoutOption(Effect.either(run(attempt(keys))), patience), { concurrency: "unbounded" })
        const told = answers.flatMap((answer) => (answer._tag === "Some" ? [answer.value] : []))
        const [best, ...rest] = Arr.getRights(told)
        if (best !== undefined) return rest.reduce((newest, one) => (one.header.sequence > newest.header.sequence ? one : newest), best)
        const [failure] = told.flatMap((answer) => (Either.isLeft(answer) ? [answer.left] : []))
        return failure === undefined ? yield* first.run(attempt(keys)) : yield* failure
      })
      return NewestEntries.of({ read })
    })
  )
}
