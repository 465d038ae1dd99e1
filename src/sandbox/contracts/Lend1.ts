import type { Registration } from "../../ledger/soroban/Contract.ts"
import { BACKSTOP_V1_HASH, BACKSTOP_V2_HASH, backstopV1, backstopV2 } from "./lend1/Backstop.ts"
import { COMET_HASH, comet } from "./lend1/Comet.ts"
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
