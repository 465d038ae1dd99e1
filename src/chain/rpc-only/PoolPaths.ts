import type { xdr } from "@stellar/stellar-sdk"
import { Effect, Option } from "effect"
import { type Stroops, stroops } from "../../domain/Amount.ts"
import type { AssetId } from "../../domain/Asset.ts"
import { assetIdOf, pairPoolId } from "../../stellar/Assets.ts"
import { poolKey } from "../../xdr/LedgerKeys.ts"
import type { ChainFailure } from "../ChainFailure.ts"
import type { PathRecord } from "../ledger-api/PathRecord.ts"
import type { LedgerEntries } from "../LedgerEntries.ts"

/** The fee of every pool of the ledger takes 30 of 10,000. */
const [whole, afterFee] = [10_000n, 9_970n] as const

/** What a pool holds of the asset that comes in, and of the one that goes out. */
interface Reserves {
  readonly incoming: bigint
  readonly outgoing: bigint
}

const reservesIn = (entry: xdr.LedgerEntry | null, source: AssetId): Reserves | null => {
  if (entry?.data.type !== "liquidityPool") return null
  const { params: { assetA }, reserveA, reserveB } = entry.data.liquidityPool.body.constantProduct
  return assetIdOf(assetA) === source ? { incoming: reserveA, outgoing: reserveB } : { incoming: reserveB, outgoing: reserveA }
}

/** What a pool pays for an amount, rounded down; none where it pays nothing. */
const payout = ({ incoming, outgoing }: Reserves, sent: bigint): bigint =>
  incoming <= 0n || outgoing <= 0n ? 0n : (afterFee * outgoing * sent) / (whole * incoming + afterFee * sent)

/** What a pool asks for an amount, rounded up; none where it has not that much. */
const charge = ({ incoming, outgoing }: Reserves, received: bigint): bigint | null => {
  if (incoming <= 0n || received >= outgoing) return null
  const divisor = (outgoing - received) * afterFee
  return (whole * incoming * received + divisor - 1n) / divisor
}

/** The ledger's own pools of pairs, in their order; null where there is none. */
const poolsOf = (entries: LedgerEntries["Type"], sources: ReadonlyArray<AssetId>, destination: AssetId) =>
  Effect.map(entries.answers(sources.map((source) => poolKey(pairPoolId(source, destination)))), (answers) =>
    sources.map((source, at) => {
      const live = answers[at] === undefined ? null : Option.getOrNull(answers[at].live)
      const reserves = reservesIn(live?.entry ?? null, source)
      return { source, pool: reserves === null ? null : { reserves, latestLedger: answers[at]?.latestLedger ?? 0 } }
    }))

type Paths = Effect.Effect<ReadonlyArray<PathRecord>, ChainFailure>

/** The way through the pool of a pair that sends an amount (`getLedgerEntries`). Empty where that pool pays nothing; books may still pay. */
export const poolSendPaths = (entries: LedgerEntries["Type"]) => (source: AssetId, amount: Stroops, destination: AssetId): Paths =>
  Effect.map(poolsOf(entries, [source], destination), ([only]) => {
    const pool = only?.pool ?? null
    const received = pool === null ? 0n : payout(pool.reserves, amount)
    return pool === null || received <= 0n
      ? []
      : [{ source, sourceAmount: amount, destinationAmount: stroops(received), path: [], latestLedger: pool.latestLedger }]
  })

/** The same of ways that receive an amount, from each of some assets, in the order of the assets. One call reads all pools. */
export const poolReceivePaths =
  (entries: LedgerEntries["Type"]) => (sources: ReadonlyArray<AssetId>, destination: AssetId, amount: Stroops): Paths =>
    Effect.map(poolsOf(entries, sources, destination), (found) =>
      found.flatMap(({ pool, source }) => {
        const sent = pool === null ? null : charge(pool.reserves, amount)
        return pool === null || sent === null
          ? []
          : [{ source, sourceAmount: stroops(sent), destinationAmount: amount, path: [], latestLedger: pool.latestLedger }]
      }))
