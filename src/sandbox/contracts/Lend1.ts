import type { Registration } from "../../ledger/soroban/Contract.ts"
import { backstopV1, backstopV1Hash, backstopV2, backstopV2Hash } from "./lend1/Backstop.ts"
import { comet, cometHash } from "./lend1/Comet.ts"
import { poolV1, poolV1Hash, poolV2, poolV2Hash } from "./lend1/LendingPool.ts"
import { poolFactory, poolFactoryV2Hash } from "./lend1/PoolFactory.ts"
import { priceOracle, priceOracleHash } from "./lend1/PriceOracle.ts"

/** The contracts of lend_1, by the hashes of the code they stand in for. */
export const lend1Contracts: ReadonlyArray<Registration> = [
  { model: poolV1, wasmHashes: [poolV1Hash] },
  { model: poolV2, wasmHashes: [poolV2Hash] },
  { model: backstopV1, wasmHashes: [backstopV1Hash] },
  { model: backstopV2, wasmHashes: [backstopV2Hash] },
  { model: poolFactory, wasmHashes: [poolFactoryV2Hash] },
  { model: comet, wasmHashes: [cometHash] },
  { model: priceOracle, wasmHashes: [priceOracleHash] }
]

// What scenarios write with: the rest of the folder is the contracts' own business.
export { backstopV1Hash, backstopV2Hash } from "./lend1/Backstop.ts"
export { backstopEmissionKey, backstopInstanceKeys, rewardZoneKey } from "./lend1/BackstopKeys.ts"
export { cometHash, cometInstanceKeys } from "./lend1/Comet.ts"
export { recordEntries } from "./lend1/CometRecords.ts"
export { cometBalanceKey, totalSharesKey } from "./lend1/CometShares.ts"
export { poolV1Hash, poolV2Hash } from "./lend1/LendingPool.ts"
export { poolConfigVal } from "./lend1/PoolConfig.ts"
export { emissionDataVal } from "./lend1/PoolEmissions.ts"
export { deployedKey, poolFactoryV2Hash, poolMetaKey } from "./lend1/PoolFactory.ts"
export { emissionDataKey, poolInstanceKeys, reserveConfigKey, reserveDataKey, reserveListKey } from "./lend1/PoolKeys.ts"
export { oracleStorage, priceKey, priceOracleHash, priceTimeKey, priceVal } from "./lend1/PriceOracle.ts"
export { RequestType } from "./lend1/Request.ts"
export { type ReserveConfig, reserveConfigVal, reserveDataVal } from "./lend1/ReserveEntries.ts"
