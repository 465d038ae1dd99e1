import { Clock, type Config, Context, Effect, Layer } from "effect"
import { NetworkSettings } from "../../chain/NetworkSettings.ts"
import { ContractRpcLagging, UpstreamUnusable } from "../../domain/failure/Upstream.ts"
import type { Network } from "../../domain/Network.ts"
import { wholeNumberSetting } from "../../domain/WholeNumberSetting.ts"

/** Why a header is not believed: older than it may be, or from the future. */
export type HeaderDoubt = ContractRpcLagging | UpstreamUnusable

/** The setting that says how far a header's close time may lie from the clock. */
export const maxLedgerAgeSetting = (network: Network): string => `${network.toUpperCase()}_MAX_LEDGER_AGE_SECONDS`

/** Seconds, for networks whose ledgers close by the clock. */
const usualAge = 60

const longestAge = 86_400

/** Seconds that a header may lie from the clock; 0 believes every header. `usual`: where nothing is set. */
export const maxLedgerAge = (network: Network, usual: number): Config.Config<number> =>
  wholeNumberSetting(maxLedgerAgeSetting(network), { least: 0, most: longestAge, usual })

/**
 * Holds headers against the clock. Time bounds, claim deadlines and fees are reckoned from headers, so one that lies by years, or is
 * minutes old, must not be built on.
 */
export class HeaderRule extends Context.Tag("closeout/close/HeaderRule")<HeaderRule, {
  /** Why a header with this close time (Unix seconds) is not believed now; null when it is. */
  readonly doubt: (closeTime: bigint) => Effect.Effect<HeaderDoubt | null>
}>() {
  /** `MAINNET_MAX_LEDGER_AGE_SECONDS` or `TESTNET_MAX_LEDGER_AGE_SECONDS`: default 60, for the sandbox 0; 0 believes every header. */
  static readonly layer = Layer.effect(
    HeaderRule,
    Effect.gen(function*() {
      const { network, sandbox } = yield* NetworkSettings
      const most = yield* maxLedgerAge(network, sandbox ? 0 : usualAge)
      const verdict = (ageSeconds: number): HeaderDoubt | null => {
        if (most === 0 || Math.abs(ageSeconds) <= most) return null
        return ageSeconds > 0
          ? new ContractRpcLagging({ behind: null, ageSeconds })
          : new UpstreamUnusable({ source: "contract_rpc", ageSeconds })
      }
      return {
        doubt: (closeTime) =>
          Effect.map(Clock.currentTimeMillis, (millis) => verdict(Number(BigInt(Math.floor(millis / 1000)) - closeTime)))
      }
    })
  )
}
