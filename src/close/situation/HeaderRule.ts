import { Context, Effect, Layer } from "effect"
import { ledgerAge } from "../../chain/LedgerAge.ts"
import { ContractRpcLagging, UpstreamUnusable } from "../../domain/failure/Upstream.ts"

/** Why a header is not believed: older than it may be, or from the future. */
export type HeaderDoubt = ContractRpcLagging | UpstreamUnusable

/**
 * Checks headers against the clock. Time bounds, claim deadlines and fees are computed from headers, so one that lies by years, or is
 * minutes old, must not be built on.
 */
export class HeaderRule extends Context.Tag("closeout/close/HeaderRule")<HeaderRule, {
  /** Why a header with this close time (Unix seconds) is not believed now; null when it is. */
  readonly doubt: (closeTime: bigint) => Effect.Effect<HeaderDoubt | null>
}>() {
  /** By the age that headers may have (`chain/LedgerAge.ts`). */
  static readonly layer = Layer.effect(
    HeaderRule,
    Effect.map(ledgerAge, ({ rejectedAge }) => {
      const verdict = (ageSeconds: number | null): HeaderDoubt | null => {
        if (ageSeconds === null) return null
        return ageSeconds > 0
          ? new ContractRpcLagging({ behind: null, ageSeconds })
          : new UpstreamUnusable({ source: "contract_rpc", ageSeconds })
      }
      return { doubt: (closeTime) => Effect.map(rejectedAge(closeTime), verdict) }
    })
  )
}
