import type { Registration } from "../../ledger/soroban/Contract.ts"
import { AMM_3_FACTORY_HASH, factory } from "./amm3/Factory.ts"
import { fiveArgumentPool, sixArgumentPool, stablePool } from "./amm3/Pool.ts"
import { AMM_3_STABLE_POOL_HASH, FIVE_ARGUMENT_POOL_HASH, SIX_ARGUMENT_POOL_HASH } from "./amm3/PoolTraits.ts"
import { historyStake, pointsStake } from "./amm3/StakeContract.ts"
import { HISTORY_STAKE_HASH, POINTS_STAKE_HASH } from "./amm3/StakeTraits.ts"
import { amm3ShareToken, AMM_3_SHARE_TOKEN_HASH, AMM_3_SIX_ARGUMENT_SHARE_TOKEN_HASH } from "./Amm3ShareToken.ts"
import { LIVE_CODE } from "./LiveCode.ts"

/** The contracts of amm_3, by the hashes of the code they stand in for. */
export const AMM_3_CONTRACTS: ReadonlyArray<Registration> = [
  { model: factory, wasmHashes: [AMM_3_FACTORY_HASH] },
  { model: fiveArgumentPool, wasmHashes: [FIVE_ARGUMENT_POOL_HASH] },
  { model: sixArgumentPool, wasmHashes: [SIX_ARGUMENT_POOL_HASH, LIVE_CODE.sixArgumentPool] },
  { model: stablePool, wasmHashes: [AMM_3_STABLE_POOL_HASH] },
  { model: historyStake, wasmHashes: [HISTORY_STAKE_HASH] },
  { model: pointsStake, wasmHashes: [POINTS_STAKE_HASH] },
  { model: amm3ShareToken, wasmHashes: [AMM_3_SHARE_TOKEN_HASH, AMM_3_SIX_ARGUMENT_SHARE_TOKEN_HASH] }
]

// What scenarios write with: the rest of the folder is the contracts' own business.
export { type Bonding, bondingVal, DISTRIBUTIONS, type Stake, STAKE_CONFIG, TOTAL_STAKED } from "./amm3/Bonding.ts"
export { AMM_3_FACTORY_HASH, POOL_LIST } from "./amm3/Factory.ts"
export { rewardHistoryKey, TOTAL_STAKED_HISTORY } from "./amm3/HistoryRewards.ts"
export { distributionKey } from "./amm3/PointRewards.ts"
export { POOL_CONFIG, RESERVE_A, RESERVE_B, TOTAL_SHARES } from "./amm3/PoolStore.ts"
export { AMM_3_STABLE_POOL_HASH, FIVE_ARGUMENT_POOL_HASH, SIX_ARGUMENT_POOL_HASH } from "./amm3/PoolTraits.ts"
export { HISTORY_STAKE_HASH, POINTS_STAKE_HASH } from "./amm3/StakeTraits.ts"
export { AMM_3_SHARE_TOKEN, AMM_3_SHARE_TOKEN_HASH, AMM_3_SIX_ARGUMENT_SHARE_TOKEN_HASH } from "./Amm3ShareToken.ts"
