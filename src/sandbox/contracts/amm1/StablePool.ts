import type { xdr } from "@stellar/stellar-sdk"
import { contractFunction, type ContractHost, type ContractModel } from "../../../ledger/soroban/Contract.ts"
import { asAddress, asU128, asU32, asU64, asVec, struct, symbol, u128, u32, vec } from "../../../ledger/soroban/Values.ts"
import { pay, take } from "../HeldTokens.ts"
import { asAmounts, readAmounts } from "./Amounts.ts"
import { flagAt, stored, storedOr } from "./Instance.ts"
import { tellPlane } from "./Plane.ts"
import { PoolError } from "./PoolError.ts"
import { emitLiquidity, emitReserves, emitTrade } from "./PoolEvents.ts"
import { poolKeys, sharePoolKeys, stableKeys } from "./PoolKeys.ts"
import { mulDiv, mulDivUp } from "./Products.ts"
import { settleAll } from "./RewardFunctions.ts"
import { mintShares, noteShares, shareHolder, sharePoolFunctions, type SharePoolTraits, syncReserves } from "./SharePool.ts"
import { amplification, invariant } from "./StableInvariant.ts"
import { stableSwap } from "./StableSwap.ts"

export const stablePoolHash = "2543c8ea4e21d7033d5e30497fb6681f65ef319b8c402975f4a29888d9988067"

/** Parts a fee is counted in. */
const feeParts = 10_000n

const tokens = (host: ContractHost): ReadonlyArray<xdr.ScAddress> => stored(host, stableKeys.tokens, (value) => asVec(value).map(asAddress))

const reserves = (host: ContractHost): ReadonlyArray<bigint> => stored(host, stableKeys.reserves, readAmounts)

const setReserves = (host: ContractHost, amounts: ReadonlyArray<bigint>): void =>
  host.instance.set(stableKeys.reserves, vec(...amounts.map(u128)))

const protocolFees = (host: ContractHost): ReadonlyArray<bigint> =>
  storedOr(host, stableKeys.protocolFees, readAmounts, tokens(host).map(() => 0n))

/** By what amounts of each token are multiplied to be in the decimals of the token that has most. */
const scalesOf = (host: ContractHost): ReadonlyArray<bigint> => {
  const decimals = stored(host, stableKeys.decimals, (value) => asVec(value).map(asU32))
  const most = Math.max(...decimals)
  return decimals.map((own) => 10n ** BigInt(most - own))
}

/** Amounts in the decimals of the token that has most. */
const normalized = (host: ContractHost, amounts: ReadonlyArray<bigint>): ReadonlyArray<bigint> => {
  const scales = scalesOf(host)
  return amounts.map((amount, at) => amount * (scales[at] ?? 1n))
}

const traits: SharePoolTraits = {
  type: "stable",
  fee: stableKeys.fee,
  tokens,
  reserves,
  setReserves,
  protocolFees,
  planeData: (host) => ({
    type: "stable",
    parameters: [
      BigInt(stored(host, stableKeys.fee, asU32)),
      stored(host, stableKeys.initialA, asU128),
      stored(host, stableKeys.initialATime, asU64),
      stored(host, stableKeys.futureA, asU128),
      stored(host, stableKeys.futureATime, asU64)
    ],
    reserves: normalized(host, reserves(host))
  }),
  burnsFirst: false
}

/** What a deposit leaves in the pool, what of it is the protocol's, and by what the pool's invariant grows for the depositor. */
const charged = (host: ContractHost, before: ReadonlyArray<bigint>, after: ReadonlyArray<bigint>) => {
  const amp = amplification(host)
  const count = BigInt(before.length)
  const [d0, d1] = [invariant(host, normalized(host, before), amp), invariant(host, normalized(host, after), amp)]
  if (d1 <= d0) host.fail(PoolError.invariant)
  const fee = BigInt(stored(host, stableKeys.fee, asU32))
  const fraction = BigInt(storedOr(host, sharePoolKeys.protocolFeeFraction, asU32, 0))
  const fees = after.map((held, at) => {
    const ideal = mulDiv(d1, before[at] ?? 0n, d0)
    return mulDivUp(ideal > held ? ideal - held : held - ideal, fee * count, feeParts * 4n * (count - 1n))
  })
  const kept = fees.map((amount) => mulDivUp(amount, fraction, feeParts))
  const d2 = invariant(host, normalized(host, after.map((held, at) => held - (fees[at] ?? 0n))), amp)
  return { left: after.map((held, at) => held - (kept[at] ?? 0n)), kept, d0, d2 }
}

