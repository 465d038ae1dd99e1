import type { AccountAddress, ContractAddress } from "../../domain/Address.ts"
import { underHolder } from "../../stellar/ContractKeys.ts"
import { account, contract, struct, symbol, u32, variant } from "../../stellar/ScValCodec.ts"

// Storage keys. Contracts of amm_3 number theirs, and file a stake under the bare address of its owner.

/** Of the factory: every pool it made. */
export const poolList = u32.encode(2)

/** Of pools and stakes: their settings. */
export const settings = symbol.encode("CONFIG")

/** Of a pool that pays for shares of another token than its own: that token. */
export const oldShares = symbol.encode("OLDLP")

export const totalShares = u32.encode(0)
export const reserves = [u32.encode(1), u32.encode(2)] as const

/** Of a share token. */
export const shareBalance = underHolder((user: AccountAddress) => variant("Balance", account.encode(user)))

/** Of a stake: what someone has bonded. */
export const bonding = underHolder((user: AccountAddress) => account.encode(user))

/** Of a stake: the tokens it pays. */
export const rewardTokens = u32.encode(2)

export const totalStakedHistory = variant("TotalStakedHistory")
export const rewardHistory = (token: ContractAddress) => variant("RewardHistory", contract.encode(token))

const adjusted = struct({ asset: contract, user: account })

export const distribution = (token: ContractAddress) => variant("Distribution", contract.encode(token))
export const adjustment = (asset: ContractAddress, user: AccountAddress) => variant("WithdrawAdjustment", adjusted.encode({ asset, user }))
