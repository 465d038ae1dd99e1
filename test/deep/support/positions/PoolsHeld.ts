import { Asset, type Keypair, type xdr } from "@stellar/stellar-sdk"
import type { LedgerState } from "../../../../src/ledger/LedgerState.ts"
import {
  addressOf,
  addressVal,
  asAddress,
  asI128,
  asI32,
  asU128,
  asVec,
  field,
  i128,
  i32,
  sameAddress,
  strkeyOf,
  u128
} from "../../../../src/ledger/soroban/Values.ts"
import { userKey } from "../../../../src/sandbox/contracts/amm1/ConcentratedStore.ts"
import { tokenBalanceKey } from "../../../../src/sandbox/contracts/Token.ts"
import { amm1ContractsAt } from "../../../../src/sandbox/scenarios/Amm1Contracts.ts"
import { poolTokensOf } from "../../../../src/sandbox/scenarios/Amm1Entries.ts"
import { stakedPoolsContracts } from "../../../../src/sandbox/scenarios/StakedPoolsContracts.ts"
import type { PoolsScene } from "./PoolsScene.ts"
import { answer, valueIn } from "./PositionsHeld.ts"

/** Lumens that a buyer pays for a unit of a traded asset. */
const PRICE = 10n

const { concentrated, constantProduct, constantProductShare, stable, stableShare } = amm1ContractsAt

/** A holding of an account in a pool. */
export interface PoolHolding {
  readonly protocol: "amm_1" | "amm_2" | "amm_3"
  /** The contract in the position's name. */
  readonly contract: string
  readonly what: "shares" | "range" | "stake" | "rewards"
  /** Base units of shares or liquidity; of rewards, of all tokens together. */
  readonly amount: bigint
  /** Stroops at the price of the markets. */
  readonly worth: bigint
}

type Ask = (contract: xdr.ScAddress, fn: string, ...args: ReadonlyArray<xdr.ScVal>) => xdr.ScVal | null

interface Holder {
  readonly state: LedgerState
  readonly own: xdr.ScAddress
  readonly ask: Ask
  readonly native: xdr.ScAddress
}

const sharesOf = ({ own, state }: Holder, token: xdr.ScAddress): bigint => {
  const balance = valueIn(state, token, tokenBalanceKey(own))
  return balance === null ? 0n : asI128(balance)
}

const worthOf = ({ native }: Holder, tokens: ReadonlyArray<xdr.ScAddress>, amounts: ReadonlyArray<bigint>): bigint =>
  amounts.reduce((sum, amount, at) => {
    const token = tokens[at]
    return sum + amount * (token !== undefined && sameAddress(token, native) ? 1n : PRICE)
  }, 0n)

const amountsIn = (value: xdr.ScVal | null): ReadonlyArray<bigint> =>
  value === null ? [] : asVec(value).map((each) => (each.type === "scvU128" ? asU128(each) : asI128(each)))

const part = (amounts: ReadonlyArray<bigint>, shares: bigint, total: bigint): ReadonlyArray<bigint> =>
  total === 0n ? [] : amounts.map((amount) => (amount * shares) / total)

const inAmm1 = (holder: Holder, { assets }: NonNullable<PoolsScene["amm1"]>, passphrase: string): ReadonlyArray<PoolHolding> => {
  const { ask, own, state } = holder
  const [pair, par] = [poolTokensOf(passphrase, assets.native, assets.usdc), poolTokensOf(passphrase, assets.usdc, assets.eurc)]
  const shared = ([[constantProduct, constantProductShare, pair], [stable, stableShare, par]] as const).map(([pool, token, tokens]) => {
    const amount = sharesOf(holder, token)
    const total = ask(pool, "get_total_shares")
    const paid = part(amountsIn(ask(pool, "get_reserves")), amount, total === null ? 0n : asU128(total))
    const worth = worthOf(holder, tokens.map(asAddress), paid)
    return { protocol: "amm_1", contract: strkeyOf(pool), what: "shares", amount, worth } as const
  })
  const user = valueIn(state, concentrated, userKey(own))
  const fees = amountsIn(ask(concentrated, "get_all_position_fees", addressVal(own)))
  const ranges = user === null ? [] : asVec(field(user, "positions")).map((range) => {
    const [lower, upper] = [field(range, "tick_lower"), field(range, "tick_upper")]
    const found = ask(concentrated, "get_position", addressVal(own), i32(asI32(lower)), i32(asI32(upper)))
    // A range without a readable position still counts.
    const amount = found === null ? 1n : asU128(field(found, "liquidity"))
    const paid = amountsIn(ask(concentrated, "estimate_withdraw_position", addressVal(own), lower, upper, u128(amount)))
    return {
      protocol: "amm_1",
      contract: strkeyOf(concentrated),
      what: "range",
      amount,
      worth: worthOf(holder, pair.map(asAddress), paid)
    } as const
  })
  const rewards = [constantProduct, concentrated].map((pool) => {
    const due = ask(pool, "get_user_reward", addressVal(own))
    const amount = due === null ? 0n : asU128(due)
    return { protocol: "amm_1", contract: strkeyOf(pool), what: "rewards", amount, worth: amount * PRICE } as const
  })
  const gauges = ask(constantProduct, "gauges_get_reward_info", addressVal(own))
  const fromGauges = (gauges?.type === "scvMap" ? (gauges.map ?? []) : []).map(({ val }) => asI128(field(val, "user_reward")))
  const earned = fromGauges.reduce((sum, each) => sum + each, 0n)
  const owed = fees.reduce((sum, each) => sum + each, 0n)
  return [
    ...shared,
    ...ranges,
    ...rewards,
    { protocol: "amm_1", contract: strkeyOf(constantProduct), what: "rewards", amount: earned, worth: earned * PRICE },
    {
      protocol: "amm_1",
      contract: strkeyOf(concentrated),
      what: "rewards",
      amount: owed,
      worth: worthOf(holder, pair.map(asAddress), fees)
    }
  ]
}

