import { Clock, type Config, Effect } from "effect"
import { unixSeconds } from "../domain/Instant.ts"
import type { Network } from "../domain/Network.ts"
import { wholeNumberSetting } from "../domain/WholeNumberSetting.ts"
import { NetworkSettings } from "./NetworkSettings.ts"

/** The setting that says how far a header's close time may lie from the clock. */
export const maxLedgerAgeSetting = (network: Network): string => `${network.toUpperCase()}_MAX_LEDGER_AGE_SECONDS`

/** Seconds, for networks whose ledgers close by the clock. */
const usualAge = 60

const longestAge = 86_400

/** Seconds that a header may lie from the clock; 0 believes every header. `usual`: where nothing is set. */
export const maxLedgerAge = (network: Network, usual: number): Config.Config<number> =>
  wholeNumberSetting(maxLedgerAgeSetting(network), { least: 0, most: longestAge, usual })

/**
 * How old, in seconds, a header with this close time (Unix seconds) is where that is too old or too far ahead of the clock (then below zero);
 * null where it is not.
 */
export type RejectedAge = (closeTime: bigint) => Effect.Effect<number | null>

/**
 * How old headers may be: `MAINNET_MAX_LEDGER_AGE_SECONDS` or `TESTNET_MAX_LEDGER_AGE_SECONDS`, default 60, for the sandbox 0, which believes every
 * header. `isOver`: whether one is too old.
 */
export const ledgerAge = Effect.gen(function*() {
  const { network, sandbox } = yield* NetworkSettings
  const most = yield* maxLedgerAge(network, sandbox ? 0 : usualAge)
  const rejectedAge: RejectedAge = (closeTime) =>
    Effect.map(Clock.currentTimeMillis, (millis) => {
      const seconds = Number(unixSeconds(millis) - closeTime)
      return most === 0 || Math.abs(seconds) <= most ? null : seconds
    })
  return { rejectedAge, isOver: (closeTime: bigint) => Effect.map(rejectedAge(closeTime), (seconds) => seconds !== null && seconds > 0) }
})
