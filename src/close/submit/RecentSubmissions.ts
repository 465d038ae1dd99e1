import { Context, Duration, Effect, Layer } from "effect"
import type { TransactionHash } from "../../domain/Ledger.ts"
import { steadyMillis } from "../../fibers/SteadyTime.ts"

/** How long a transaction that was sent is reported as pending. */
const pendingFor = Duration.toMillis("5 minutes")

/** Hashes that are remembered at most; beyond, the oldest go. */
const capacity = 10_000

/** Transactions that this process sent in the last five minutes. They decide only whether an unknown one is reported as pending. */
export class RecentSubmissions extends Context.Tag("closeout/close/RecentSubmissions")<RecentSubmissions, {
  /** The network has the transaction, or may have it. */
  readonly note: (hash: TransactionHash) => Effect.Effect<void>
  /** It can no longer come. */
  readonly forget: (hash: TransactionHash) => Effect.Effect<void>
  /** Whether it was sent within the last five minutes. */
  readonly has: (hash: TransactionHash) => Effect.Effect<boolean>
}>() {
  static readonly layer = Layer.effect(
    RecentSubmissions,
    Effect.sync(() => {
      // A map keeps the order in which hashes came: the first is the oldest.
      const sent = new Map<TransactionHash, number>()
      const dropOld = (now: number): void => {
        for (const [hash, at] of sent) {
          if (now - at <= pendingFor && sent.size <= capacity) return
          sent.delete(hash)
        }
      }
      return RecentSubmissions.of({
        note: (hash) =>
          Effect.map(steadyMillis, (now) => {
            sent.delete(hash)
            sent.set(hash, now)
            dropOld(now)
          }),
        forget: (hash) => Effect.sync(() => void sent.delete(hash)),
        has: (hash) => Effect.map(steadyMillis, (now) => now - (sent.get(hash) ?? Number.NEGATIVE_INFINITY) <= pendingFor)
      })
    })
  )
}
