import { Config, Duration } from "effect"
import { maxLedgersPerCall } from "../chain/RpcPolicy.ts"

/** How far events of an owner are scanned for one request. */
export interface EventBudget {
  /** Ledgers a window, at most: what one question looks through. */
  readonly window: number
  /** Questions. */
  readonly requests: number
  readonly time: Duration.Duration
}

const within = (name: string, fallback: number, least: number, most: number) =>
  Config.integer(name).pipe(
    Config.withDefault(fallback),
    Config.validate({ message: `must be from ${least} to ${most}`, validation: (value) => value >= least && value <= most })
  )

/** `EVENT_WINDOW_LEDGERS` (10000), `EVENT_SCAN_REQUESTS` (100) and `EVENT_SCAN_SECONDS` (8). */
export const eventBudget: Config.Config<EventBudget> = Config.all({
  window: within("EVENT_WINDOW_LEDGERS", maxLedgersPerCall, 100, maxLedgersPerCall),
  requests: within("EVENT_SCAN_REQUESTS", 100, 1, 10_000),
  time: Config.map(within("EVENT_SCAN_SECONDS", 8, 1, 12), Duration.seconds)
})
