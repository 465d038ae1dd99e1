import type { xdr } from "@stellar/stellar-sdk"
import { Array as Arr, Context, Effect, Exit, Layer, Option, Request, RequestResolver } from "effect"
import { cacheCount } from "../fibers/CacheMetrics.ts"
import { keyText } from "../xdr/LedgerKeys.ts"
import type { ChainFailure } from "./ChainFailure.ts"
import type { LiveEntry } from "./contract-rpc/LiveEntry.ts"
import { ContractRpc } from "./ContractRpc.ts"
import { type EntryAnswer, entryAnswers } from "./EntryAnswer.ts"
import { inTurns, type Stoppable } from "./pace/Turns.ts"
import { currentPin, entryIn, noteEntries, type Pin } from "./Pin.ts"
import { concurrency, maxKeysPerCall } from "./RpcPolicy.ts"

const counted = cacheCount("entries")

/** The question for some entries, in the order of its answers. */
interface EntriesRequest extends Request.Request<ReadonlyArray<EntryAnswer>, ChainFailure> {
  readonly keys: ReadonlyArray<xdr.LedgerKey>
}

const EntriesRequest = Request.of<EntriesRequest>()

/**
 * Ledger entries by key, however many. Keys asked together travel together: duplicates are removed, at most 200 keys a call,
 * at most four calls at a time. A request that keeps to one endpoint reuses what that showed on the newest ledger that the request has met
 * there; nothing is remembered from one request to the next.
 */
export class LedgerEntries extends Context.Tag("closeout/chain/LedgerEntries")<LedgerEntries, {
  /** One entry; none when the ledger has none under this key. Joins a batch when its caller asks with `batching: true`. */
  readonly one: (key: xdr.LedgerKey) => Effect.Effect<Option.Option<LiveEntry>, ChainFailure>

  /** One answer a key, in the order of the keys. */
  readonly many: (keys: ReadonlyArray<xdr.LedgerKey>) => Effect.Effect<ReadonlyArray<Option.Option<LiveEntry>>, ChainFailure>

  /** As `many`, with the ledger of every answer: whether "nothing there" can be believed depends on it. */
  readonly answers: (keys: ReadonlyArray<xdr.LedgerKey>) => Effect.Effect<ReadonlyArray<EntryAnswer>, ChainFailure>

  /** As `answers`, regardless of what was shown before: it tells whether the ledger went on. */
  readonly anew: (keys: ReadonlyArray<xdr.LedgerKey>) => Effect.Effect<ReadonlyArray<EntryAnswer>, ChainFailure>
}>() {
  /** Asks through `ContractRpc`. */
  static readonly layer = Layer.effect(
    LedgerEntries,
    Effect.map(ContractRpc, (rpc) => {
      const resolver = resolverOver(rpc)
      const asked = (pin: Pin | null, keys: ReadonlyArray<xdr.LedgerKey>): Effect.Effect<ReadonlyArray<EntryAnswer>, ChainFailure> =>
        keys.length === 0 ?
          Effect.succeed([]) :
          Effect.tap(Effect.request(EntriesRequest({ keys }), resolver), (found) => Effect.sync(() => noteEntries(pin, found)))
      const anew = (keys: ReadonlyArray<xdr.LedgerKey>) => Effect.flatMap(currentPin, (pin) => asked(pin, keys))
      const answers = (keys: ReadonlyArray<xdr.LedgerKey>) =>
        Effect.flatMap(currentPin, (pin) => withMemory(pin, keys, (open) => asked(pin, open)))
      const many = (keys: ReadonlyArray<xdr.LedgerKey>) => Effect.map(answers(keys), (all) => all.map(({ live }) => live))
      return LedgerEntries.of({
        one: (key) => Effect.map(many([key]), ([live]) => live ?? Option.none()),
        many,
        answers,
        anew
      })
    })
  )
}

/**
 * Asks only for what was not shown on the newest ledger yet. Where the answer is of a newer one still, everything is requested on that, so
 * that what is requested together is of one ledger, as it is without memory.
 */
const withMemory = (
  pin: Pin | null,
  keys: ReadonlyArray<xdr.LedgerKey>,
  ask: (keys: ReadonlyArray<xdr.LedgerKey>) => Effect.Effect<ReadonlyArray<EntryAnswer>, ChainFailure>
): Effect.Effect<ReadonlyArray<EntryAnswer>, ChainFailure> => {
  if (pin === null) return ask(keys)
  const known = keys.map((key) => entryIn(pin, keyText(key)))
  const open = keys.filter((_, index) => known[index] === null)
  counted.hit(keys.length - open.length)
  counted.miss(open.length)
  if (open.length === keys.length) return ask(keys)
  const ledger = pin.newest
  return Effect.flatMap(ask(open), (told) => {
    if (pin.newest !== ledger) return ask(keys)
    const rest = told.values()
    return Effect.succeed(known.flatMap((one) => one ?? rest.next().value ?? []))
  })
}

/** Keys spelled out before others may go first. */
const atATime = 50

/** Each key once, by its text. */
export function* once(keys: ReadonlyArray<xdr.LedgerKey>): Stoppable<ReadonlyMap<string, xdr.LedgerKey>> {
  const known = new Map<string, xdr.LedgerKey>()
  for (const [index, key] of keys.entries()) {
    if (index % atATime === atATime - 1) yield
    known.set(keyText(key), key)
  }
  return known
}

/** Asks for the keys of all requests together. A request shares the fate of every call that has one of its keys. */
const resolverOver = (rpc: ContractRpc["Type"]) =>
  RequestResolver.makeBatched((requests: Arr.NonEmptyArray<EntriesRequest>) =>
    Effect.gen(function*() {
      const keys = yield* inTurns(() => once(requests.flatMap((request) => request.keys)))
      const parts = Arr.chunksOf(keys.values(), maxKeysPerCall)
      // The usual single call needs no fiber of its own.
      const calls = yield* Effect.forEach(parts, (part) => Effect.exit(ask(rpc, part)), { concurrency: parts.length > 1 ? concurrency : 1 })
      const texts = Arr.chunksOf(keys.keys(), maxKeysPerCall)
      const callOf = new Map(Arr.zip(texts, calls).flatMap(([some, call]) => some.map((text) => [text, call] as const)))
      yield* Effect.forEach(requests, (request) => Request.complete(request, answerOf(request, callOf)), { discard: true })
    })
  )

type Call = Exit.Exit<ReadonlyMap<string, EntryAnswer>, ChainFailure>

const answerOf = ({ keys }: EntriesRequest, calls: ReadonlyMap<string, Call>): Exit.Exit<ReadonlyArray<EntryAnswer>, ChainFailure> => {
  const answers: Array<EntryAnswer> = []
  for (const key of keys) {
    const text = keyText(key)
    const call = calls.get(text)
    if (call === undefined) return Exit.die("a key that was not requested")
    if (Exit.isFailure(call)) return Exit.failCause(call.cause)
    const answer = call.value.get(text)
    if (answer !== undefined) answers.push(answer)
  }
  return Exit.succeed(answers)
}

/** One call; every key has its answer. */
const ask = (rpc: ContractRpc["Type"], keys: ReadonlyArray<xdr.LedgerKey>) =>
  Effect.map(
    rpc.ledgerEntries(keys),
    (found): ReadonlyMap<string, EntryAnswer> => new Map(entryAnswers(keys, found).map((answer) => [keyText(answer.key), answer]))
  )
