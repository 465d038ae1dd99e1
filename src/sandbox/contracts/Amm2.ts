import type { Registration } from "../../ledger/soroban/Contract.ts"
import { pairFactory, pairFactoryHash } from "./amm2/Factory.ts"
import { pair, pairHash } from "./amm2/Pair.ts"
import { pairRouterHash, router } from "./amm2/Router.ts"

/** The contracts of amm_2, by the hashes of the code they stand in for. */
export const amm2Contracts: ReadonlyArray<Registration> = [
  { model: pairFactory, wasmHashes: [pairFactoryHash] },
  { model: pair, wasmHashes: [pairHash] },
  { model: router, wasmHashes: [pairRouterHash] }
]

// What scenarios write with: the rest of the folder is the contracts' own business.
export { pairFactoryHash } from "./amm2/Factory.ts"
export { factoryInstanceKeys, pairByIndexKey, pairByTokensKey, pairCodeKey } from "./amm2/FactoryKeys.ts"
export { pairHash } from "./amm2/Pair.ts"
export { pairAddress } from "./amm2/PairAddress.ts"
export { pairInstanceKeys } from "./amm2/PairReserves.ts"
export { shareStorage } from "./amm2/PairShares.ts"
export { minimumLiquidity } from "./amm2/PairTrades.ts"
export { pairRouterHash, routerFactoryKey } from "./amm2/Router.ts"
export { type SortedTokens, sortedTokens } from "./amm2/SortedTokens.ts"
