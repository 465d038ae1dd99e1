import type { Registration } from "../../ledger/soroban/Contract.ts"
import { BACKSTOP_V1_HASH, BACKSTOP_V2_HASH, backstopV1, backstopV2 } from "./lend1/Backstop.ts"
import { comet, COMET_HASH } from "./lend1/Comet.ts"
import { POOL_V1_HASH, POOL_V2_HASH, poolV1, poolV2 } from "./lend1/LendingPool.ts"
import { POOL_FACTORY_V2_HASH, poolFactory } from "./lend1/PoolFactory.ts"
import { PRICE_ORACLE_HASH, priceOracle } from "./lend1/PriceOracle.ts"

/** The contracts of lend_1, by the hashes of the code they stand in for. */
export const LEND_1_CONTRACTS: ReadonlyArray<Registration> = [
  { model: poolV1, wasmHashes: [POOL_V1_HASH] },
  { model: poolV2, wasmHashes: [POOL_V2_HASH] },
  { model: backstopV1, wasmHashes: [BACKSTOP_V1_HASH] },
  { model: backstopV2, wasmHashes: [BACKSTOP_V2_HASH] },
  { model: poolFactory, wasmHashes: [POOL_FACTORY_V2_HASH] },
  { model: comet, wasmHashes: [COMET_HASH] },
  { model: priceOracle, wasmHashes: [PRICE_ORACLE_HASH] }
]

// What scenarios write with: the rest of the folder is the contracts' own business.
export { BACKSTOP_V1_HASH, BACKSTOP_V2_HASH } from "./lend1/Backstop.ts"
export { BACKSTOP_INSTANCE, backstopEmissionKey, REWARD_ZONE } from "./lend1/BackstopKeys.ts"
export { COMET_HASH, COMET_INSTANCE } from "./lend1/Comet.ts"
export { recordEntries } from "./lend1/CometRecords.ts"
export { cometBalanceKey, TOTAL_SHARES } from "./lend1/CometShares.ts"
export { POOL_V1_HASH, POOL_V2_HASH } from "./lend1/LendingPool.ts"
export { poolConfigVal } from "./lend1/PoolConfig.ts"
export { emissionDataVal } from "./lend1/PoolEmissions.ts"
export { deployedKey, POOL_FACTORY_V2_HASH, POOL_META } from "./lend1/PoolFactory.ts"
export { emissionDataKey, INSTANCE, RESERVE_LIST, reserveConfigKey, reserveDataKey } from "./lend1/PoolKeys.ts"
export { oracleStorage, PRICE_ORACLE_HASH, PRICE_TIME, priceKey, priceVal } from "./lend1/PriceOracle.ts"
export { RequestType } from "./lend1/Request.ts"
export { type ReserveConfig, reserveConfigVal, reserveDataVal } from "./lend1/ReserveEntries.ts"
