import { sevenDecimals } from "./PoolTraits.ts"

/** What tells the two versions of a backstop apart. */
export interface BackstopTraits {
  readonly version: 1 | 2
  /** Seconds shares wait after they are queued. */
  readonly queueSeconds: bigint
  /** Withdrawals one user may have queued for one pool. */
  readonly mostQueued: number
  /** Scale of emission indexes. */
  readonly indexScale: bigint
}

const daySeconds = 86_400n

export const backstopV1Traits: BackstopTraits = { version: 1, queueSeconds: 21n * daySeconds, mostQueued: 21, indexScale: sevenDecimals }

export const backstopV2Traits: BackstopTraits = {
  version: 2,
  queueSeconds: 17n * daySeconds,
  mostQueued: 20,
  indexScale: sevenDecimals * sevenDecimals
}
