import { Address, type xdr } from "@stellar/stellar-sdk"
import { type AccountAddress, ContractAddress } from "../../domain/Address.ts"
import { contractDataKey } from "../../stellar/ContractKeys.ts"
import { contract, u32, variant, vec } from "../../stellar/ScValCodec.ts"
import { xdrBase64 } from "../../xdr/XdrBytes.ts"
import { balanceOf } from "../kit/HeldBalance.ts"

// Of the factory (instance, and an entry for each pair), of the router (instance), and of pairs and tokens.

export const totalPairs = variant("TotalPairs")
export const feesEnabled = variant("FeesEnabled")
export const feeTo = variant("FeeTo")
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

/** Of a pair, too, which is a token of the common family. */
export { balanceOf as balance } from "../kit/HeldBalance.ts"

/** Shares of an account in a pair. */
export const sharesKey = (pair: ContractAddress, user: AccountAddress): xdr.LedgerKey => contractDataKey(pair, balanceOf(user))

/** The pair of two tokens, in the order in which the pair has them. */
export const pairOf = (tokens: readonly [ContractAddress, ContractAddress]): xdr.ScVal =>
  variant("PairAddressesByTokens", vec(contract).encode(tokens))

/** Contracts of which some keys name a balance of the account: pairs, or any other token. */
export const sharesNamed = (keys: ReadonlyArray<xdr.LedgerKey>, user: AccountAddress): ReadonlyArray<ContractAddress> => {
  const own = xdrBase64(balanceOf(user))
  return [
    ...new Set(keys.flatMap((key) =>
      key.type === "contractData" && key.contractData.contract.type === "scAddressTypeContract" &&
        xdrBase64(key.contractData.key) === own
        ? [ContractAddress.make(Address.fromScAddress(key.contractData.contract).toString())]
        : []
    ))
  ]
}
