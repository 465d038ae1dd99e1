import type { xdr } from "@stellar/stellar-sdk"
import { contractFunction, type ContractHost, type ContractModel } from "../../../ledger/soroban/Contract.ts"
import { addressVal, asAddress, asI128, asVec, field, i128, struct, u32, vec } from "../../../ledger/soroban/Values.ts"
import { extendInstance, readAndExtend } from "./ExtendedEntries.ts"

/** Hash of the factory's code. */
export const amm3FactoryHash = "721badb85470a81d9d0a1c72dd0debb37f5f268419d4b94d125e546cc32d350e"

const factoryConfigKey: xdr.ScVal = u32(1)
/** Where the factory lists every pool it made. */
export const poolListKey: xdr.ScVal = u32(2)

const pairKey = (tokenA: xdr.ScAddress, tokenB: xdr.ScAddress): xdr.ScVal =>
  struct({ token_a: addressVal(tokenA), token_b: addressVal(tokenB) })

const poolNotFound = 4

const poolsOf = (host: ContractHost): ReadonlyArray<xdr.ScAddress> => asVec(readAndExtend(host, poolListKey) ?? host.trap()).map(asAddress)

const detailsOf = (host: ContractHost, pool: xdr.ScAddress): xdr.ScVal => host.call(pool, "query_pool_info_for_factory")

/** What someone has in one pool: both assets its shares stand for, free and staked, and the stakes. */
const holdingIn = (host: ContractHost, pool: xdr.ScAddress, user: xdr.ScAddress) => {
  const info = field(detailsOf(host, pool), "pool_response")
  const stakeContract = field(info, "stake_address")
  const free = asI128(host.call(asAddress(field(field(info, "asset_lp_share"), "address")), "balance", addressVal(user)))
  const stakes = asVec(field(host.call(asAddress(stakeContract), "query_staked", addressVal(user)), "stakes"))
  const shares = stakes.reduce((sum, stake) => sum + asI128(field(stake, "stake")), free)
  return { shares, stakes, stakeContract, assets: host.call(pool, "query_share", i128(shares)) }
}

/** The factory of amm_3. Left out: making pools, and what only its operators may do. */
export const factory: ContractModel = {
  functions: {
    query_pools: contractFunction([], (host) => {
      extendInstance(host)
      return vec(...poolsOf(host).map(addressVal))
    }),
    query_pool_details: contractFunction(["address"], (host, [pool]) => {
      extendInstance(host)
      return detailsOf(host, pool)
    }),
    query_all_pools_details: contractFunction([], (host) => {
      extendInstance(host)
      return vec(...poolsOf(host).map((pool) => detailsOf(host, pool)))
    }),
    query_for_pool_by_token_pair: contractFunction(["address", "address"], (host, [tokenA, tokenB]) => {
      extendInstance(host)
      return readAndExtend(host, pairKey(tokenA, tokenB)) ?? readAndExtend(host, pairKey(tokenB, tokenA)) ?? host.fail(poolNotFound)
    }),
    get_config: contractFunction([], (host) => {
      extendInstance(host)
      return readAndExtend(host, factoryConfigKey) ?? host.trap()
    }),
    query_user_portfolio: contractFunction(["address", "bool"], (host, [user, staking]) => {
      extendInstance(host)
      const holdings = poolsOf(host).map((pool) => holdingIn(host, pool, user))
      return struct({
        lp_portfolio: vec(...holdings.filter(({ shares }) => shares > 0n).map(({ assets }) => struct({ assets }))),
        stake_portfolio: vec(
          ...holdings
            .filter(({ stakes }) => staking && stakes.length > 0)
            .map(({ stakeContract, stakes }) => struct({ stakes: vec(...stakes), staking_contract: stakeContract }))
        )
      })
    })
  }
}
