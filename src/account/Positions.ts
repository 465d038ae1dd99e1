import { BigInt as Big, Duration, Effect, Option, Record } from "effect"
import type { ChainFailure } from "../chain/ChainFailure.ts"
import type { LatestLedger } from "../chain/contract-rpc/LatestLedger.ts"
import type { EndpointReport } from "../chain/Endpoints.ts"
import { attemptTimeout, backoff, concurrency, maxKeysPerCall } from "../chain/RpcPolicy.ts"
import type { AccountAddress, ContractAddress } from "../domain/Address.ts"
import { showAmount } from "../domain/Amount.ts"
import { native } from "../domain/Asset.ts"
import { type PlanBlocker, warning } from "../domain/Blocker.ts"
import { counted } from "../domain/CountedNoun.ts"
import { showTime } from "../domain/Instant.ts"
import type { Network } from "../domain/Network.ts"
import { type DefiPositionsResult, positionIdOf } from "../domain/Position.ts"
import type { ProtocolName } from "../domain/ProtocolName.ts"
import type { KeysAhead, PoolMarket, ProtocolReading, ProtocolRegistry, ReadAt } from "../protocols/ProtocolRegistry.ts"
import { assetContract } from "../stellar/AssetTokens.ts"
import { keyText } from "../xdr/LedgerKeys.ts"
import type { ReadPurpose } from "./HistoryReading.ts"

/**
 * Stroops that one unit of a token sells for, in the pool that pays least for it. Anyone can open a pool and give a share of it away. The least
 * price keeps one that a stranger set from looking like wealth. Null: no pool that was read buys it for lumens.
 */
const priceOf = (markets: ReadonlyArray<PoolMarket>, token: ContractAddress, unit: bigint, lumens: ContractAddress): bigint | null => {
  const offers = markets.flatMap(({ market, tokens }) => {
    if (token === lumens || !tokens.includes(token) || !tokens.includes(lumens)) return []
    // A pool may hold anything: one that cannot be computed with gives no price, and costs nothing else.
    const paid = Option.getOrNull(Option.liftThrowable(() => market.pays(token, lumens, unit))())
    return paid === null || paid <= 0n ? [] : [paid]
  })
  return offers.length === 0 ? null : offers.reduce((least, paid) => Big.min(least, paid))
}

/** The enrichment with a price for each token that a pool of the account's positions trades for lumens. */
export const withPrices = (
  enrichment: DefiPositionsResult["enrichment"],
  readings: ReadonlyArray<Extract<ProtocolReading, { readonly _tag: "Read" }>>,
  passphrase: string
): DefiPositionsResult["enrichment"] => {
  const markets = readings.flatMap((reading) => reading.markets?.() ?? [])
  if (markets.length === 0) return enrichment
  const lumens = assetContract(native, passphrase)
  return Record.map(enrichment, (facts, token) => {
    const price = facts.decimals === null ? null : priceOf(markets, token as ContractAddress, 10n ** BigInt(facts.decimals), lumens)
    return price === null ? facts : { ...facts, priceLumens: showAmount(price), priceSource: "pool" as const }
  })
}

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

type KnownReading = Extract<ProtocolReading, { readonly _tag: "Read" }>

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

/** Code that no list has: of factories and routers, whose lists are read by their shape, and of contracts known by what they declare. */
const codeWarnings = ({ found, positions: held }: KnownReading): ReadonlyArray<PlanBlocker> => [
  ...(found?.unlisted ?? []).map((contract) =>
    warning(
      "code_known_by_interface",
      `The code of ${contract} is not in this service's list. The contracts file names the contract, and its entries have the expected shape.`,
      contract
    )
  ),
  ...[...new Set(held.flatMap(({ knownByInterface = [] }) => knownByInterface))].map((contract) =>
    warning(
      "code_known_by_interface",
      `The code of ${contract} is not in this service's list. Its protocol names the contract as its own, and the contract declares every function and type that an exit uses.`,
      contract
    )
  )
]

/** What the list of a protocol's contracts may lack: positions in those are not looked for. */
const listWarnings = ({ found, protocol: { name } }: KnownReading): ReadonlyArray<PlanBlocker> => [
  ...(found === null || found.doubt === null
    ? []
    : [
      warning(
        "lists_have_gap",
        `Contracts of ${name} that no list names may have been deployed in ledgers ${found.doubt.gap.fromLedger} to ${found.doubt.gap.toLedger}. A position in one of them is not shown.`,
        name
      )
    ]),
  ...(found?.doubts ?? []).map((doubt) =>
    warning(
      "source_failed",
      `The list of contracts of ${name} may be incomplete, so a position may be missing: ${doubt}.`,
      name
    )
  ),
  ...(found === null || found.dropped === 0
    ? []
    : [
      warning(
        "candidates_dropped",
        `Not read, because there are too many: ${counted(found.dropped, "contract")} of ${name}. A position may be missing.`,
        name
      )
    ])
]

/** Warnings of a protocol that was not read, or not wholly. */
export const positionWarnings = (untracked: ReadonlyArray<ProtocolName>, { readings }: PositionsReading): ReadonlyArray<PlanBlocker> => [
  ...untracked.map((name) =>
    warning("protocol_not_read", `Positions in ${name} cannot be read by this service, so a position may be missing.`, name)
  ),
  ...readings.flatMap((one) => {
    switch (one._tag) {
      case "Read":
        return [...listWarnings(one), ...codeWarnings(one)]
      case "Unread":
        return [
          warning(
            "source_failed",
            `Positions in ${one.protocol.name} were not read, so something held may be missing. Read again shortly.`,
            one.protocol.name
          )
        ]
      case "Broken":
        return [
          warning(
            "source_failed",
            `Positions in ${one.protocol.name} could not be decoded, so a position may be missing: ${one.reason}.`,
            one.protocol.name
          )
        ]
    }
  })
]
