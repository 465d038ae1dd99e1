import { Context, Duration, Effect, Layer, Option } from "effect"
import type { AccountAddress } from "../../domain/Address.ts"
import type { TransactionHash } from "../../domain/Ledger.ts"
import { steadyMillis } from "../../fibers/SteadyTime.ts"
import { ttlCache } from "../../fibers/TtlCache.ts"

/** How long they are remembered: longer than any ledger stays the newest one, and until who submitted a merge asks for the finished close. */
const rememberedFor = Duration.minutes(1)

/** Accounts that are remembered at most, of each kind; beyond, the oldest go. */
const capacity = 10_000

/**
 * Transactions that this process brought to the ledger within the last minute. No answer rests on it, only when a build begins to read, and which
 * transaction is queried early.
 */
export class RecentTransactions extends Context.Tag("closeout/close/RecentTransactions")<RecentTransactions, {
  /** A contract transaction of the account is in this ledger. */
  readonly noteCall: (address: AccountAddress, ledger: number) => Effect.Effect<void>
  /** The ledger of the account's newest contract transaction; 0 where there is none. */
  readonly newestCall: (address: AccountAddress) => Effect.Effect<number>
  /** A transaction merged the account. */
  readonly noteMerge: (address: AccountAddress, hash: TransactionHash) => Effect.Effect<void>
  /** The transaction that merged the account. */
  readonly mergeOf: (address: AccountAddress) => Effect.Effect<Option.Option<TransactionHash>>
}>() {
  static readonly layer = Layer.effect(
    RecentTransactions,
    Effect.sync(() => {
      const bounds = { timeToLive: rememberedFor, most: capacity }
      const calls = ttlCache<AccountAddress, number>(bounds)
      const merges = ttlCache<AccountAddress, TransactionHash>(bounds)
      return RecentTransactions.of({
        noteCall: (address, ledger) => Effect.map(steadyMillis, (now) => calls.set(address, ledger, now)),
        newestCall: (address) => Effect.map(steadyMillis, (now) => calls.get(address, now) ?? 0),
        noteMerge: (address, hash) => Effect.map(steadyMillis, (now) => merges.set(address, hash, now)),
        mergeOf: (address) => Effect.map(steadyMillis, (now) => Option.fromNullable(merges.get(address, now)))
      })
    })
  )
}
