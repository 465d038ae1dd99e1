import type { Registration } from "../../ledger/soroban/Contract.ts"
import { BOOST_FEED_HASH, boostFeed } from "./amm1/BoostFeed.ts"
import { CONCENTRATED_POOL_HASH, concentratedPool } from "./amm1/ConcentratedPool.ts"
import { CONSTANT_PRODUCT_POOL_HASH, constantProductPool } from "./amm1/ConstantProductPool.ts"
import { gauge, GAUGE_HASH } from "./amm1/Gauge.ts"
import { plane, PLANE_HASH } from "./amm1/Plane.ts"
import { router, ROUTER_HASH } from "./amm1/Router.ts"
import { STABLE_POOL_HASH, stablePool } from "./amm1/StablePool.ts"
import { amm1ShareToken, AMM_1_SHARE_TOKEN_HASH } from "./Amm1ShareToken.ts"
import { LIVE_CODE } from "./LiveCode.ts"

/** The contracts of amm_1, by the hashes of the code they stand in for. */
export const AMM_1_CONTRACTS: ReadonlyArray<Registration> = [
  { model: router, wasmHashes: [ROUTER_HASH] },
  { model: constantProductPool, wasmHashes: [CONSTANT_PRODUCT_POOL_HASH, LIVE_CODE.constantProductPool] },
  { model: stablePool, wasmHashes: [STABLE_POOL_HASH, LIVE_CODE.stablePool] },
  { model: concentratedPool, wasmHashes: [CONCENTRATED_POOL_HASH, LIVE_CODE.concentratedPool] },
  { model: gauge, wasmHashes: [GAUGE_HASH] },
  { model: plane, wasmHashes: [PLANE_HASH] },
  { model: boostFeed, wasmHashes: [BOOST_FEED_HASH] },
  { model: amm1ShareToken, wasmHashes: [AMM_1_SHARE_TOKEN_HASH] }
]

// What scenarios write with: the rest of the folder is the contracts' own business.
export { BOOST_FEED_HASH } from "./amm1/BoostFeed.ts"
export { CONCENTRATED_POOL_HASH } from "./amm1/ConcentratedPool.ts"
export { CONSTANT_PRODUCT_POOL_HASH } from "./amm1/ConstantProductPool.ts"
export { GAUGE, GAUGE_HASH, gaugeConfigVal } from "./amm1/Gauge.ts"
export { PLANE_HASH } from "./amm1/Plane.ts"
export { CONCENTRATED, CONSTANT_PRODUCT, POOL, SHARE_POOL, STABLE } from "./amm1/PoolKeys.ts"
export { rewardConfigVal, rewardDataVal } from "./amm1/PoolRewards.ts"
export { REWARDS } from "./amm1/RewardKeys.ts"
export { poolEntry, poolsKey, ROUTER_HASH, SETS, tokensSalt, tokensSetKey } from "./amm1/Router.ts"
export { sqrtPriceAt } from "./amm1/SqrtPrice.ts"
export { STABLE_POOL_HASH } from "./amm1/StablePool.ts"
export { AMM_1_SHARE_TOKEN, AMM_1_SHARE_TOKEN_HASH } from "./Amm1ShareToken.ts"
