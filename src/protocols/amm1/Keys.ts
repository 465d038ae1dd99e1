import { hash, xdr } from "@stellar/stellar-sdk"
import type { AccountAddress, ContractAddress } from "../../domain/Address.ts"
import { contractDataKey, underHolder } from "../../stellar/ContractKeys.ts"
import { account, contract, i32, u128, variant } from "../../stellar/ScValCodec.ts"
import { xdrBytes } from "../../xdr/XdrBytes.ts"

// Storage keys of the router, of pools and of what they keep for one user (DataKey of each contract).

export const setCount = variant("TokensSetCounter")
export const tokensSet = (index: bigint): xdr.ScVal => variant("TokensSet", u128.encode(index))

/** Pools of a set of tokens are kept under the hash of the tokens in their order. */
export const setPools = (tokens: ReadonlyArray<ContractAddress>): xdr.ScVal =>
  variant("TokensSetPools", xdr.ScVal.scvBytes(hash(Buffer.concat(tokens.map((token) => xdrBytes(contract.encode(token)))))))

export const shareBalance = underHolder((user: AccountAddress) => variant("Balance", account.encode(user)))

/** Of a concentrated pool: in which ranges the user has liquidity. */
export const userRanges = underHolder((user: AccountAddress) => variant("User", account.encode(user)))
export const position = (user: AccountAddress, { lower, upper }: { readonly lower: number; readonly upper: number }): xdr.ScVal =>
  variant("Position", account.encode(user), i32.encode(lower), i32.encode(upper))
/** Which chunks have used ticks, 256 to a map; and which of those maps are not empty. */
export const tickMap = (of: "ChunkBitmap" | "WordBitmap", word: number): xdr.ScVal => variant(of, i32.encode(word))
export const tickChunk = (chunk: number): xdr.ScVal => variant("TickChunk", i32.encode(chunk))

/** What of the user's shares counts for rewards. */
export const workingBalance = (user: AccountAddress): xdr.ScVal => variant("WorkingBalance", account.encode(user))

/** What a pool, or a gauge, noted that it owes the user. */
export const userReward = (user: AccountAddress): xdr.ScVal => variant("UserRewardData", account.encode(user))

/** The user's shares of a pool, in the token of its shares. */
export const balanceKey = (shareToken: ContractAddress, user: AccountAddress): xdr.LedgerKey =>
  contractDataKey(shareToken, shareBalance(user))

/** What the instance of a pool keeps. */
export const Instance = {
  tokenA: variant("TokenA"),
  tokenB: variant("TokenB"),
  reserveA: variant("ReserveA"),
  reserveB: variant("ReserveB"),
  tokens: variant("Tokens"),
  reserves: variant("Reserves"),
  share: variant("TokenShare"),
  totalShares: variant("TotalShares"),
  token0: variant("Token0"),
  token1: variant("Token1"),
  tickSpacing: variant("TickSpacing"),
  slot0: variant("Slot0"),
  growth0: variant("FeeGrowthGlobal0X128"),
  growth1: variant("FeeGrowthGlobal1X128"),
  rewardToken: variant("RewardToken"),
  rewardConfig: variant("PoolRewardConfig"),
  rewardData: variant("PoolRewardData"),
  workingSupply: variant("WorkingSupply"),
  gauges: variant("RewardGaugesMap"),
  gaugesKilled: variant("IsKilledGaugesClaim"),
  /** Of pools whose shares are tokens. */
  claimKilled: variant("IsKilledClaim"),
  swapKilled: variant("IsKilledSwap"),
  protocolFeeA: variant("ProtocolFeeA"),
  protocolFeeB: variant("ProtocolFeeB"),
  protocolFees: variant("ProtocolFees"),
  protocolFraction: variant("ProtocolFeeFraction"),
  productFee: variant("FeeFraction"),
  stableFee: variant("Fee"),
  decimals: variant("Decimals"),
  initialA: variant("InitialA"),
  initialATime: variant("InitialATime"),
  futureA: variant("FutureA"),
  futureATime: variant("FutureATime"),
  /** Of concentrated pools. */
  reserve0: variant("Reserve0"),
  reserve1: variant("Reserve1"),
  liquidity: variant("Liquidity"),
  rawLiquidity: variant("TotalRawLiquidity"),
  lowestTick: variant("MinInitTick"),
  highestTick: variant("MaxInitTick"),
  rangesClaimKilled: variant("ClaimKilled")
} as const
