import type { EndpointReport } from "../chain/Endpoints.ts"
import { backoff, attemptTimeout, concurrency, maxKeysPerCall } from "../chain/RpcPolicy.ts"
import type { AccountAddress } from "../domain/Address.ts"
import { warning } from "../domain/Blocker.ts"
import type { PlanBlocker } from "../domain/Blocker.ts"
import type { Network } from "../domain/Network.ts"
import type { DefiPositionsResult, ProtocolName } from "../domain/Position.ts"
import { Duration } from "effect"

/** How the service reads, for callers who want to read the same. */
const rpcPolicy = {
  maxKeysPerCall,
  recommendedConcurrency: concurrency,
  backoffOn429Ms: backoff.map((wait) => Duration.toMillis(wait)),
  timeoutMs: Duration.toMillis(attemptTimeout)
}

export interface PositionsInput {
  readonly address: AccountAddress
  readonly network: Network
  /** Protocols with addresses and no decoder. */
  readonly untracked: ReadonlyArray<ProtocolName>
  readonly endpoints: ReadonlyArray<EndpointReport>
  /** Close time of the ledger that was read, ISO 8601. */
  readonly readAt: string
}

/** Positions while no protocol has a decoder: nothing held where no protocol is, and unknown where one is. */
export const positions = ({ address, endpoints, network, readAt, untracked }: PositionsInput): DefiPositionsResult => ({
  address,
  network,
  positions: [],
  unrecognizedPositions: [],
  enrichment: {},
  source: untracked.length === 0 ? "empty" : "not-tracked",
  timestamp: untracked.length === 0 ? readAt : null,
  queryKeys: { rpcEndpoints: endpoints, rpcPolicy, slices: {} }
})

/** One warning a protocol that cannot be read. */
export const positionWarnings = (untracked: ReadonlyArray<ProtocolName>): ReadonlyArray<PlanBlocker> =>
  untracked.map((name) => warning("source_failed", `Positions in ${name} cannot be read here, so something may be held there.`, name))
