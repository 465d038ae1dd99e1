import type { xdr } from "@stellar/stellar-sdk"
import { contractFunction, type ContractModel } from "../../../ledger/soroban/Contract.ts"
import { asU64, field, i128, struct, u64, variant, voidVal } from "../../../ledger/soroban/Values.ts"
import type { Durability } from "../../../xdr/LedgerKeys.ts"

/** The oracle beside the recorded vaults contract. */
export const priceOracleHash = "ebac5ad4aef321d8452e30a19f1b5c3dea3acda86975fb5f01b71ac7f23820b5"

const stampKey = (asset: xdr.ScVal): xdr.ScVal => variant("AssetLastStamp", asset)

const recordKey = (asset: xdr.ScVal, timestamp: xdr.ScVal): xdr.ScVal => variant("AssetRecord", struct({ asset, timestamp }))

/** Storage of one price (scale 10^7) of an asset at a time (Unix seconds), the newest. */
export const priceStorage = (
  asset: xdr.ScVal,
  price: bigint,
  timestamp: bigint
): ReadonlyArray<readonly [key: xdr.ScVal, value: xdr.ScVal, durability: Durability]> => [
  [stampKey(asset), u64(timestamp), "temporary"],
  [recordKey(asset, u64(timestamp)), struct({ next: voidVal, price: i128(price), timestamp: u64(timestamp) }), "temporary"]
]

/** Prices of collateral that others write: only the newest can be requested, and no one's quota is counted. */
export const priceOracle: ContractModel = {
  functions: {
    lastprice: contractFunction(["address", "value"], (host, [_caller, asset]) => {
      const stamp = host.temporary.get(stampKey(asset))
      if (stamp === undefined) return voidVal
      const record = host.temporary.get(recordKey(asset, u64(asU64(stamp))))
      return record === undefined ? voidVal : struct({ price: field(record, "price"), timestamp: field(record, "timestamp") })
    })
  }
}
