import type { xdr } from "@stellar/stellar-sdk"
import { strkeyOf } from "../../ledger/soroban/Values.ts"
import {
  AMM_1_SHARE_TOKEN_HASH,
  CONCENTRATED_POOL_HASH,
  CONSTANT_PRODUCT_POOL_HASH,
  GAUGE_HASH,
  ROUTER_HASH,
  STABLE_POOL_HASH
} from "../contracts/Amm1.ts"
import { PAIR_FACTORY_HASH, PAIR_HASH, PAIR_ROUTER_HASH } from "../contracts/Amm2.ts"
import {
  AMM_3_FACTORY_HASH,
  AMM_3_SHARE_TOKEN_HASH,
  AMM_3_SIX_ARGUMENT_SHARE_TOKEN_HASH,
  AMM_3_STABLE_POOL_HASH,
  FIVE_ARGUMENT_POOL_HASH,
  HISTORY_STAKE_HASH,
  POINTS_STAKE_HASH,
  SIX_ARGUMENT_POOL_HASH
} from "../contracts/Amm3.ts"
import { VAULTS_HASH } from "../contracts/Cdp1.ts"
import { BACKSTOP_V1_HASH, BACKSTOP_V2_HASH, COMET_HASH, POOL_V1_HASH, POOL_V2_HASH } from "../contracts/Lend1.ts"
import { LIVE_CODE } from "../contracts/LiveCode.ts"
import { AMM_1_CONTRACTS_AT } from "./Amm1Contracts.ts"
import { LENDING_CONTRACTS } from "./LendingContracts.ts"
import { PAIRS_CONTRACTS } from "./PairsContracts.ts"
import { STAKED_POOLS_CONTRACTS } from "./StakedPoolsContracts.ts"
import { VAULTS_CONTRACTS, WOUND_DOWN_HASH } from "./VaultsContracts.ts"

const at = (contract: xdr.ScAddress): readonly [string] => [strkeyOf(contract)]

const { backstop, comet, pool, poolFactory } = LENDING_CONTRACTS

/** Where scenarios deploy protocols, by role, and the code (SHA-256, hex) that runs there, by kind: what a contracts file says of a sandbox. */
export const DEPLOYED = {
  contracts: {
    lend_1: { poolV2: at(pool), backstop: at(backstop), backstopToken: at(comet), poolFactory: at(poolFactory) },
    amm_1: { router: at(AMM_1_CONTRACTS_AT.router) },
    amm_2: { factory: at(PAIRS_CONTRACTS.factory), router: at(PAIRS_CONTRACTS.router) },
    amm_3: { factory: at(STAKED_POOLS_CONTRACTS.factory) },
    cdp_1: { vaults: at(VAULTS_CONTRACTS.vaults) }
  },
  code: {
    lend_1: {
      poolV1: [POOL_V1_HASH],
      poolV2: [POOL_V2_HASH],
      backstopV1: [BACKSTOP_V1_HASH],
      backstopV2: [BACKSTOP_V2_HASH],
      backstopToken: [COMET_HASH]
    },
    amm_1: {
      router: [ROUTER_HASH],
      constantProductPool: [CONSTANT_PRODUCT_POOL_HASH, LIVE_CODE.constantProductPool],
      stablePool: [STABLE_POOL_HASH, LIVE_CODE.stablePool],
      concentratedPool: [CONCENTRATED_POOL_HASH],
      leftConcentratedPool: [LIVE_CODE.concentratedPool],
      shareToken: [AMM_1_SHARE_TOKEN_HASH],
      rewardsGauge: [GAUGE_HASH]
    },
    amm_2: { factory: [PAIR_FACTORY_HASH], router: [PAIR_ROUTER_HASH], pair: [PAIR_HASH] },
    amm_3: {
      factory: [AMM_3_FACTORY_HASH],
      fiveArgumentPool: [FIVE_ARGUMENT_POOL_HASH],
      sixArgumentPool: [SIX_ARGUMENT_POOL_HASH, AMM_3_STABLE_POOL_HASH, LIVE_CODE.sixArgumentPool],
      shareToken: [AMM_3_SHARE_TOKEN_HASH, AMM_3_SIX_ARGUMENT_SHARE_TOKEN_HASH],
      historyStake: [HISTORY_STAKE_HASH],
      pointsStake: [POINTS_STAKE_HASH]
    },
    cdp_1: { vaults: [VAULTS_HASH], woundDown: [WOUND_DOWN_HASH] }
  },
  /** The factory is put there by scenarios, not by a ledger: whatever it deploys is announced in a ledger that the sandbox closes. */
  listedTo: { [strkeyOf(poolFactory)]: 1 }
} as const

/** A protocol that scenarios deploy. */
export type DeployedProtocol = keyof typeof DEPLOYED.contracts
