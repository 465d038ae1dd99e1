import type { xdr } from "@stellar/stellar-sdk"
import { strkeyOf } from "../../ledger/soroban/Values.ts"
import {
  amm1ShareTokenHash,
  concentratedPoolHash,
  constantProductPoolHash,
  gaugeHash,
  routerHash,
  stablePoolHash
} from "../contracts/Amm1.ts"
import { pairFactoryHash, pairHash, pairRouterHash } from "../contracts/Amm2.ts"
import {
  amm3FactoryHash,
  amm3ShareTokenHash,
  amm3SixArgumentShareTokenHash,
  amm3StablePoolHash,
  fiveArgumentPoolHash,
  historyStakeHash,
  pointsStakeHash,
  sixArgumentPoolHash
} from "../contracts/Amm3.ts"
import { vaultsHash } from "../contracts/Cdp1.ts"
import { backstopV1Hash, backstopV2Hash, cometHash, poolV1Hash, poolV2Hash } from "../contracts/Lend1.ts"
import { liveCode } from "../contracts/LiveCode.ts"
import { amm1ContractsAt } from "./Amm1Contracts.ts"
import { lendingContracts } from "./LendingContracts.ts"
import { pairsContracts } from "./PairsContracts.ts"
import { stakedPoolsContracts } from "./StakedPoolsContracts.ts"
import { vaultsContracts, woundDownHash } from "./VaultsContracts.ts"

const at = (contract: xdr.ScAddress): readonly [string] => [strkeyOf(contract)]

const { backstop, comet, pool, poolFactory } = lendingContracts

/** Where scenarios deploy protocols, by role, and the code (SHA-256, hex) that runs there, by kind: what a contracts file says of a sandbox. */
export const sandboxDeployment = {
  contracts: {
    lend_1: { poolV2: at(pool), backstop: at(backstop), backstopToken: at(comet), poolFactory: at(poolFactory) },
    amm_1: { router: at(amm1ContractsAt.router) },
    amm_2: { factory: at(pairsContracts.factory), router: at(pairsContracts.router) },
    amm_3: { factory: at(stakedPoolsContracts.factory) },
    cdp_1: { vaults: at(vaultsContracts.vaults) }
  },
  code: {
    lend_1: {
      poolV1: [poolV1Hash],
      poolV2: [poolV2Hash],
      backstopV1: [backstopV1Hash],
      backstopV2: [backstopV2Hash],
      backstopToken: [cometHash]
    },
    amm_1: {
      router: [routerHash],
      constantProductPool: [constantProductPoolHash, liveCode.constantProductPool],
      stablePool: [stablePoolHash, liveCode.stablePool],
      concentratedPool: [concentratedPoolHash],
      leftConcentratedPool: [liveCode.concentratedPool],
      shareToken: [amm1ShareTokenHash],
      rewardsGauge: [gaugeHash]
    },
    amm_2: { factory: [pairFactoryHash], router: [pairRouterHash], pair: [pairHash] },
    amm_3: {
      factory: [amm3FactoryHash],
      fiveArgumentPool: [fiveArgumentPoolHash],
      sixArgumentPool: [sixArgumentPoolHash, amm3StablePoolHash, liveCode.sixArgumentPool],
      shareToken: [amm3ShareTokenHash, amm3SixArgumentShareTokenHash],
      historyStake: [historyStakeHash],
      pointsStake: [pointsStakeHash]
    },
    cdp_1: { vaults: [vaultsHash], woundDown: [woundDownHash] }
  },
  /** The factory is put there by scenarios, not by a ledger. Its deployments are announced in a ledger that the sandbox closes. */
  listedTo: { [strkeyOf(poolFactory)]: 1 }
} as const

/** A protocol that scenarios deploy. */
export type DeployedProtocol = keyof typeof sandboxDeployment.contracts

const poolOf = ({ pool }: { readonly pool: xdr.ScAddress }): string => strkeyOf(pool)
const { concentrated, constantProduct, stable } = amm1ContractsAt
const { five, six, stable: stableStaked } = stakedPoolsContracts

/**
 * The contracts file that a client of a sandbox gives its verifier: the contracts of protocols, and the pools and stakes that the service
 * finds by itself. Scenarios put these into the ledger at chosen addresses, so an address does not prove who deployed it.
 */
export const sandboxContractsFile = {
  protocols: {
    ...sandboxDeployment.contracts,
    amm_1: { ...sandboxDeployment.contracts.amm_1, pool: [constantProduct, stable, concentrated].map(strkeyOf) },
    amm_3: {
      ...sandboxDeployment.contracts.amm_3,
      fiveArgumentPool: [poolOf(five)],
      sixArgumentPool: [poolOf(six), poolOf(stableStaked)],
      stake: [five, six, stableStaked].map(({ stake }) => strkeyOf(stake))
    }
  },
  code: sandboxDeployment.code,
  tokens: "none"
} as const
