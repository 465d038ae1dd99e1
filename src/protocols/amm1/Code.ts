import type { ProtocolCode } from "../../registry/ContractAddresses.ts"
import type { DeclaredKind } from "../kit/Declaration.ts"
import { type KnownCode, knownCode } from "../kit/KnownCode.ts"

/** What contracts of amm_1 are, beside its routers. */
export type Kind = "constantProductPool" | "stablePool" | "concentratedPool" | "shareToken" | "rewardsGauge"

/** Code of one kind: as the file lists it, and as it is known by what it declares. */
export interface CodeOf<One extends Kind> {
  readonly known: KnownCode<One>
  readonly declared: ReadonlyArray<DeclaredKind<One>>
}

/** Rewards, as every kind of pool pays them. */
const rewards = [
  "claim(address)",
  "get_user_reward(address)",
  "gauges_claim(address)",
  "gauges_get_reward_info(address)",
  "struct PoolRewardConfig{expired_at:u64,tps:u128}"
] as const

const declared: Readonly<Record<Kind, readonly [string, ...ReadonlyArray<string>]>> = {
  constantProductPool: ["withdraw(address,u128,vec<u128>)", "share_id()", "get_reserves()", "get_total_shares()", ...rewards],
  stablePool: [
    "withdraw(address,u128,vec<u128>)",
    "withdraw_one_coin(address,u128,u32,u128)",
    "share_id()",
    "get_reserves()",
    "get_total_shares()",
    ...rewards
  ],
  concentratedPool: [
    "withdraw_position(address,i32,i32,u128,vec<u128>)",
    "struct Slot0{sqrt_price_x96:u256,tick:i32}",
    "struct PositionRange{tick_lower:i32,tick_upper:i32}",
    "struct UserState{positions:vec<PositionRange>,raw_liquidity:u128,weighted_liquidity:u128}",
    "struct PositionData{fee_growth_inside_0_last_x128:u256,fee_growth_inside_1_last_x128:u256,liquidity:u128,tokens_owed_0:u128,tokens_owed_1:u128}",
    ...rewards
  ],
  shareToken: ["balance(address)", "burn(address,i128)", "mint(address,i128)"],
  rewardsGauge: ["claim(address,address,u128,u128)", "get_user_reward(address,address,u128,u128)", "get_reward_token()"]
}

/** Code of every kind. */
export type Codes = { readonly [One in Kind]: CodeOf<One> } & {
  /** Listed code of routers: tokens are sold through no other. */
  readonly router: KnownCode<"router">
  /** Listed code of concentrated pools whose trade was checked: tokens are sold through no other. */
  readonly tradedConcentratedPool: KnownCode<"concentratedPool">
}

const codeOf = <One extends Kind>(kind: One, code: ProtocolCode, byInterface: boolean): CodeOf<One> => ({
  known: knownCode(code, kind),
  declared: byInterface ? [{ kind, declares: declared[kind] }] : []
})

/** Concentrated pools are of two kinds of the file: `leftConcentratedPool` is code that is left like the other, and not traded through. */
const concentratedPools = (code: ProtocolCode): KnownCode<"concentratedPool"> =>
  new Map([
    ...knownCode(code, "concentratedPool"),
    ...[...knownCode(code, "leftConcentratedPool").keys()].map((hash) => [hash, "concentratedPool"] as const)
  ])

/** `byInterface`: code that is not listed may count as known by what it declares. Routers are read with any code. */
export const codesOf = (code: ProtocolCode, byInterface: boolean): Codes => ({
  router: knownCode(code, "router"),
  tradedConcentratedPool: knownCode(code, "concentratedPool"),
  constantProductPool: codeOf("constantProductPool", code, byInterface),
  stablePool: codeOf("stablePool", code, byInterface),
  concentratedPool: { ...codeOf("concentratedPool", code, byInterface), known: concentratedPools(code) },
  shareToken: codeOf("shareToken", code, byInterface),
  rewardsGauge: codeOf("rewardsGauge", code, byInterface)
})
