import type { xdr } from "@stellar/stellar-sdk"
import { contractFunction, type ContractHost } from "../../../ledger/soroban/Contract.ts"
import { addressVal, i128, sameAddress, voidVal } from "../../../ledger/soroban/Values.ts"
import { pay } from "../HeldTokens.ts"
import { mintFee, rememberProduct, wholeRoot } from "./FeeMint.ts"
import { keepInstance } from "./InstanceLife.ts"
import { PairError } from "./PairError.ts"
import {
  type Amounts,
  balancesOf,
  checked,
  isInitialized,
  newReserves,
  reservesOf,
  setReserves,
  tellOfPair,
  tokensOf
} from "./PairReserves.ts"
import { burnShares, mintShares, sharesOf, totalSupply } from "./PairShares.ts"

/** Shares that stay in the pair for good. */
export const minimumLiquidity = 1_000n

const begin = (host: ContractHost): void => {
  keepInstance(host)
  if (!isInitialized(host)) host.fail(PairError.notInitialized)
}

const newShares = (host: ContractHost, [first, second]: Amounts, reserves: Amounts): bigint => {
  const supply = totalSupply(host)
  if (supply > 0n) {
    const byFirst = checked(host, first * supply) / (reserves[0] === 0n ? host.trap() : reserves[0])
    const bySecond = checked(host, second * supply) / (reserves[1] === 0n ? host.trap() : reserves[1])
    return byFirst < bySecond ? byFirst : bySecond
  }
  mintShares(host, host.address, minimumLiquidity)
  const shares = wholeRoot(checked(host, first * second))
  return shares <= minimumLiquidity ? host.fail(PairError.tooLittleAtFirst) : shares - minimumLiquidity
}

/** Mints shares for the tokens that were sent to the pair before. */
export const deposit = contractFunction(["address"], (host, [to]) => {
  begin(host)
  const [reserves, balances] = [reservesOf(host), balancesOf(host)]
  const amounts: Amounts = [balances[0] - reserves[0], balances[1] - reserves[1]]
  if (amounts[0] <= 0n) host.fail(PairError.noDepositOfFirst)
  if (amounts[1] <= 0n) host.fail(PairError.noDepositOfSecond)
  const takesFees = mintFee(host, reserves)
  const shares = newShares(host, amounts, reserves)
  if (shares <= 0n) host.fail(PairError.noSharesMinted)
  mintShares(host, to, shares)
  setReserves(host, balances)
  if (takesFees) rememberProduct(host)
  tellOfPair(host, "deposit", {
    to: addressVal(to),
    amount_0: i128(amounts[0]),
    amount_1: i128(amounts[1]),
    liquidity: i128(shares),
    ...newReserves(balances)
  })
  return i128(shares)
})

/**
 * Burns the shares that were sent to the pair before and pays what they are worth. It requires no authorization, so the first caller
 * decides who is paid.
 */
export const withdraw = (host: ContractHost, to: xdr.ScAddress): Amounts => {
  begin(host)
  const held = sharesOf(host, host.address)
  if (held === 0n) host.fail(PairError.noShares)
  const [reserves, balances] = [reservesOf(host), balancesOf(host)]
  const shares = held - minimumLiquidity
  if (shares <= 0n) host.fail(PairError.noSharesSent)
  const takesFees = mintFee(host, reserves)
  const supply = totalSupply(host)
  const amounts: Amounts = [checked(host, balances[0] * shares) / supply, checked(host, balances[1] * shares) / supply]
  if (amounts[0] <= 0n || amounts[1] <= 0n) host.fail(PairError.paysNothing)
  burnShares(host, host.address, shares)
  const [first, second] = tokensOf(host)
  pay(host, first, to, amounts[0])
  pay(host, second, to, amounts[1])
  const left = balancesOf(host)
  setReserves(host, left)
  if (takesFees) rememberProduct(host)
  tellOfPair(host, "withdraw", {
    to: addressVal(to),
    liquidity: i128(shares),
    amount_0: i128(amounts[0]),
    amount_1: i128(amounts[1]),
    ...newReserves(left)
  })
  return amounts
}

/** Three in a thousand, rounded up. */
const fee = (amount: bigint): bigint => (amount * 3n + 999n) / 1_000n

const cameIn = (balance: bigint, expected: bigint): bigint => (balance > expected ? balance - expected : 0n)

const requireOutput = (host: ContractHost, [first, second]: Amounts, reserves: Amounts): void => {
  if (first === 0n && second === 0n) host.fail(PairError.noOutput)
  if (first < 0n || second < 0n) host.fail(PairError.negativeOutput)
  if (first >= reserves[0] || second >= reserves[1]) host.fail(PairError.moreThanReserves)
}

/** Pays out for what was sent to the pair before, as far as the product of the reserves does not fall. */
export const swap = contractFunction(["i128", "i128", "address"], (host, [firstOut, secondOut, to]) => {
  begin(host)
  const reserves = reservesOf(host)
  requireOutput(host, [firstOut, secondOut], reserves)
  const [first, second] = tokensOf(host)
  if (sameAddress(to, first) || sameAddress(to, second)) host.fail(PairError.toItsToken)
  if (firstOut > 0n) pay(host, first, to, firstOut)
  if (secondOut > 0n) pay(host, second, to, secondOut)
  const balances = balancesOf(host)
  const [firstIn, secondIn] = [cameIn(balances[0], reserves[0] - firstOut), cameIn(balances[1], reserves[1] - secondOut)]
  if (firstIn === 0n && secondIn === 0n) host.fail(PairError.noInput)
  const product = checked(host, (balances[0] - fee(firstIn)) * (balances[1] - fee(secondIn)))
  if (product < checked(host, reserves[0] * reserves[1])) host.fail(PairError.productFell)
  setReserves(host, balances)
  tellOfPair(host, "swap", {
    to: addressVal(to),
    amount_0_in: i128(firstIn),
    amount_1_in: i128(secondIn),
    amount_0_out: i128(firstOut),
    amount_1_out: i128(secondOut)
  })
  return voidVal
})
