import type { xdr } from "@stellar/stellar-sdk"
import type { PoolShareEntry } from "../domain/Account.ts"
import { poolShareTrustlineOf } from "../stellar/Assets.ts"
import { poolIdOf } from "../stellar/Names.ts"
import { poolKey, trustlineKey } from "../xdr/LedgerKeys.ts"
import type { Listing } from "./Listing.ts"

/** The line of each share, and the pool itself: a withdrawal depends on its reserves. */
export const poolShareKeys = ({ account, address }: Listing): ReadonlyArray<xdr.LedgerKey> =>
  (account?.poolShares ?? []).flatMap(({ poolId }) => [trustlineKey(address, poolShareTrustlineOf(poolId)), poolKey(poolId)])

/** Lines to pool shares, empty ones too: they count as two sub-entries. */
export const poolShares = (entries: ReadonlyArray<xdr.LedgerEntry>): ReadonlyArray<PoolShareEntry> =>
  entries.flatMap(({ data }) =>
    data.type === "trustline" && data.trustLine.asset.type === "assetTypePoolShare"
      ? [{ poolId: poolIdOf(data.trustLine.asset.liquidityPoolId) }]
      : []
  )
