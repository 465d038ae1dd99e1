import type { xdr } from "@stellar/stellar-sdk"
import { contractFunction, type ContractHost, type ContractModel } from "../../../ledger/soroban/Contract.ts"
import { asAddress, asU128, asU32, struct, symbol, u128, u32, vec } from "../../../ledger/soroban/Values.ts"
import { pay, take } from "../HeldTokens.ts"
import { asAmounts } from "./Amounts.ts"
import { amountAt, flagAt, stored, storedOr } from "./Instance.ts"
import { tellPlane } from "./Plane.ts"
import { PoolError } from "./PoolError.ts"
import { emitLiquidity, emitReserves, emitTrade } from "./PoolEvents.ts"
import { constantProductKeys, poolKeys, sharePoolKeys } from "./PoolKeys.ts"
import { mulDiv, squareRoot } from "./Products.ts"
import { settleAll } from "./RewardFunctions.ts"
import { mintShares, noteShares, shareHolder, sharePoolFunctions, type SharePoolTraits, syncReserves } from "./SharePool.ts"

export const constantProductPoolHash = "47352e355bbf930e360eeb964d2b988ac33999418630efadc946effb3c085e03"

/** Parts a fee is counted in. */
const feeParts = 10_000n

type ReservePair = readonly [bigint, bigint]

const reserves = (host: ContractHost): ReservePair => [
  stored(host, constantProductKeys.reserveA, asU128),
  stored(host, constantProductKeys.reserveB, asU128)
]

const setReserves = (host: ContractHost, [a, b]: ReadonlyArray<bigint>): void => {
  host.instance.set(constantProductKeys.reserveA, u128(a ?? host.trap()))
  host.instance.set(constantProductKeys.reserveB, u128(b ?? host.trap()))
}

const tokens = (host: ContractHost): readonly [xdr.ScAddress, xdr.ScAddress] => [
  stored(host, constantProductKeys.tokenA, asAddress),
  stored(host, constantProductKeys.tokenB, asAddress)
]

const feeOf = (host: ContractHost): number => stored(host, constantProductKeys.fee, asU32)

const traits: SharePoolTraits = {
  type: "constant_product",
  fee: constantProductKeys.fee,
  tokens,
  reserves,
  setReserves,
  protocolFees: (host) => [amountAt(host, constantProductKeys.protocolFeeA), amountAt(host, constantProductKeys.protocolFeeB)],
  planeData: (host) => ({ type: "standard", parameters: [BigInt(feeOf(host))], reserves: reserves(host) }),
  burnsFirst: true
}

/** What of two desired amounts goes into a pool, in the proportion of what it holds. */
const fitting = (host: ContractHost, [wantedA, wantedB]: ReservePair, [heldA, heldB]: ReservePair): ReservePair => {
  if (heldA === 0n && heldB === 0n) return [wantedA, wantedB]
  const b = mulDiv(wantedA, heldB, heldA)
  if (b <= wantedB) return [wantedA, b]
  const a = mulDiv(wantedB, heldA, heldB)
  return a > wantedA ? host.fail(PoolError.invalidDeposit) : [a, wantedB]
}

/** How many shares there are once a pool holds so much; the first deposit decides what a share is. */
const sharesFor = ([afterA, afterB]: ReservePair, [heldA, heldB]: ReservePair, shares: bigint): bigint => {
  if (heldA === 0n || heldB === 0n) return squareRoot(afterA * afterB)
  const [byA, byB] = [mulDiv(afterA, shares, heldA), mulDiv(afterB, shares, heldB)]
  return byA < byB ? byA : byB
}

/** Takes all that was offered, and gives back what does not fit the pool's proportion. */
const takeBoth = (host: ContractHost, user: xdr.ScAddress, [wantedA, wantedB]: ReservePair, held: ReservePair): ReservePair => {
  const [tokenA, tokenB] = tokens(host)
  take(host, tokenA, user, wantedA)
  take(host, tokenB, user, wantedB)
  const [a, b] = fitting(host, [wantedA, wantedB], held)
  if (a < wantedA) pay(host, tokenA, user, wantedA - a)
  if (b < wantedB) pay(host, tokenB, user, wantedB - b)
  return [a, b]
}

