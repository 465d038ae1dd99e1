import { SEVEN } from "./PoolTraits.ts"

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

const DAY = 86_400n

export const BACKSTOP_V1: BackstopTraits = { version: 1, queueSeconds: 21n * DAY, mostQueued: 21, indexScale: SEVEN }

export const BACKSTOP_V2: BackstopTraits = { version: 2, queueSeconds: 17n * DAY, mostQueued: 20, indexScale: SEVEN * SEVEN }