const deposit = contractFunction(["address", "vec", "u128"], (host, [user, given, least]) => {
  host.requireAuth(user)
  if (flagAt(host, poolKeys.depositKilled)) host.fail(PoolError.depositKilled)
  const coins = tokens(host)
  if (given.length !== coins.length) host.fail(PoolError.wrongVectorSize)
  syncReserves(host, traits)
  const holder = shareHolder(host, user)
  settleAll(host, holder)
  const isFirst = holder.totalShares === 0n
  const amounts = asAmounts(host, given)
  const before = reserves(host)
  for (const [at, token] of coins.entries()) {
    const amount = amounts[at] ?? 0n
    if (isFirst && amount === 0n) host.fail(PoolError.allCoinsRequired)
    if (amount > 0n) take(host, token, user, amount)
  }
  const after = before.map((held, at) => held + (amounts[at] ?? 0n))
  const { d0, d2, kept, left } = isFirst
    ? { left: after, kept: after.map(() => 0n), d0: 0n, d2: invariant(host, normalized(host, after), amplification(host)) }
    : charged(host, before, after)
  setReserves(host, left)
  host.instance.set(stableKeys.protocolFees, vec(...protocolFees(host).map((fee, at) => u128(fee + (kept[at] ?? 0n)))))
  const minted = isFirst ? d2 : mulDiv(holder.totalShares, d2 - d0, d0)
  if (minted < least) host.fail(PoolError.minimumNotMet)
  mintShares(host, user, minted)
  noteShares(host, { user, shares: holder.shares + minted, totalShares: holder.totalShares + minted })
  tellPlane(host, traits.planeData(host))
  emitLiquidity(host, "deposit_liquidity", { tokens: coins, amounts, shares: minted })
  emitReserves(host, left)
  return vec(vec(...amounts.map(u128)), u128(minted))
})

/** Only what refuses while swaps are switched off: paying shares out in one token is not modelled. */
const withdrawOneCoin = contractFunction(["address", "u128", "u32", "u128"], (host, [user]) => {
  host.requireAuth(user)
  return flagAt(host, poolKeys.swapKilled) ? host.fail(PoolError.swapKilled) : host.trap()
})

const swap = contractFunction(["address", "u32", "u32", "u128", "u128"], (host, [user, from, to, amount, least]) => {
  host.requireAuth(user)
  if (flagAt(host, poolKeys.swapKilled)) host.fail(PoolError.swapKilled)
  if (amount === 0n) host.fail(PoolError.zeroAmount)
  syncReserves(host, traits)
  const [held, coins] = [reserves(host), tokens(host)]
  const sold = coins[from] ?? host.trap()
  take(host, sold, user, amount)
  if (held[from] === 0n || (held[to] ?? host.trap()) === 0n) host.fail(PoolError.emptyPool)
  const { fee, ofProtocol, paid } = stableSwap(host, {
    held,
    scales: scalesOf(host),
    fee: BigInt(stored(host, stableKeys.fee, asU32)),
    protocolFraction: BigInt(storedOr(host, sharePoolKeys.protocolFeeFraction, asU32, 0))
  }, { from, to, amount })
  if (paid < least) host.fail(PoolError.minimumNotMet)
  const change = (at: number): bigint => {
    if (at === from) return amount - ofProtocol
    return at === to ? -paid : 0n
  }
  const left = held.map((one, at) => one + change(at))
  setReserves(host, left)
  host.instance.set(stableKeys.protocolFees, vec(...protocolFees(host).map((one, at) => u128(at === from ? one + ofProtocol : one))))
  const bought = coins[to] ?? host.trap()
  pay(host, bought, user, paid)
  tellPlane(host, traits.planeData(host))
  emitTrade(host, { user, sold, bought, amounts: [amount, paid, fee] })
  emitReserves(host, left)
  return u128(paid)
})

/** A pool of tokens that are worth about the same. Withdrawals out of proportion, buying an exact amount and administration are not modelled. */
export const stablePool: ContractModel = {
  instructions: 7_000_000,
  functions: {
    ...sharePoolFunctions(traits),
    deposit,
    swap,
    withdraw_one_coin: withdrawOneCoin,
    a: contractFunction([], (host) => u128(amplification(host))),
    get_decimals: contractFunction([], (host) => vec(...stored(host, stableKeys.decimals, asVec))),
    get_info: contractFunction([], (host) =>
      struct({
        pool_type: symbol(traits.type),
        fee: u32(stored(host, stableKeys.fee, asU32)),
        a: u128(amplification(host)),
        n_tokens: u32(tokens(host).length)
      }))
  }
}
