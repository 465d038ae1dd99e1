import type { Schema } from "effect"
import type { PlanBlocker } from "../../../../src/domain/Blocker.ts"
import type { LedgerState } from "../../../../src/ledger/LedgerState.ts"
import { SPECK } from "./AsForeseen.ts"
import { heldInPools, type PoolHolding } from "./PoolsHeld.ts"
import type { PositionsScene } from "./PositionsScene.ts"

type Warning = Schema.Schema.Encoded<typeof PlanBlocker>

/** Most stroops that a position without any payout is worth. */
const DUST = 1_000n

/** A ledger before the account's last transaction and one after it. */
interface Between {
  readonly scene: PositionsScene
  readonly before: LedgerState
  readonly after: LedgerState
  readonly passphrase: string
}

/**
 * Rewards may be left where a warning of the last plan names them. Shares may be left where it calls them too few and they are nearly
 * worthless.
 */
const isNamed = ({ amount, contract, protocol, what, worth }: PoolHolding, warnings: ReadonlyArray<Warning>): boolean => {
  const names = (...codes: ReadonlyArray<string>): boolean =>
    warnings.some(({ code, subject }) => codes.includes(code ?? "") && (subject ?? "").startsWith(`position:${protocol}:${contract}`))
  if (amount === 0n) return true
  if (what !== "rewards") return names("position_too_small") && worth <= DUST
  return names("forfeit_acknowledged") || (names("rewards_too_small") && (protocol !== "amm_1" || amount <= SPECK))
}

/** Holdings left in pools without a warning or above dust; positions that were forfeited by name may stay. */
export const poolsLeft = (
  { after, before, passphrase, scene: { pools, source } }: Between,
  warnings: ReadonlyArray<Warning>,
  forfeited: ReadonlyArray<string>
): ReadonlyArray<PoolHolding> => {
  const isRewards = ({ what }: PoolHolding): boolean => what === "rewards"
  // Claimable rewards are read while the account still exists.
  return [
    ...heldInPools(after, source, pools, passphrase).filter((one) => !isRewards(one)),
    ...heldInPools(before, source, pools, passphrase).filter(isRewards)
  ].filter((one) => !forfeited.some((id) => id.startsWith(`position:${one.protocol}:${one.contract}`)) && !isNamed(one, warnings))
}
