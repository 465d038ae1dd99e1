import type { xdr } from "@stellar/stellar-sdk"
import { Effect, Option } from "effect"
import type { ChainFailure } from "../../chain/ChainFailure.ts"
import type { LedgerEntries } from "../../chain/LedgerEntries.ts"
import { sameAsset } from "../../ledger/Asset.ts"
import { poolPayout } from "../../ledger/exchange/Pool.ts"
import { assetOf, pairPoolId } from "../../stellar/Assets.ts"
import { poolKey } from "../../xdr/LedgerKeys.ts"
import type { Hop } from "../situation/Routes.ts"

/** What the ledger's own pool of a hop pays for an amount; null: there is none, or it pays nothing. */
const paidBy = (entry: xdr.LedgerEntry | null, { from }: Hop, amount: bigint): bigint | null => {
  if (entry?.data.type !== "liquidityPool") return null
  const { params, reserveA, reserveB } = entry.data.liquidityPool.body.constantProduct
  const isFirst = sameAsset(params.assetA, assetOf(from))
  return (isFirst ? poolPayout(reserveA, reserveB, amount) : poolPayout(reserveB, reserveA, amount)) ?? null
}

/** What liquidity pools of the ledger pay along some hops, without any book; null where none that can be read leads there. */
export const paidByPools = (
  entries: LedgerEntries["Type"],
  hops: ReadonlyArray<Hop>,
  amount: bigint
): Effect.Effect<bigint | null, ChainFailure> =>
  Effect.map(
    entries.many(hops.map(({ from, to }) => poolKey(pairPoolId(from, to)))),
    (found) =>
      hops.reduce<bigint | null>(
        (held, hop, at) => held === null ? null : paidBy(Option.getOrNull(found[at] ?? Option.none())?.entry ?? null, hop, held),
        amount
      )
  )
