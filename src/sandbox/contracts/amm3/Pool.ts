import type { xdr } from "@stellar/stellar-sdk"
import { contractFunction, type ContractHost, type ContractModel } from "../../../ledger/soroban/Contract.ts"
import { addressVal, field, i128, struct, vec } from "../../../ledger/soroban/Values.ts"
import { extendInstance } from "./ExtendedEntries.ts"
import { amountUnder, configOf, partsOf, reserveAKey, reserveBKey, totalSharesKey } from "./PoolStore.ts"
import { fiveArgumentTraits, type PoolTraits, sixArgumentTraits, stableTraits } from "./PoolTraits.ts"
import { portion, ratioOf } from "./Ratio.ts"
import { swap } from "./Swap.ts"
import { withdrawLiquidity } from "./Withdrawal.ts"

const asset = (address: xdr.ScAddress, amount: bigint): xdr.ScVal => struct({ address: addressVal(address), amount: i128(amount) })

const poolInfo = (host: ContractHost, traits: PoolTraits): xdr.ScVal => {
  const { shareToken, stake, tokenA, tokenB } = partsOf(host, traits)
  return struct({
    asset_a: asset(tokenA, amountUnder(host, traits, reserveAKey)),
    asset_b: asset(tokenB, amountUnder(host, traits, reserveBKey)),
    asset_lp_share: asset(shareToken, amountUnder(host, traits, totalSharesKey)),
    stake_address: addressVal(stake)
  })
}

/** A pool of amm_3. Left out: providing liquidity, swapping of stable pools, and what only its operators may do. */
const poolModel = (traits: PoolTraits): ContractModel => {
  const getter = (read: (host: ContractHost) => xdr.ScVal) =>
    contractFunction([], (host) => {
      extendInstance(host)
      return read(host)
    })
  return {
    functions: {
      withdraw_liquidity: withdrawLiquidity(traits),
      ...(traits.swap === null ? {} : { swap: swap(traits, traits.swap) }),
      query_config: getter((host) => configOf(host, traits)),
      query_share_token_address: getter((host) => field(configOf(host, traits), "share_token")),
      query_stake_contract_address: getter((host) => field(configOf(host, traits), "stake_contract")),
      query_pool_info: getter((host) => poolInfo(host, traits)),
      query_pool_info_for_factory: getter((host) =>
        struct({
          pool_address: addressVal(host.address),
          pool_response: poolInfo(host, traits),
          total_fee_bps: field(configOf(host, traits), "total_fee_bps")
        })
      ),
      query_total_issued_lp: getter((host) => i128(amountUnder(host, traits, totalSharesKey))),
      query_share: contractFunction(["i128"], (host, [amount]) => {
        extendInstance(host)
        const { tokenA, tokenB } = partsOf(host, traits)
        const total = amountUnder(host, traits, totalSharesKey)
        const ratio = total === 0n ? 0n : ratioOf(amount, total)
        return vec(
          asset(tokenA, portion(amountUnder(host, traits, reserveAKey), ratio)),
          asset(tokenB, portion(amountUnder(host, traits, reserveBKey), ratio))
        )
      })
    }
  }
}

export const fiveArgumentPool = poolModel(fiveArgumentTraits)
export const sixArgumentPool = poolModel(sixArgumentTraits)
export const stablePool = poolModel(stableTraits)
