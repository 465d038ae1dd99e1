import type { xdr } from "@stellar/stellar-sdk"
import { Array as Arr, Context, Duration, Effect, Either, Exit, Fiber, Layer, Option } from "effect"
import type { ChainFailure } from "../ChainFailure.ts"
import type { LatestLedger } from "../contract-rpc/LatestLedger.ts"
import { allReadable } from "../contract-rpc/LiveEntry.ts"
import { ContractRpc } from "../ContractRpc.ts"
import type { RpcEndpoint, RpcQuestions } from "../RpcOrigin.ts"
import { witnessTimeout } from "../RpcPolicy.ts"

/** Entries of one endpoint, and the newest ledger it had just before they were queried. */
export interface NewestAnswer {
  readonly header: LatestLedger
  readonly entries: ReadonlyArray<xdr.LedgerEntry>
}

/** What one endpoint answered. */
export interface EndpointAnswer extends NewestAnswer {
  /** The origin of its URL. */
  readonly origin: string
  /** The ledger of the entries. */
  readonly readAt: number
  /** The ledger that both header and entries are at least from. */
  readonly ledger: number
}

/** Of two answers the one of the later ledger, of equals the first. */
export const laterAnswer = <A extends Pick<EndpointAnswer, "ledger">>(one: A, other: A): A => (other.ledger > one.ledger ? other : one)

/** How long the others are waited for once one has answered: one that is down or hangs must not hold everyone up. */
const patience = Duration.seconds(1)

const newer = (a: NewestAnswer, b: NewestAnswer): NewestAnswer => (b.header.sequence > a.header.sequence ? b : a)

/** Ledger entries where being one ledger behind can cost money: all endpoints are queried, and the newest ledger is believed. */
export class NewestEntries extends Context.Tag("closeout/chain/NewestEntries")<NewestEntries, {
  /** `getLatestLedger`, then `getLedgerEntries`, of the endpoint that is ahead; at most 200 keys. A key without an entry is left out. */
  readonly read: (keys: ReadonlyArray<xdr.LedgerKey>) => Effect.Effect<NewestAnswer, ChainFailure>

  /**
   * The same two questions, asked together, and what each endpoint answered within three seconds. Until one has answered, none is given up;
   * fails only when none of them answers.
   */
  readonly all: (keys: ReadonlyArray<xdr.LedgerKey>) => Effect.Effect<ReadonlyArray<EndpointAnswer>, ChainFailure>
}>() {
  /** Asks each endpoint of the contract RPC; fails only when none of them answers. */
  static readonly layer = Layer.effect(
    NewestEntries,
    Effect.map(ContractRpc, ({ each }) => {
      const inTurn = ({ latestLedger, ledgerEntries }: RpcQuestions, keys: ReadonlyArray<xdr.LedgerKey>) =>
        Effect.gen(function*() {
          const header = yield* latestLedger
          return { header, entries: yield* allReadable((yield* ledgerEntries(keys)).entries) }
        })
      const read = Effect.fnUntraced(function*(keys: ReadonlyArray<xdr.LedgerKey>) {
        const asked = yield* Effect.forEach(each, (endpoint) => Effect.forkScoped(Effect.either(inTurn(endpoint, keys))))
        const first = yield* Effect.raceAll(asked.map((fiber) => Effect.flatten(Fiber.join(fiber))))
        const told = yield* Effect.forEach(asked, (fiber) => Effect.timeoutOption(Fiber.join(fiber), patience), {
          concurrency: "unbounded"
        })
        return Arr.filterMap(told, Option.flatMap(Either.getRight)).reduce(newer, first)
      }, Effect.scoped)
      const together = ({ latestLedger, ledgerEntries, origin }: RpcEndpoint, keys: ReadonlyArray<xdr.LedgerKey>) =>
        Effect.gen(function*() {
          const [header, found] = yield* Effect.all([latestLedger, ledgerEntries(keys)], { concurrency: 2 })
          const answer: EndpointAnswer = {
            origin,
            header,
            entries: yield* allReadable(found.entries),
            readAt: found.latestLedger,
            ledger: Math.min(header.sequence, found.latestLedger)
          }
          return answer
        })
      const all = Effect.fnUntraced(function*(keys: ReadonlyArray<xdr.LedgerKey>) {
        const asked = yield* Effect.forEach(each, (endpoint) => Effect.forkScoped(Effect.either(together(endpoint, keys))))
        const [took] = yield* Effect.timed(Effect.raceAll(asked.map((fiber) => Effect.flatten(Fiber.join(fiber)))))
        yield* Effect.timeoutOption(Fiber.awaitAll(asked), Duration.subtract(witnessTimeout, took))
        const ended = Arr.getSomes(yield* Effect.forEach(asked, Fiber.poll))
        return Arr.getRights(Arr.filterMap(ended, Exit.match({ onFailure: () => Option.none(), onSuccess: Option.some })))
      }, Effect.scoped)
      return NewestEntries.of({ read, all })
    })
  )
}
