import type { xdr } from "@stellar/stellar-sdk"
import { Array as Arr, Context, Effect, Exit, HashMap, Layer, Option, Request, RequestResolver } from "effect"
import type { ChainFailure } from "./ChainFailure.ts"
import { ContractRpc } from "./ContractRpc.ts"
import type { LiveEntry } from "./contract-rpc/LiveEntry.ts"
import { keyText } from "./EntryKeys.ts"
import { concurrency, maxKeysPerCall } from "./RpcPolicy.ts"

/** What the contract RPC said about one key, and as of when. */
export interface EntryAnswer {
  readonly key: xdr.LedgerKey
  /** None when the ledger that was asked has no entry under the key. */
  readonly live: Option.Option<LiveEntry>
  /** The newest ledger the RPC had: an entry that came later is not seen yet. */
  readonly latestLedger: number
}

/** The question for one entry. `text` is the key's XDR: equal keys have equal texts. */
class EntryRequest extends Request.TaggedClass("EntryRequest")<
  EntryAnswer,
  ChainFailure,
  { readonly key: xdr.LedgerKey; readonly text: string }
> {}

/**
 * Ledger entries by key, however many. Keys asked together travel together: duplicates are removed, at most 200 keys a call,
 * at most four calls at a time. Nothing is remembered between two questions.
 */
export class LedgerEntries extends Context.Tag("closeout/chain/LedgerEntries")<LedgerEntries, {
  /** One entry; none when the ledger has none under this key. Joins a batch when its caller asks with `batching: true`. */
  readonly one: (key: xdr.LedgerKey) => Effect.Effect<Option.Option<LiveEntry>, ChainFailure>

  /** One answer a key, in the order of the keys. */
  readonly many: (keys: ReadonlyArray<xdr.LedgerKey>) => Effect.Effect<ReadonlyArray<Option.Option<LiveEntry>>, ChainFailure>

  /** As `many`, with the ledger of every answer: whether "nothing there" can be believed depends on it. */
  readonly answers: (keys: ReadonlyArray<xdr.LedgerKey>) => Effect.Effect<ReadonlyArray<EntryAnswer>, ChainFailure>
}>() {
  /** Asks through `ContractRpc`. */
  static readonly layer = Layer.effect(
    LedgerEntries,
    Effect.map(ContractRpc, (rpc) => {
      const resolver = resolverOver(rpc)
      const ask = (key: xdr.LedgerKey) => Effect.request(new EntryRequest({ key, text: keyText(key) }), resolver)
      const all = (keys: ReadonlyArray<xdr.LedgerKey>) => Effect.forEach(keys, ask, { batching: true, concurrency: "unbounded" })
      return LedgerEntries.of({
        one: (key) => Effect.map(ask(key), ({ live }) => live),
        many: Effect.fn("LedgerEntries.many")((keys: ReadonlyArray<xdr.LedgerKey>) =>
          Effect.map(all(keys), (answers) => answers.map(({ live }) => live))
        ),
        answers: Effect.fn("LedgerEntries.answers")(all)
      })
    })
  )
}

const resolverOver = (rpc: ContractRpc["Type"]) =>
  RequestResolver.makeBatched((requests: Arr.NonEmptyArray<EntryRequest>) => {
    const groups = Object.values(Arr.groupBy(requests, (request) => request.text))
    return Effect.forEach(Arr.chunksOf(groups, maxKeysPerCall), (chunk) => answer(rpc, chunk), { concurrency, discard: true })
  })

/** Asks for one chunk; each group holds the requests for one key. Requests share the fate of their chunk. */
const answer = (rpc: ContractRpc["Type"], groups: ReadonlyArray<Arr.NonEmptyArray<EntryRequest>>): Effect.Effect<void> =>
  Effect.gen(function*() {
    const exit = yield* Effect.exit(rpc.ledgerEntries(groups.map(([request]) => request.key)))
    const found = Exit.map(exit, ({ entries, latestLedger }) => ({
      latestLedger,
      byKey: HashMap.fromIterable(entries.map((entry) => [keyText(entry.key), entry] as const))
    }))
    yield* Effect.forEach(
      groups,
      (group) => {
        const outcome = Exit.map(found, ({ byKey, latestLedger }): EntryAnswer => ({
          key: group[0].key,
          live: HashMap.get(byKey, group[0].text),
          latestLedger
        }))
        return Effect.forEach(group, (request) => Request.complete(request, outcome), { discard: true })
      },
      { discard: true }
    )
  })
