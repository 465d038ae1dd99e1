import { Context, Duration, Effect, Layer, Option } from "effect"
import type { AccountAddress } from "../../domain/Address.ts"
import type { TransactionHash } from "../../domain/Ledger.ts"
import { steadyMillis } from "../../fibers/SteadyTime.ts"
import { ttlCache } from "../../fibers/TtlCache.ts"

/** How long a merge is remembered: who submits one asks for the finished close next. */
const rememberedFor = Duration.minutes(1)

/** Accounts that are remembered at most; beyond, the oldest go. */
const capacity = 10_000

/** Merges that this process brought to the ledger within the last minute. No answer rests on it, only which transaction is queried early. */
export class RecentMerges extends Context.Tag("closeout/close/RecentMerges")<RecentMerges, {
  /** A transaction merged the account. */
  readonly note: (address: AccountAddress, hash: TransactionHash) => Effect.Effect<void>
  /** The transaction that merged the account. */
  readonly of: (address: AccountAddress) => Effect.Effect<Option.Option<TransactionHash>>
}>() {
  static readonly layer = Layer.effect(
    RecentMerges,
    Effect.sync(() => {
      const hashes = ttlCache<AccountAddress, TransactionHash>({ timeToLive: rememberedFor, most: capacity })
      return RecentMerges.of({
        note: (address, hash) => Effect.map(steadyMillis, (now) => hashes.set(address, hash, now)),
        of: (address) => Effect.map(steadyMillis, (now) => Option.fromNullable(hashes.get(address, now)))
      })
    })
  )
}
