import type { Registration } from "../../ledger/soroban/Contract.ts"
import { boostFeed, boostFeedHash } from "./amm1/BoostFeed.ts"
import { concentratedPool, concentratedPoolHash } from "./amm1/ConcentratedPool.ts"
import { constantProductPool, constantProductPoolHash } from "./amm1/ConstantProductPool.ts"
import { gauge, gaugeHash } from "./amm1/Gauge.ts"
import { plane, planeHash } from "./amm1/Plane.ts"
import { router, routerHash } from "./amm1/Router.ts"
import { stablePool, stablePoolHash } from "./amm1/StablePool.ts"
import { amm1ShareToken, amm1ShareTokenHash } from "./Amm1ShareToken.ts"
import { liveCode } from "./LiveCode.ts"

/** The contracts of amm_1, by the hashes of the code they stand in for. */
export const amm1Contracts: ReadonlyArray<Registration> = [
  { model: router, wasmHashes: [routerHash] },
  { model: constantProductPool, wasmHashes: [constantProductPoolHash, liveCode.constantProductPool] },
  { model: stablePool, wasmHashes: [stablePoolHash, liveCode.stablePool] },
  { model: concentratedPool, wasmHashes: [concentratedPoolHash, liveCode.concentratedPool] },
  { model: gauge, wasmHashes: [gaugeHash] },
  { model: plane, wasmHashes: [planeHash] },
  { model: boostFeed, wasmHashes: [boostFeedHash] },
  { model: amm1ShareToken, wasmHashes: [amm1ShareTokenHash] }
]

// What scenarios write with: the rest of the folder is the contracts' own business.
export { boostFeedHash } from "./amm1/BoostFeed.ts"
export { concentratedPoolHash } from "./amm1/ConcentratedPool.ts"
export { constantProductPoolHash } from "./amm1/ConstantProductPool.ts"
export { gaugeConfigVal, gaugeHash, gaugeKeys } from "./amm1/Gauge.ts"
export { planeHash } from "./amm1/Plane.ts"
export { concentratedKeys, constantProductKeys, poolKeys, sharePoolKeys, stableKeys } from "./amm1/PoolKeys.ts"
export { rewardConfigVal, rewardDataVal } from "./amm1/PoolRewards.ts"
export { rewardKeys } from "./amm1/RewardKeys.ts"
export { poolEntry, poolsKey, routerHash, setCountKey, tokensSalt, tokensSetKey } from "./amm1/Router.ts"
export { sqrtPriceAt } from "./amm1/SqrtPrice.ts"
export { stablePoolHash } from "./amm1/StablePool.ts"
export { amm1ShareTokenHash, amm1ShareTokenTraits } from "./Amm1ShareToken.ts"
