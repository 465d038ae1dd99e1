import type { FixedPoint } from "./FixedPoint.ts"
import { narrow, wide } from "./FixedPoint.ts"

/** What tells the two versions of a pool apart in its numbers. */
export interface PoolTraits {
  readonly version: 1 | 2
  readonly fixed: FixedPoint
  /** Scale of the rates between shares and the asset. */
  readonly rateScale: bigint
  /** Scale of the modifier of the interest rate. */
  readonly modifierScale: bigint
  /** Scale of emission indexes beyond that of the asset. */
  readonly indexScale: bigint
}

export const sevenDecimals = 10_000_000n

export const poolV1Traits: PoolTraits = {
  version: 1,
  fixed: narrow,
  rateScale: 1_000_000_000n,
  modifierScale: 1_000_000_000n,
  indexScale: 1n
}

export const poolV2Traits: PoolTraits = {
  version: 2,
  fixed: wide,
  rateScale: 1_000_000_000_000n,
  modifierScale: sevenDecimals,
  indexScale: sevenDecimals
}
