import type { xdr } from "@stellar/stellar-sdk"
import { contractFunction, type ContractHost, type ContractModel } from "../../../ledger/soroban/Contract.ts"
import {
  addressVal,
  asAddress,
  asBool,
  asI128,
  asVec,
  i128,
  sameAddress,
  string,
  struct,
  symbol,
  variant,
  vec,
  voidVal
} from "../../../ledger/soroban/Values.ts"
import { keepInstance } from "./InstanceLife.ts"
import { pairAddress } from "./PairAddress.ts"
import { type Amounts, checked } from "./PairReserves.ts"
import { type SortedTokens, sortedTokens } from "./SortedTokens.ts"

/** What an amount of one token is worth in the other at the price of the reserves, given in that order. */
const quote = (host: ContractHost, amount: bigint, [reserve, other]: Amounts): bigint => {
  if (amount <= 0n) host.fail(RouterError.noAmount)
  if (reserve <= 0n || other <= 0n) host.fail(RouterError.noLiquidity)
  return checked(host, amount * other) / reserve
}

/** What comes out of a pair for an amount that goes in, three in a thousand taken off. */
const amountOut = (host: ContractHost, amountIn: bigint, [reserveIn, reserveOut]: Amounts): bigint => {
  if (amountIn <= 0n) host.fail(RouterError.noInput)
  if (reserveIn <= 0n || reserveOut <= 0n) host.fail(RouterError.noLiquidity)
  const fee = (checked(host, amountIn * 3n) + 999n) / 1_000n
  return checked(host, (amountIn - fee) * reserveOut) / (reserveIn + amountIn - fee)
}

/** Error numbers of the router that its model ends calls with. */
const RouterError = {
  notInitialized: 501,
  negative: 502,
  deadline: 503,
  alreadyInitialized: 504,
  tooLittleOfFirst: 505,
  tooLittleOfSecond: 506,
  tooLittleOut: 507,
  noPair: 509,
  noAmount: 510,
  noLiquidity: 511,
  noInput: 512,
  invalidPath: 514,
  identicalTokens: 515
} as const

/** Hash of the router's code, as deployed. */
export const pairRouterHash = "4c3db3ebd2d6a2ab23de1f622eaabb39501539b4611b68622ec4e47f76c4ba07"

/** What the instance of the router keeps: its factory. */
export const routerFactoryKey: xdr.ScVal = variant("Factory")

interface TradeTerms {
  readonly amounts: ReadonlyArray<bigint>
  readonly to: xdr.ScAddress
  /** Unix seconds; a ledger of that time is too late. */
  readonly deadline: bigint
}

/** What every function does first. */
const begin = (host: ContractHost, { amounts, deadline, to }: TradeTerms): void => {
  if (!host.instance.has(routerFactoryKey)) host.fail(RouterError.notInitialized)
  if (amounts.some((amount) => amount < 0n)) host.fail(RouterError.negative)
  keepInstance(host)
  host.requireAuth(to)
  if (host.ledger.timestamp >= deadline) host.fail(RouterError.deadline)
}

const factoryOf = (host: ContractHost): xdr.ScAddress => asAddress(host.instance.get(routerFactoryKey) ?? host.trap())

const sorted = (host: ContractHost, left: xdr.ScAddress, right: xdr.ScAddress): SortedTokens =>
  sortedTokens(left, right, () => host.fail(RouterError.identicalTokens))

const pairOf = (host: ContractHost, left: xdr.ScAddress, right: xdr.ScAddress): xdr.ScAddress =>
  pairAddress(factoryOf(host), sorted(host, left, right), host.ledger.networkId)

const exists = (host: ContractHost, left: xdr.ScAddress, right: xdr.ScAddress): boolean =>
  asBool(host.call(factoryOf(host), "pair_exists", addressVal(left), addressVal(right)))

/** Two numbers a pair gave for its tokens, in the order in which the caller named them. */
const inOrder = (host: ContractHost, left: xdr.ScAddress, right: xdr.ScAddress, answer: xdr.ScVal): Amounts => {
  const [first, second] = asVec(answer).map(asI128)
  if (first === undefined || second === undefined) return host.trap()
  return sameAddress(left, sorted(host, left, right)[0]) ? [first, second] : [second, first]
}

const reservesOf = (host: ContractHost, left: xdr.ScAddress, right: xdr.ScAddress): Amounts =>
  inOrder(host, left, right, host.call(pairOf(host, left, right), "get_reserves"))

const take = (host: ContractHost, token: xdr.ScAddress, pair: xdr.ScAddress, { amount, from }: { amount: bigint; from: xdr.ScAddress }) =>
  host.call(token, "transfer", addressVal(from), addressVal(pair), i128(amount))

const tell = (host: ContractHost, kind: string, fields: Readonly<Record<string, xdr.ScVal>>): void =>
  host.emit([string("SoroswapRouter"), symbol(kind)], struct(fields))

/** How much of each token goes in at the price of the reserves, and no more than is wished. */
const fitting = (host: ContractHost, reserves: Amounts, wished: Amounts, least: Amounts): Amounts => {
  if (reserves[0] === 0n && reserves[1] === 0n) return wished
  const second = quote(host, wished[0], reserves)
  if (second <= wished[1]) return second < least[1] ? host.fail(RouterError.tooLittleOfSecond) : [wished[0], second]
  const first = quote(host, wished[1], [reserves[1], reserves[0]])
  if (first > wished[0]) host.trap()
  return first < least[0] ? host.fail(RouterError.tooLittleOfFirst) : [first, wished[1]]
}

