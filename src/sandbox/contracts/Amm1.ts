import type { Registration } from "../../ledger/soroban/Contract.ts"
import { BOOST_FEED_HASH, boostFeed } from "./amm1/BoostFeed.ts"
import { CONCENTRATED_POOL_HASH, concentratedPool } from "./amm1/ConcentratedPool.ts"
import { CONSTANT_PRODUCT_POOL_HASH, constantProductPool } from "./amm1/ConstantProductPool.ts"
import { gauge, GAUGE_HASH } from "./amm1/Gauge.ts"
import { plane, PLANE_HASH } from "./amm1/Plane.ts"
import { router, ROUTER_HASH } from "./amm1/Router.ts"
import { STABLE_POOL_HASH, stablePool } from "./amm1/StablePool.ts"
import { amm1ShareToken, AMM_1_SHARE_TOKEN_HASH } from "./Amm1ShareToken.ts"

/** The contracts of amm_1, by the hashes of the code they stand in for. */
export const AMM_1_CONTRACTS: ReadonlyArray<Registration> = [
  { model: router, wasmHashes: [ROUTER_HASH] },
  { model: constantProductPool, wasmHashes: [CONSTANT_PRODUCT_POOL_HASH] },
  { model: stablePool, wasmHashes: [STABLE_POOL_HASH] },
  { model: concentratedPool, wasmHashes: [CONCENTRATED_POOL_HASH] },
  { model: gauge, wasmHashes: [GAUGE_HASH] },
  { model: plane, wasmHashes: [PLANE_HASH] },
  { model: boostFeed, wasmHashes: [BOOST_FEED_HASH] },
  { model: amm1ShareToken, wasmHashes: [AMM_1_SHARE_TOKEN_HASH] }
]
