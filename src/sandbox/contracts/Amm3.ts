import type { Registration } from "../../ledger/soroban/Contract.ts"
import { amm3FactoryHash, factory } from "./amm3/Factory.ts"
import { fiveArgumentPool, sixArgumentPool, stablePool } from "./amm3/Pool.ts"
import { amm3StablePoolHash, fiveArgumentPoolHash, sixArgumentPoolHash } from "./amm3/PoolTraits.ts"
import { historyStake, pointsStake } from "./amm3/StakeContract.ts"
import { historyStakeHash, pointsStakeHash } from "./amm3/StakeTraits.ts"
import { amm3ShareToken, amm3ShareTokenHash, amm3SixArgumentShareTokenHash } from "./Amm3ShareToken.ts"
import { liveCode } from "./LiveCode.ts"

/** The contracts of amm_3, by the hashes of the code they stand in for. */
export const amm3Contracts: ReadonlyArray<Registration> = [
  { model: factory, wasmHashes: [amm3FactoryHash] },
  { model: fiveArgumentPool, wasmHashes: [fiveArgumentPoolHash] },
  { model: sixArgumentPool, wasmHashes: [sixArgumentPoolHash, liveCode.sixArgumentPool] },
  { model: stablePool, wasmHashes: [amm3StablePoolHash] },
  { model: historyStake, wasmHashes: [historyStakeHash] },
  { model: pointsStake, wasmHashes: [pointsStakeHash] },
  { model: amm3ShareToken, wasmHashes: [amm3ShareTokenHash, amm3SixArgumentShareTokenHash] }
]

// What scenarios write with: the rest of the folder is the contracts' own business.
export { type Bonding, bondingVal, distributionsKey, type Stake, stakeConfigKey, totalStakedKey } from "./amm3/Bonding.ts"
export { amm3FactoryHash, poolListKey } from "./amm3/Factory.ts"
export { rewardHistoryKey, totalStakedHistoryKey } from "./amm3/HistoryRewards.ts"
export { distributionKey } from "./amm3/PointRewards.ts"
export { poolConfigKey, reserveAKey, reserveBKey, totalSharesKey } from "./amm3/PoolStore.ts"
export { amm3StablePoolHash, fiveArgumentPoolHash, sixArgumentPoolHash } from "./amm3/PoolTraits.ts"
export { historyStakeHash, pointsStakeHash } from "./amm3/StakeTraits.ts"
export { amm3ShareTokenHash, amm3ShareTokenTraits, amm3SixArgumentShareTokenHash } from "./Amm3ShareToken.ts"
