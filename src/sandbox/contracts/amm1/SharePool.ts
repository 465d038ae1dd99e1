import type { xdr } from "@stellar/stellar-sdk"
import { type ContractFunction, contractFunction, type ContractHost } from "../../../ledger/soroban/Contract.ts"
import { addressVal, asAddress, asI128, asU32, i128, sameAddress, symbol, u128, u32, vec, voidVal } from "../../../ledger/soroban/Values.ts"
import { ownBalance, pay } from "../HeldTokens.ts"
import { asAmounts } from "./Amounts.ts"
import { amountAt, stored, storedOr } from "./Instance.ts"
import { type PlaneData, tellPlane } from "./Plane.ts"
import { PoolError } from "./PoolError.ts"
import { emitLiquidity, emitReserves } from "./PoolEvents.ts"
import { settleGauges } from "./PoolGauges.ts"
import { sharePoolKeys } from "./PoolKeys.ts"
import { less, mulDiv } from "./Products.ts"
import { rewardFunctions, settleAll } from "./RewardFunctions.ts"
import { rewardKeys } from "./RewardKeys.ts"
import { type Holder, updateWorkingShares } from "./WorkingShares.ts"

/** What tells one kind of pool whose shares are tokens from another. */
export interface SharePoolTraits {
  readonly type: string
  readonly fee: xdr.ScVal
  readonly tokens: (host: ContractHost) => ReadonlyArray<xdr.ScAddress>
  readonly reserves: (host: ContractHost) => ReadonlyArray<bigint>
  readonly setReserves: (host: ContractHost, reserves: ReadonlyArray<bigint>) => void
  /** What the pool holds for the protocol, by token. */
  readonly protocolFees: (host: ContractHost) => ReadonlyArray<bigint>
  readonly planeData: (host: ContractHost) => PlaneData
  /** Whether shares are burned before anything is paid for them. */
  readonly burnsFirst: boolean
}

const shareToken = (host: ContractHost): xdr.ScAddress => stored(host, sharePoolKeys.share, asAddress)

const sharesOf = (host: ContractHost, user: xdr.ScAddress): bigint => asI128(host.call(shareToken(host), "balance", addressVal(user)))

export const shareHolder = (host: ContractHost, user: xdr.ScAddress): Holder => ({
  user,
  totalShares: amountAt(host, sharePoolKeys.totalShares),
  shares: sharesOf(host, user)
})

const burn = (host: ContractHost, from: xdr.ScAddress, amount: bigint): void => {
  host.instance.set(sharePoolKeys.totalShares, u128(less(amountAt(host, sharePoolKeys.totalShares), amount)))
  host.call(shareToken(host), "burn", addressVal(from), i128(amount))
}

export const mintShares = (host: ContractHost, to: xdr.ScAddress, amount: bigint): void => {
  host.instance.set(sharePoolKeys.totalShares, u128(amountAt(host, sharePoolKeys.totalShares) + amount))
  host.call(shareToken(host), "mint", addressVal(to), i128(amount))
}

/** Takes what the pool holds beyond its reserves into them, once a ledger. The token of rewards stays out of this. */
export const syncReserves = (host: ContractHost, traits: SharePoolTraits): void => {
  const ledger = host.ledger.sequence
  if (storedOr(host, sharePoolKeys.syncLedger, asU32, 0) === ledger) return
  const reward = host.instance.get(rewardKeys.token)
  if (amountAt(host, sharePoolKeys.totalShares) > 0n) {
    const reserves = [...traits.reserves(host)]
    const fees = traits.protocolFees(host)
    for (const [at, token] of traits.tokens(host).entries()) {
      if (reward !== undefined && sameAddress(asAddress(reward), token)) continue
      const [before, held] = [reserves[at] ?? 0n, less(ownBalance(host, token), fees[at] ?? 0n)]
      if (held <= before) continue
      host.emit([symbol("reserves_sync"), addressVal(token)], vec(i128(before), i128(held)))
      reserves[at] = held
    }
    traits.setReserves(host, reserves)
  }
  host.instance.set(sharePoolKeys.syncLedger, u32(ledger))
}

