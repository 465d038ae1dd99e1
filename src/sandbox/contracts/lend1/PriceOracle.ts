import type { xdr } from "@stellar/stellar-sdk"
import { contractFunction, type ContractModel } from "../../../ledger/soroban/Contract.ts"
import {
  addressVal,
  asU32,
  asU64,
  i128,
  lookup,
  mapOf,
  struct,
  symbol,
  u128,
  u32,
  u64,
  variant,
  voidVal
} from "../../../ledger/soroban/Values.ts"

/** Hash of the oracle's code the pools were recorded with. */
export const priceOracleHash = "66c0b87b5eb481be594175d59e66ec9a9ac8945be0fec4e09f6c28bf7a1708be"

/** Key of the time of the newest prices, among the temporary entries; time 0: prices are always of now. */
export const priceTimeKey: xdr.ScVal = symbol("timestamp")

const assetsKey = symbol("assets")
const decimalsKey = symbol("decimals")

/** Key of a price, among the temporary entries. `time`: Unix seconds. */
export const priceKey = (index: number, time: bigint): xdr.ScVal => u128((time << 64n) | BigInt(index))

/** How oracles name a token. */
const pricedAsset = (token: xdr.ScAddress): xdr.ScVal => variant("Stellar", addressVal(token))

/** Instance storage of an oracle: assets have the indexes of their places. */
export const oracleStorage = (tokens: ReadonlyArray<xdr.ScAddress>, decimals: number): ReadonlyArray<readonly [xdr.ScVal, xdr.ScVal]> => [
  [assetsKey, mapOf(tokens.map((token, index) => [pricedAsset(token), u32(index)] as const))],
  [decimalsKey, u32(decimals)]
]

/**
 * An oracle of given prices (SEP-40), with the keys of the one the pools were recorded with; what its entries hold was
 * not recorded.
 */
export const priceOracle: ContractModel = {
  functions: {
    decimals: contractFunction([], (host) => host.instance.get(decimalsKey) ?? host.trap()),
    lastprice: contractFunction(["value"], (host, [asset]) => {
      const index = lookup(host.instance.get(assetsKey) ?? host.trap(), asset)
      const newest = host.temporary.get(priceTimeKey)
      if (index === undefined || newest === undefined) return voidVal
      const time = asU64(newest)
      const price = host.temporary.get(priceKey(asU32(index), time))
      return price === undefined ? voidVal : struct({ price, timestamp: u64(time === 0n ? host.ledger.timestamp : time) })
    })
  }
}

/** The value of a price entry, in the oracle's decimals. */
export const priceVal = (price: bigint): xdr.ScVal => i128(price)
