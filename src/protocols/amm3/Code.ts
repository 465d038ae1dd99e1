import type { ProtocolCode } from "../../registry/ContractAddresses.ts"
import type { DeclaredKind } from "../kit/Declaration.ts"
import { type KnownCode, knownCode } from "../kit/KnownCode.ts"

/** How many arguments a pool's withdrawal takes. */
export type PoolKind = "fiveArgumentPool" | "sixArgumentPool"

/**
 * How a stake pays: by the history of distributions, where unbonding gives up what was not withdrawn before; by points, where unbonding
 * withdraws by itself; or in a way that only the contract itself can tell.
 */
export type StakeKind = "historyStake" | "pointsStake" | "stake"

/**
 * Pool code (SHA-256 in hex) whose withdrawal takes shares of a token that the pool had before. It declares the same interface as the other
 * pools, and stores that token in its entry `OLDLP`. No pool that runs it is left or traded through, even if a file lists it.
 */
export const paysForOldShares: ReadonlySet<string> = new Set(["13b158655e40396957537bf1c528c6542b315930c1c9e0df640f57293c8af2ca"])

/** What the contracts of a pool may run: code that is listed, and what code must declare that is not. */
export interface PoolCode {
  readonly pool: KnownCode<PoolKind>
  readonly shareToken: KnownCode<"shareToken">
  readonly stake: KnownCode<StakeKind>
  readonly declared: {
    readonly pool: ReadonlyArray<DeclaredKind<PoolKind>>
    readonly shareToken: ReadonlyArray<DeclaredKind<"shareToken">>
    readonly stake: ReadonlyArray<DeclaredKind<StakeKind>>
  }
}

const common = "fee_recipient:address,max_allowed_slippage_bps:i64,max_allowed_spread_bps:i64"
const parts = "pool_type:PairType,share_token:address,stake_contract:address,token_a:address,token_b:address,total_fee_bps:i64"
const settings = `struct Config{${common},max_referral_bps:i64,${parts}}`
const stableSettings = `struct Config{default_slippage_bps:i64,${common},${parts}}`
const five = "withdraw_liquidity(address,i128,i128,i128,option<u64>)"
const six = [
  "withdraw_liquidity(address,i128,i128,i128,option<u64>,option<AutoUnstakeInfo>)",
  "struct AutoUnstakeInfo{stake_amount:i128,stake_timestamp:u64}"
] as const

const declared: PoolCode["declared"] = {
  pool: [
    { kind: "fiveArgumentPool", declares: [five, settings] },
    { kind: "fiveArgumentPool", declares: [five, stableSettings] },
    { kind: "sixArgumentPool", declares: [...six, settings] },
    { kind: "sixArgumentPool", declares: [...six, stableSettings] }
  ],
  shareToken: [
    {
      kind: "shareToken",
      declares: [
        "transfer(address,address,i128)",
        "burn(address,i128)",
        "union DataKey{Allowance(AllowanceDataKey),Balance(address),State(address),Admin}"
      ]
    }
  ],
  stake: [
    {
      kind: "stake",
      declares: [
        "unbond(address,i128,u64)",
        "withdraw_rewards(address)",
        "query_withdrawable_rewards(address)",
        "struct Config{lp_token:address,manager:address,max_complexity:u32,min_bond:i128,min_reward:i128,owner:address}",
        "struct BondingInfo{last_reward_time:u64,reward_debt:u128,stakes:vec<Stake>,total_stake:i128}",
        "struct Stake{stake:i128,stake_timestamp:u64}",
        "struct WithdrawableReward{reward_address:address,reward_amount:u128}",
        "struct WithdrawableRewardsResponse{rewards:vec<WithdrawableReward>}"
      ]
    }
  ]
}

/** What the contracts file lists, and, where `byInterface` allows it, what counts as known by what it declares. */
export const poolCode = (code: ProtocolCode, byInterface: boolean): PoolCode => ({
  pool: new Map([...knownCode(code, "fiveArgumentPool", "sixArgumentPool")].filter(([hash]) => !paysForOldShares.has(hash))),
  shareToken: knownCode(code, "shareToken"),
  stake: knownCode(code, "historyStake", "pointsStake"),
  declared: byInterface ? declared : { pool: [], shareToken: [], stake: [] }
})
