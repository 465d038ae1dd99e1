import type { xdr } from "@stellar/stellar-sdk"
import type { ContractHost } from "../../../ledger/soroban/Contract.ts"
import { addressVal, asAddress, asU128, asU64, field, i128, mapOf, struct, symbol, u128, vec } from "../../../ledger/soroban/Values.ts"
import { flagAt, storedOr } from "./Instance.ts"
import { rewardKeys } from "./RewardKeys.ts"
import { type Holder, type WorkingShares, workingShares } from "./WorkingShares.ts"

const claimKilled = 207

interface PoolGauge {
  readonly token: xdr.ScAddress
  readonly gauge: xdr.ScAddress
}

const noGauges: xdr.ScVal = mapOf([])

/** Gauges by the token they pay: contracts that pay further rewards to who holds shares. */
export const gaugesVal = (host: ContractHost): xdr.ScVal => storedOr(host, rewardKeys.gauges, (value) => value, noGauges)

const gauges = (host: ContractHost): ReadonlyArray<PoolGauge> => {
  const value = gaugesVal(host)
  return value.type === "scvMap" ? (value.map ?? []).map(({ key, val }) => ({ token: asAddress(key), gauge: asAddress(val) })) : host.trap()
}

const argsOf = (host: ContractHost, user: xdr.ScAddress, { balance, supply }: WorkingShares): ReadonlyArray<xdr.ScVal> => [
  addressVal(host.address),
  addressVal(user),
  u128(balance),
  u128(supply)
]

/** Has every gauge settle what a user has earned there, by the shares that count until now. */
export const settleGauges = (host: ContractHost, holder: Holder): void => {
  const working = workingShares(host, holder)
  for (const { gauge } of gauges(host)) host.call(gauge, "checkpoint_user", ...argsOf(host, holder.user, working))
}

/** Has every gauge pay a user: what each paid, by its token. */
export const claimGauges = (host: ContractHost, holder: Holder): xdr.ScVal => {
  const working = workingShares(host, holder)
  if (flagAt(host, rewardKeys.gaugesKilled)) host.fail(claimKilled)
  return mapOf(
    gauges(host).map(({ gauge, token }) => {
      const paid = host.call(gauge, "claim", ...argsOf(host, holder.user, working))
      host.emit([symbol("rewards_gauge_claim"), addressVal(token), addressVal(holder.user)], vec(paid))
      return [addressVal(token), paid] as const
    })
  )
}

/** What every gauge gives, and owes a user, by its token. */
export const gaugesInfo = (host: ContractHost, holder: Holder): xdr.ScVal => {
  const working = workingShares(host, holder)
  return mapOf(
    gauges(host).map(({ gauge, token }) => {
      const config = host.call(gauge, "get_reward_config")
      const owed = asU128(host.call(gauge, "get_user_reward", ...argsOf(host, holder.user, working)))
      const info = struct({
        user_reward: i128(owed),
        tps: i128(asU128(field(config, "tps"))),
        expired_at: i128(asU64(field(config, "expired_at")))
      })
      return [addressVal(token), info] as const
    })
  )
}
