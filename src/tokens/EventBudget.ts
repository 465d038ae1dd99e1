import { Config, Duration } from "effect"
import { maxLedgersPerCall } from "../chain/RpcPolicy.ts"
import { wholeNumberSetting } from "../domain/WholeNumberSetting.ts"

/** How far events of an owner are scanned for one request. */
export interface EventBudget {
  /** Ledgers a window, at most: what one question looks through. */
  readonly window: number
  /** Questions. */
  readonly requests: number
  readonly time: Duration.Duration
}

/** Ledgers a window. */
export const windowLedgersSetting = wholeNumberSetting("EVENT_WINDOW_LEDGERS", {
  least: 100,
  most: maxLedgersPerCall,
  usual: maxLedgersPerCall
})

/** Questions for one owner. */
export const scanRequestsSetting = wholeNumberSetting("EVENT_SCAN_REQUESTS", { least: 1, most: 10_000, usual: 100 })

/** Seconds for one owner. */
export const scanSecondsSetting = wholeNumberSetting("EVENT_SCAN_SECONDS", { least: 1, most: 12, usual: 8 })

/** `EVENT_WINDOW_LEDGERS` (10000), `EVENT_SCAN_REQUESTS` (100) and `EVENT_SCAN_SECONDS` (8). */
export const eventBudget: Config.Config<EventBudget> = Config.all({
  window: windowLedgersSetting,
  requests: scanRequestsSetting,
  time: Config.map(scanSecondsSetting, Duration.seconds)
})
