import { Duration, Effect } from "effect"
import type { ChainFailure } from "../chain/ChainFailure.ts"
import type { LatestLedger } from "../chain/contract-rpc/LatestLedger.ts"
import type { EndpointReport } from "../chain/Endpoints.ts"
import { attemptTimeout, backoff, concurrency, maxKeysPerCall } from "../chain/RpcPolicy.ts"
import type { AccountAddress } from "../domain/Address.ts"
import { showTime } from "../domain/Instant.ts"
import type { Network } from "../domain/Network.ts"
import { type DefiPositionsResult, positionIdOf } from "../domain/Position.ts"
import type { ProtocolName } from "../domain/ProtocolName.ts"
import type { KeysAhead, ProtocolReading, ProtocolRegistry, ReadAt } from "../protocols/ProtocolRegistry.ts"
import { keyText } from "../xdr/LedgerKeys.ts"
import type { ReadPurpose } from "./HistoryReading.ts"
import { withPrices } from "./TokenPrices.ts"

/** How the service reads, for callers who want to read the same. */
const rpcPolicy = {
  maxKeysPerCall,
  recommendedConcurrency: concurrency,
  backoffOn429Ms: backoff.map((wait) => Duration.toMillis(wait)),
  timeoutMs: Duration.toMillis(attemptTimeout)
}

/** What was read of the protocols, and as of when. */
export interface PositionsReading {
  readonly readings: ReadonlyArray<ProtocolReading>
  /** Close time of the ledger that accrual runs up to, Unix seconds; null when no protocol had to be read. */
  readonly closeTime: bigint | null
  /** The ledger it was read as of; left out when none had to be, or none was to be had. */
  readonly at?: ReadAt
}

/** Who closes an account may have entered a contract a moment ago that was opened a moment before: lists are no older than this then. */
const mostOldAtClose = Duration.seconds(30)

type PositionsPurpose = Parameters<ProtocolRegistry["Type"]["read"]>[2]

/** What positions of an account are read for; `leaving`: what else leaving them takes. */
export const purposeOf = (purpose: ReadPurpose, leaving?: KeysAhead): PositionsPurpose =>
  purpose === "show" ? undefined : { mostOld: mostOldAtClose, ...(leaving === undefined ? {} : { leaving }) }

/** Reads every protocol that has contracts on this network, as of the newest ledger; asks no one when none has. */
export const readPositions = (
  { all, read }: ProtocolRegistry["Type"],
  newest: Effect.Effect<LatestLedger, ChainFailure>,
  address: AccountAddress,
  purpose: PositionsPurpose
): Effect.Effect<PositionsReading> =>
  all.every(({ discovery, places }) => discovery === undefined && places.length === 0)
    ? Effect.succeed({ readings: [], closeTime: null })
    : newest.pipe(
      Effect.flatMap((at) =>
        Effect.map(
          read(at, address, purpose),
          (readings) => ({ readings, closeTime: at.closeTime, at })
        )
      ),
      Effect.catchAll((failure) =>
        Effect.succeed({ readings: all.map((protocol): ProtocolReading => ({ _tag: "Unread", protocol, failure })), closeTime: null })
      )
    )

export interface PositionsInput {
  readonly address: AccountAddress
  readonly network: Network
  readonly passphrase: string
  /** Protocols with addresses and no decoder. */
  readonly untracked: ReadonlyArray<ProtocolName>
  readonly reading: PositionsReading
  readonly endpoints: ReadonlyArray<EndpointReport>
  /** Close time of the ledger that was read, ISO 8601. */
  readonly readAt: string
}

/** A protocol that was read. */
export type KnownReading = Extract<ProtocolReading, { readonly _tag: "Read" }>

const known = ({ readings }: PositionsReading): ReadonlyArray<KnownReading> => readings.filter((one) => one._tag === "Read")

/** The `source` of the result. It is `empty` only where every protocol was queried and answered. */
const sourceOf = (listed: boolean, whole: boolean, untracked: PositionsInput["untracked"]): DefiPositionsResult["source"] => {
  if (listed) return "snapshot"
  if (whole) return "empty"
  return untracked.length > 0 ? "not-tracked" : "snapshot"
}

/**
 * Positions in every protocol. A protocol that could not be read leaves `timestamp` null, and `source` is then never `empty`: what is
 * listed is there, and what is not listed need not be absent.
 */
export const positions = ({ address, endpoints, network, passphrase, readAt, reading, untracked }: PositionsInput): DefiPositionsResult => {
  const readable = known(reading)
  const rows = readable.flatMap((one) =>
    one.positions.flatMap((position) => position.rows.map((row) => ({ ...row, positionId: positionIdOf(position) })))
  )
  const unrecognized = readable.flatMap((one) => one.unrecognized)
  const whole = untracked.length === 0 && readable.length === reading.readings.length
  const listed = rows.length > 0 || unrecognized.length > 0
  const asOf = reading.closeTime === null ? readAt : showTime(reading.closeTime)
  return {
    address,
    network,
    positions: rows,
    unrecognizedPositions: unrecognized.map(({ contract, protocol, rawType, reason }) => ({
      protocol,
      rawType,
      reason: `${contract}: ${reason}`
    })),
    enrichment: withPrices(Object.assign({}, ...readable.map(({ enrichment }) => enrichment)), readable, passphrase),
    source: sourceOf(listed, whole, untracked),
    timestamp: whole ? asOf : null,
    queryKeys: {
      rpcEndpoints: endpoints,
      rpcPolicy,
      slices: Object.fromEntries(
        readable.filter(({ keys }) => keys.length > 0).map(({ found, keys, protocol }) => [
          protocol.name,
          {
            ledgerKeys: keys.map(keyText),
            contracts: [...new Set([...protocol.contracts, ...(found?.contracts ?? [])])],
            ...(found === null ? {} : { contractsAsOf: showTime(found.at.closeTime) })
          }
        ])
      )
    }
  }
}
