import type { xdr } from "@stellar/stellar-sdk"
import type { AccountAddress, ContractAddress } from "../../domain/Address.ts"
import { contractDataKey } from "../../stellar/ContractKeys.ts"
import { address, u32, variant } from "../../stellar/ScValCodec.ts"

// Of the factory (instance, and an entry for each pair), of the router (instance), and of pairs and tokens.

export const totalPairs = variant("TotalPairs")
export const feesEnabled = variant("FeesEnabled")
/** `index`: from 0, in the order in which pairs were made. Nothing ever changes one. */
export const pairAt = (index: number): xdr.ScVal => variant("PairAddressesNIndexed", u32.encode(index))

export const routerFactory = variant("Factory")

/** What the instance of a pair keeps stands under bare numbers. */
export const inPair = {
  token0: u32.encode(0),
  token1: u32.encode(1),
  reserve0: u32.encode(2),
  reserve1: u32.encode(3),
  factory: u32.encode(4),
  lastProduct: u32.encode(5),
  totalSupply: variant("TotalSupply")
} as const

/** Of a pair, of the contract of an asset, and of tokens of the common family. */
export const balance = (holder: AccountAddress | ContractAddress): xdr.ScVal => variant("Balance", address.encode(holder))

/** Shares of an account in a pair. */
export const sharesKey = (pair: ContractAddress, user: AccountAddress): xdr.LedgerKey => contractDataKey(pair, balance(user))
