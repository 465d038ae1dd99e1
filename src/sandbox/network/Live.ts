import type { Deferred } from "effect"
import { maxLag } from "../faults/LimitedServer.ts"
import type { Chain } from "./Chain.ts"
import { afterLedger } from "./Queue.ts"

/** A network as it goes on: what it is now, what it lately was, and its clock. */
export interface Live {
  readonly chain: Chain
  /** Earlier versions, newest first. */
  readonly past: ReadonlyArray<Chain>
  /** Seconds the network's clock is ahead of the process's. */
  readonly ahead: bigint
  /** Completed when the next ledger closes. */
  readonly next: Deferred.Deferred<void>
}

/** A ledger that cannot be closed must not stop the network for good: what was pending is given up. */
export const withoutPending = (live: Live): Live => {
  const { queue, state } = live.chain
  const given = { dropped: queue.pending, passedOver: [] }
  return { ...live, chain: { ...live.chain, queue: afterLedger(queue, state.header.ledgerSeq, given) } }
}

/** One ledger further. */
export const grown = (live: Live, chain: Chain, next: Live["next"], ahead = live.ahead): Live => ({
  chain,
  past: [live.chain, ...live.past].slice(0, maxLag),
  ahead,
  next
})
