/**
 * amm_1: Aquarius. Its router lists every pool by sets of tokens; pools are of constant product, stable or concentrated.
 *
 * Read by ledger entries: router `TokensSetCounter`, `TokensSet`, `TokensSetPools`; share token `Balance`; the instances of pools
 * (tokens, reserves, `TotalShares`, `Slot0`, rewards, gauges); concentrated pool `User`, `Position`, `TickChunk`, `ChunkBitmap`, `WordBitmap`;
 * `WorkingBalance`.
 * Asked: pool `get_user_reward(user)`, `gauges_get_reward_info(user)`.
 * Called: pool `claim(user)`, `gauges_claim(user)`, `withdraw(user, share_amount, min_amounts)`, concentrated
 * `withdraw_position(owner, tick_lower, tick_upper, amount, min_amounts)`, `claim_position_fees(owner, tick_lower, tick_upper)`; router
 * `swap_chained(user, swaps_chain, token_in, in_amount, out_min)` through pools of every kind.
 * Source: https://github.com/AquaToken/soroban-amm
 */
import { Effect } from "effect"
import type { ContractAddress } from "../domain/Address.ts"
import type { ProtocolCode } from "../registry/ContractAddresses.ts"
import { codesOf } from "./amm1/Code.ts"
import { problemOf } from "./amm1/Failures.ts"
import { type Facts, poolDiscovery } from "./amm1/PoolList.ts"
import { routerVenues } from "./amm1/PoolMarket.ts"
import { rangePart } from "./amm1/RangePart.ts"
import { sharePart } from "./amm1/SharePart.ts"
import { listedContracts } from "./kit/ListedContracts.ts"
import * as Protocol from "./Protocol.ts"

const name = "amm_1"

/** Where the contracts of one network are, and the code that is known. */
export interface Deployment {
  readonly routers: ReadonlyArray<ContractAddress>
  /** Pools that are read regardless of what the routers list. */
  readonly pools?: ReadonlyArray<Facts>
  readonly code: ProtocolCode
  /** Code that is not listed may count as known by what it declares. */
  readonly byInterface: boolean
}

/** The decoder over one deployment. */
export const amm1 = ({ byInterface, code, pools = [], routers }: Deployment): Protocol.Protocol => {
  const codes = codesOf(code, byInterface)
  const venues = routerVenues(codes, routers)
  const [share, range] = [sharePart(codes, venues), rangePart(codes, venues)]
  const placeOf = (facts: Facts) => (facts.type === "concentrated" ? range(facts) : share(facts))
  const discovery = poolDiscovery(routers, { code: codes.router, placeOf })
  return {
    name,
    label: "Aquarius",
    code: Object.values(code).flat(),
    contracts: [...routers, ...pools.map(({ contract }) => contract)],
    places: pools.map(placeOf),
    ...(discovery === null ? {} : { discovery }),
    problem: problemOf
  }
}

/** Roles of the contracts file, each read. */
const roles = ["router"] as const

/** Over the addresses of this network. */
export const layer = Protocol.layer(
  Effect.map(listedContracts(name, roles), ({ byInterface, code, inRole }) => amm1({ routers: inRole("router"), code, byInterface }))
)
