/**
 * amm_3: Phoenix pools of two tokens, with the stakes that hold their shares for rewards.
 *
 * Read by ledger entries: factory `LpVec`; pool `CONFIG`, total shares and reserves (of stable pools in the instance); share token
 * `Balance`; stake `CONFIG`, `BondingInfo` (under the bare address of its owner), the tokens it pays, and what rewards are computed from:
 * `RewardHistory` and `TotalStakedHistory`, or `Distribution` and `WithdrawAdjustment`. Of stakes known by what they declare it asks
 * `query_withdrawable_rewards`.
 * Called: stake `withdraw_rewards(sender)`, `unbond(sender, stake_amount, stake_timestamp)`; pool
 * `withdraw_liquidity(sender, share_amount, min_a, min_b, deadline)`, of the newer generation with a sixth argument, `auto_unstake`,
 * which is left out; pool of constant product
 * `swap(sender, offer_asset, offer_amount, ask_asset_min_amount, max_spread_bps, deadline, max_allowed_fee_bps)`.
 * Source: https://github.com/Phoenix-Protocol-Group/phoenix-contracts
 */
import { Effect } from "effect"
import type { ContractAddress } from "../domain/Address.ts"
import type { ProtocolCode } from "../registry/ContractAddresses.ts"
import { poolCode } from "./amm3/Code.ts"
import { problemOf } from "./amm3/Failures.ts"
import { poolDiscovery } from "./amm3/PoolList.ts"
import { poolPart } from "./amm3/PoolPart.ts"
import { knownCode } from "./kit/KnownCode.ts"
import { listedContracts } from "./kit/ListedContracts.ts"
import * as Protocol from "./Protocol.ts"

const name = "amm_3"

/** Where the contracts of one network are, and the code that is known. */
export interface Deployment {
  /** They list every pool. */
  readonly factories: ReadonlyArray<ContractAddress>
  /** Stakes that are read also where no listed pool works with them; left out: none. */
  readonly stakes?: ReadonlyArray<ContractAddress>
  readonly code: ProtocolCode
  /** Whether pools that a factory lists may run code that is known by what it declares. */
  readonly byInterface: boolean
}

/** The decoder over one deployment. */
export const amm3 = ({ byInterface, code, factories, stakes = [] }: Deployment): Protocol.Protocol => {
  const discovery = poolDiscovery({
    factories,
    stakes,
    factoryCode: knownCode(code, "factory"),
    placeOf: poolPart(poolCode(code, byInterface))
  })
  return {
    name,
    label: "Phoenix",
    code: Object.values(code).flat(),
    contracts: [...factories, ...stakes],
    places: [],
    ...(discovery === null ? {} : { discovery }),
    problem: problemOf
  }
}

/** Roles of the contracts file, each read. Pools, and stakes that work with them, are found by the factory's list. */
const roles = ["factory", "stake"] as const

/** Over the addresses of this network. */
export const layer = Protocol.layer(
  Effect.map(
    listedContracts(name, roles),
    ({ byInterface, code, inRole }) => amm3({ factories: inRole("factory"), stakes: inRole("stake"), code, byInterface })
  )
)
