import type { Registration } from "../../ledger/soroban/Contract.ts"
import { PAIR_FACTORY_HASH, pairFactory } from "./amm2/Factory.ts"
import { pair, PAIR_HASH } from "./amm2/Pair.ts"
import { PAIR_ROUTER_HASH, router } from "./amm2/Router.ts"

/** The contracts of amm_2, by the hashes of the code they stand in for. */
export const AMM_2_CONTRACTS: ReadonlyArray<Registration> = [
  { model: pairFactory, wasmHashes: [PAIR_FACTORY_HASH] },
  { model: pair, wasmHashes: [PAIR_HASH] },
  { model: router, wasmHashes: [PAIR_ROUTER_HASH] }
]

// What scenarios write with: the rest of the folder is the contracts' own business.
export { PAIR_FACTORY_HASH } from "./amm2/Factory.ts"
export { FACTORY_INSTANCE, PAIR_CODE, pairByIndexKey, pairByTokensKey } from "./amm2/FactoryKeys.ts"
export { PAIR_HASH } from "./amm2/Pair.ts"
export { pairAddress } from "./amm2/PairAddress.ts"
export { PAIR_INSTANCE } from "./amm2/PairReserves.ts"
export { shareStorage } from "./amm2/PairShares.ts"
export { MINIMUM_LIQUIDITY } from "./amm2/PairTrades.ts"
export { PAIR_ROUTER_HASH, ROUTER_FACTORY } from "./amm2/Router.ts"
export { type SortedTokens, sortedTokens } from "./amm2/SortedTokens.ts"