const deposit = contractFunction(["address", "vec", "u128"], (host, [user, given, least]) => {
  host.requireAuth(user)
  if (flagAt(host, poolKeys.depositKilled)) host.fail(PoolError.depositKilled)
  if (given.length !== 2) host.fail(PoolError.wrongVectorSize)
  syncReserves(host, traits)
  const [heldA, heldB] = reserves(host)
  const holder = shareHolder(host, user)
  settleAll(host, holder)
  const [wantedA = 0n, wantedB = 0n] = asAmounts(host, given)
  if (heldA === 0n && heldB === 0n && (wantedA === 0n || wantedB === 0n)) host.fail(PoolError.allCoinsRequired)
  const [a, b] = takeBoth(host, user, [wantedA, wantedB], [heldA, heldB])
  const after: ReservePair = [heldA + a, heldB + b]
  const total = sharesFor(after, [heldA, heldB], holder.totalShares)
  const minted = total - holder.totalShares
  if (minted < least) host.fail(PoolError.minimumNotMet)
  mintShares(host, user, minted)
  setReserves(host, after)
  noteShares(host, { user, totalShares: total, shares: holder.shares + minted })
  tellPlane(host, traits.planeData(host))
  emitLiquidity(host, "deposit_liquidity", { tokens: tokens(host), amounts: [a, b], shares: minted })
  emitReserves(host, after)
  return vec(vec(u128(a), u128(b)), u128(minted))
})

const requireIndexes = (host: ContractHost, from: number, to: number): void => {
  if (from === to) host.fail(PoolError.sameToken)
  if (from > 1) host.fail(PoolError.inTokenOutOfBounds)
  if (to > 1) host.fail(PoolError.outTokenOutOfBounds)
}

const swap = contractFunction(["address", "u32", "u32", "u128", "u128"], (host, [user, from, to, sold, least]) => {
  host.requireAuth(user)
  if (flagAt(host, poolKeys.swapKilled)) host.fail(PoolError.swapKilled)
  requireIndexes(host, from, to)
  if (sold === 0n) host.fail(PoolError.zeroAmount)
  syncReserves(host, traits)
  const held = [...reserves(host)]
  const [selling, buying] = [held[from] ?? 0n, held[to] ?? 0n]
  if (selling === 0n || buying === 0n) host.fail(PoolError.emptyPool)
  const traded = (sold * (feeParts - BigInt(feeOf(host)))) / feeParts
  const bought = mulDiv(traded, buying, selling + traded)
  const protocolFee = ((sold - traded) * BigInt(storedOr(host, sharePoolKeys.protocolFeeFraction, asU32, 0))) / feeParts
  if (bought < least) host.fail(PoolError.minimumNotMet)
  const pair = tokens(host)
  const [soldToken, boughtToken] = [pair[from] ?? host.trap(), pair[to] ?? host.trap()]
  take(host, soldToken, user, sold)
  pay(host, boughtToken, user, bought)
  held[from] = selling + sold - protocolFee
  held[to] = buying - bought
  const feeKey = from === 0 ? constantProductKeys.protocolFeeA : constantProductKeys.protocolFeeB
  host.instance.set(feeKey, u128(amountAt(host, feeKey) + protocolFee))
  setReserves(host, held)
  tellPlane(host, traits.planeData(host))
  emitTrade(host, { user, sold: soldToken, bought: boughtToken, amounts: [sold, bought, sold - traded - protocolFee] })
  emitReserves(host, held)
  return u128(bought)
})

/** A pool of two tokens whose product stays. Administration and swaps for an exact amount are not modelled. */
export const constantProductPool: ContractModel = {
  instructions: 6_000_000,
  functions: {
    ...sharePoolFunctions(traits),
    deposit,
    swap,
    get_info: contractFunction([], (host) => struct({ pool_type: symbol(traits.type), fee: u32(feeOf(host)) }))
  }
}
