import { Cause, Effect, Metric } from "effect"
import { NetworkSettings } from "../../chain/NetworkSettings.ts"
import { steadyMillis } from "../../fibers/SteadyTime.ts"
import * as MediatorMetrics from "../mediator/MediatorMetrics.ts"
import type { MediatorAlarm } from "../situation/MediatorWatch.ts"
import type { AccountControl } from "./AccountControl.ts"
import { Confirmation } from "./Confirmation.ts"
import { KnownLumens } from "./KnownLumens.ts"

/** What is read: the transactions of the account, and after new ones what they did to the account. */
const parts = ["history", "account"] as const
type Part = (typeof parts)[number]

/** A part that was not read for so many milliseconds counts as not read: three intervals of the slowest ledgers. */
const silentAfter = 20_000

/** What is known of an account that is watched. */
export class Watched {
  /** The newest transaction that was looked at; null: none was seen yet. */
  newest: bigint | null = null
  /** What the account was when it was first read. */
  first: AccountControl | null = null
  /** Whether something may have changed the account since it was read last. */
  isDue = true
  readonly lumens = new KnownLumens()
  readonly confirmation = new Confirmation()
  /** For good, by a transaction or by lumens that are missing, and by what the account is now. */
  broken: MediatorAlarm | null = null
  changed: MediatorAlarm | null = null

  private readonly failing = new Set<Part>()
  /** Milliseconds of the steady clock. */
  private readonly readAt: Record<Part, number>

  constructor(now: number) {
    this.readAt = { history: now, account: now }
  }

  get alarm(): MediatorAlarm | null {
    return this.broken ?? this.changed
  }

  /** For how many milliseconds a part was not read; null while both are. */
  blindFor(now: number): number | null {
    const blind = parts.filter((part) => this.failing.has(part) || now - this.readAt[part] > silentAfter)
    return blind.length === 0 ? null : now - Math.min(...blind.map((part) => this.readAt[part]))
  }

  /** Reads a part by some work. A failure is logged once, until a read succeeds again. */
  reading(part: Part, work: Effect.Effect<void, unknown>): Effect.Effect<void, never, NetworkSettings> {
    const read = Effect.map(Effect.zipRight(work, steadyMillis), (now) => {
      this.failing.delete(part)
      this.readAt[part] = now
    })
    const failed = (cause: Cause.Cause<unknown>) => {
      if (Cause.isInterruptedOnly(cause) || this.failing.has(part)) return Effect.void
      this.failing.add(part)
      return Effect.logWarning(`the mediator is unwatched: its ${part} could not be read`, { reason: String(Cause.squash(cause)) })
    }
    return Effect.flatMap(NetworkSettings, ({ network }) =>
      Effect.catchAllCause(read, failed).pipe(
        Effect.zipRight(
          Effect.suspend(() => Metric.set(Metric.tagged(MediatorMetrics.paused, "network", network), this.alarm === null ? 0 : 1))
        ),
        Effect.annotateLogs({ network })
      ))
  }
}
