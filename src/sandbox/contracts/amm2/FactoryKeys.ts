import type { xdr } from "@stellar/stellar-sdk"
import { addressVal, u32, variant, vec } from "../../../ledger/soroban/Values.ts"
import type { SortedTokens } from "./SortedTokens.ts"

/** What the instance of the factory keeps. */
export const factoryInstanceKeys = {
  feeTo: variant("FeeTo"),
  feeToSetter: variant("FeeToSetter"),
  feesEnabled: variant("FeesEnabled"),
  totalPairs: variant("TotalPairs")
} as const

/** Hash of the code that pairs to come will run: an entry of its own. */
export const pairCodeKey: xdr.ScVal = variant("PairWasmHash")

/** `index`: from 0, in the order in which pairs were made. */
export const pairByIndexKey = (index: number): xdr.ScVal => variant("PairAddressesNIndexed", u32(index))

export const pairByTokensKey = (tokens: SortedTokens): xdr.ScVal => variant("PairAddressesByTokens", vec(...tokens.map(addressVal)))