const inAmm2 = (holder: Holder, { pairs, tokens }: NonNullable<PoolsScene["amm2"]>): ReadonlyArray<PoolHolding> =>
  ([[pairs.lumensUsdc, [tokens.lumens, tokens.usdc]], [pairs.usdcEurc, [tokens.usdc, tokens.eurc]]] as const).map(([pair, both]) => {
    const { ask } = holder
    const amount = sharesOf(holder, pair)
    const total = ask(pair, "total_supply")
    const kept = both.map((token) => {
      const balance = ask(token, "balance", addressVal(pair))
      return balance === null ? 0n : asI128(balance)
    })
    const worth = worthOf(holder, both, part(kept, amount, total === null ? 0n : asI128(total)))
    return { protocol: "amm_2", contract: strkeyOf(pair), what: "shares", amount, worth }
  })

const inAmm3 = (holder: Holder): ReadonlyArray<PoolHolding> => {
  const { ask, own, state } = holder
  const { five, six, stable: third } = stakedPoolsContracts
  return [five, six, third].flatMap(({ pool, shareToken, stake }) => {
    const worthIn = (shares: bigint): bigint => {
      const both = ask(pool, "query_share", i128(shares))
      const sides = both === null ? [] : asVec(both)
      return worthOf(holder, sides.map((side) => asAddress(field(side, "address"))), sides.map((side) => asI128(field(side, "amount"))))
    }
    const free = sharesOf(holder, shareToken)
    const answered = ask(stake, "query_staked", addressVal(own))
    const unread = valueIn(state, stake, addressVal(own)) === null ? 0n : 1n
    const staked = answered === null
      ? unread
      : asVec(field(answered, "stakes")).reduce((sum, each) => sum + asI128(field(each, "stake")), 0n)
    const due = ask(stake, "query_withdrawable_rewards", addressVal(own))
    const rewards = due === null ? 0n : asVec(field(due, "rewards")).reduce((sum, each) => sum + asU128(field(each, "reward_amount")), 0n)
    const [protocol, contract] = ["amm_3", strkeyOf(pool)] as const
    return [
      { protocol, contract, what: "shares", amount: free, worth: worthIn(free) },
      { protocol, contract, what: "stake", amount: staked, worth: worthIn(staked) },
      // Rewards that are given up are lost with the stake, so they do not count.
      { protocol, contract, what: "rewards", amount: rewards, worth: 0n }
    ] as const
  })
}

/** An account's holdings in pools, from their entries and getters. */
export const heldInPools = (
  state: LedgerState,
  account: Keypair,
  { amm1, amm2, amm3 }: PoolsScene,
  passphrase: string
): ReadonlyArray<PoolHolding> => {
  const holder: Holder = {
    state,
    own: addressOf(account.publicKey()),
    ask: (contract, fn, ...args) => answer(state, account, contract, fn, args, passphrase),
    native: addressOf(Asset.native().contractId(passphrase))
  }
  return [
    ...(amm1 === null ? [] : inAmm1(holder, amm1, passphrase)),
    ...(amm2 === null ? [] : inAmm2(holder, amm2)),
    ...(amm3 === null ? [] : inAmm3(holder))
  ]
}
