import { Context, Duration, Effect, Layer } from "effect"
import type { AccountAddress } from "../../domain/Address.ts"
import { steadyMillis } from "../../fibers/SteadyTime.ts"
import { ttlCache } from "../../fibers/TtlCache.ts"

/** How long a call is remembered: longer than any ledger stays the newest one. */
const rememberedFor = Duration.minutes(1)

/** Accounts that are remembered at most; beyond, the oldest go. */
const capacity = 10_000

/** Contract calls that this process brought to the ledger within the last minute. No answer rests on it, only when a build begins to read. */
export class RecentCalls extends Context.Tag("closeout/close/RecentCalls")<RecentCalls, {
  /** A contract transaction of the account is in this ledger. */
  readonly note: (address: AccountAddress, ledger: number) => Effect.Effect<void>
  /** The ledger of the account's newest one; 0 where there is none. */
  readonly newest: (address: AccountAddress) => Effect.Effect<number>
}>() {
  static readonly layer = Layer.effect(
    RecentCalls,
    Effect.sync(() => {
      const ledgers = ttlCache<AccountAddress, number>({ timeToLive: rememberedFor, most: capacity })
      return RecentCalls.of({
        note: (address, ledger) => Effect.map(steadyMillis, (now) => ledgers.set(address, ledger, now)),
        newest: (address) => Effect.map(steadyMillis, (now) => ledgers.get(address, now) ?? 0)
      })
    })
  )
}