/** After a change of shares: gauges learn which shares counted until now, and those that count from now on are noted. */
export const noteShares = (host: ContractHost, holder: Holder): void => {
  settleGauges(host, holder)
  updateWorkingShares(host, holder)
}

const payAll = (
  host: ContractHost,
  traits: SharePoolTraits,
  to: xdr.ScAddress,
  parts: ReadonlyArray<readonly [amount: bigint, minimum: bigint]>
) => {
  const check = ([amount, minimum]: (typeof parts)[number]): void => {
    if (amount < minimum) host.fail(PoolError.minimumNotMet)
  }
  if (traits.burnsFirst) parts.forEach(check)
  for (const [at, token] of traits.tokens(host).entries()) {
    const part = parts[at] ?? host.trap()
    check(part)
    pay(host, token, to, part[0])
  }
}

const withdraw = (traits: SharePoolTraits): ContractFunction =>
  contractFunction(["address", "u128", "vec"], (host, [user, shares, given]) => {
    host.requireAuth(user)
    const tokens = traits.tokens(host)
    if (given.length !== tokens.length) host.fail(PoolError.wrongVectorSize)
    syncReserves(host, traits)
    const held = shareHolder(host, user)
    settleAll(host, held)
    if (traits.burnsFirst) burn(host, user, shares)
    const reserves = traits.reserves(host)
    const amounts = reserves.map((reserve) => mulDiv(reserve, shares, held.totalShares))
    const minimums = asAmounts(host, given)
    payAll(host, traits, user, amounts.map((amount, at) => [amount, minimums[at] ?? 0n]))
    const left = reserves.map((reserve, at) => reserve - (amounts[at] ?? 0n))
    traits.setReserves(host, left)
    if (!traits.burnsFirst) burn(host, user, shares)
    noteShares(host, { user, shares: held.shares - shares, totalShares: held.totalShares - shares })
    tellPlane(host, traits.planeData(host))
    emitLiquidity(host, "withdraw_liquidity", { tokens, amounts, shares })
    emitReserves(host, left)
    return vec(...amounts.map(u128))
  })

/** Called by the share token for each sender and receiver of shares. */
const checkpoint = contractFunction(["address", "address", "u128"], (host, [token, user, shares]) => {
  host.requireAuth(token)
  if (!sameAddress(token, shareToken(host))) host.fail(PoolError.unauthorized)
  settleAll(host, { user, shares, totalShares: amountAt(host, sharePoolKeys.totalShares) })
  return voidVal
})

/** What pools have in common whose shares are tokens. */
export const sharePoolFunctions = (traits: SharePoolTraits): Readonly<Record<string, ContractFunction>> => ({
  ...rewardFunctions({
    holder: shareHolder,
    notedHolder: shareHolder,
    claimKilled: sharePoolKeys.claimKilled,
    claimNeedsAuth: false,
    kept: (host) => {
      const [reserves, fees] = [traits.reserves(host), traits.protocolFees(host)]
      return traits.tokens(host).map((token, at) => ({ token, amount: (reserves[at] ?? 0n) + (fees[at] ?? 0n) }))
    }
  }),
  withdraw: withdraw(traits),
  checkpoint_reward: checkpoint,
  checkpoint_working_balance: checkpoint,
  pool_type: contractFunction([], () => symbol(traits.type)),
  share_id: contractFunction([], (host) => addressVal(shareToken(host))),
  get_tokens: contractFunction([], (host) => vec(...traits.tokens(host).map(addressVal))),
  get_reserves: contractFunction([], (host) => {
    syncReserves(host, traits)
    return vec(...traits.reserves(host).map(u128))
  }),
  get_total_shares: contractFunction([], (host) => u128(amountAt(host, sharePoolKeys.totalShares))),
  get_user_shares: contractFunction(["address"], (host, [user]) => u128(sharesOf(host, user))),
  get_fee_fraction: contractFunction([], (host) => u32(stored(host, traits.fee, asU32)))
})