/** The way into and out of pairs, which moves shares and tokens in one call. Buying an exact amount and quotes are not modelled. */
export const router: ContractModel = {
  instructions: 1_000_000,
  functions: {
    initialize: contractFunction(["address"], (host, [factory]) => {
      if (host.instance.has(routerFactoryKey)) host.fail(RouterError.alreadyInitialized)
      host.instance.set(routerFactoryKey, addressVal(factory))
      tell(host, "init", { factory: addressVal(factory) })
      keepInstance(host)
      return voidVal
    }),
    get_factory: contractFunction([], (host) => {
      if (!host.instance.has(routerFactoryKey)) host.fail(RouterError.notInitialized)
      keepInstance(host)
      return addressVal(factoryOf(host))
    }),
    add_liquidity: contractFunction(
      ["address", "address", "i128", "i128", "i128", "i128", "address", "u64"],
      (host, [left, right, wishedLeft, wishedRight, leastLeft, leastRight, to, deadline]) => {
        begin(host, { amounts: [wishedLeft, wishedRight, leastLeft, leastRight], to, deadline })
        if (!exists(host, left, right)) host.call(factoryOf(host), "create_pair", addressVal(left), addressVal(right))
        const amounts = fitting(host, reservesOf(host, left, right), [wishedLeft, wishedRight], [leastLeft, leastRight])
        const pair = pairOf(host, left, right)
        take(host, left, pair, { from: to, amount: amounts[0] })
        take(host, right, pair, { from: to, amount: amounts[1] })
        const shares = host.call(pair, "deposit", addressVal(to))
        tell(host, "add", {
          token_a: addressVal(left),
          token_b: addressVal(right),
          pair: addressVal(pair),
          amount_a: i128(amounts[0]),
          amount_b: i128(amounts[1]),
          liquidity: shares,
          to: addressVal(to)
        })
        return vec(...amounts.map(i128), shares)
      }
    ),
    remove_liquidity: contractFunction(
      ["address", "address", "i128", "i128", "i128", "address", "u64"],
      (host, [left, right, shares, leastLeft, leastRight, to, deadline]) => {
        begin(host, { amounts: [shares, leastLeft, leastRight], to, deadline })
        if (!exists(host, left, right)) host.fail(RouterError.noPair)
        const pair = pairOf(host, left, right)
        take(host, pair, pair, { from: to, amount: shares })
        const amounts = inOrder(host, left, right, host.call(pair, "withdraw", addressVal(to)))
        if (amounts[0] < leastLeft) host.fail(RouterError.tooLittleOfFirst)
        if (amounts[1] < leastRight) host.fail(RouterError.tooLittleOfSecond)
        tell(host, "remove", {
          token_a: addressVal(left),
          token_b: addressVal(right),
          pair: addressVal(pair),
          amount_a: i128(amounts[0]),
          amount_b: i128(amounts[1]),
          liquidity: i128(shares),
          to: addressVal(to)
        })
        return vec(...amounts.map(i128))
      }
    ),
    swap_exact_tokens_for_tokens: contractFunction(
      ["i128", "i128", "vec", "address", "u64"],
      (host, [amountIn, leastOut, tokens, to, deadline]) => {
        begin(host, { amounts: [amountIn, leastOut], to, deadline })
        const path = tokens.map(asAddress)
        const amounts = amountsAlong(host, amountIn, path)
        if ((amounts.at(-1) ?? 0n) < leastOut) host.fail(RouterError.tooLittleOut)
        const [sold, bought] = path
        if (sold === undefined || bought === undefined) return host.trap()
        take(host, sold, pairOf(host, sold, bought), { from: to, amount: amountIn })
        swapAlong(host, path, amounts, to)
        tell(host, "swap", { path: vec(...path.map(addressVal)), amounts: vec(...amounts.map(i128)), to: addressVal(to) })
        return vec(...amounts.map(i128))
      }
    )
  }
}

/** Two neighbours on a path. */
const hopsOf = (path: ReadonlyArray<xdr.ScAddress>): ReadonlyArray<readonly [xdr.ScAddress, xdr.ScAddress]> =>
  path.slice(1).flatMap((token, at) => {
    const before = path[at]
    return before === undefined ? [] : [[before, token] as const]
  })

/** What goes in, and what comes out of every pair on the way. */
const amountsAlong = (host: ContractHost, amountIn: bigint, path: ReadonlyArray<xdr.ScAddress>): ReadonlyArray<bigint> => {
  if (path.length < 2) host.fail(RouterError.invalidPath)
  const amounts = [amountIn]
  for (const [sold, bought] of hopsOf(path)) amounts.push(amountOut(host, amounts.at(-1) ?? 0n, reservesOf(host, sold, bought)))
  return amounts
}

const swapAlong = (host: ContractHost, path: ReadonlyArray<xdr.ScAddress>, amounts: ReadonlyArray<bigint>, to: xdr.ScAddress): void => {
  for (const [at, [sold, bought]] of hopsOf(path).entries()) {
    const out = amounts[at + 1] ?? 0n
    const [firstOut, secondOut] = sameAddress(sold, sorted(host, sold, bought)[0]) ? [0n, out] : [out, 0n]
    const after = path[at + 2]
    const receiver = after === undefined ? to : pairOf(host, bought, after)
    host.call(pairOf(host, sold, bought), "swap", i128(firstOut), i128(secondOut), addressVal(receiver))
  }
}
