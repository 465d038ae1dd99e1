import { xdr } from "@stellar/stellar-sdk"
import { sha256 } from "../../../ledger/Signatures.ts"
import { type ContractFunction, contractFunction, type ContractHost, type ContractModel } from "../../../ledger/soroban/Contract.ts"
import {
  addressVal,
  asAddress,
  asVec,
  compareValues,
  field,
  lookup,
  mapOf,
  struct,
  symbol,
  u128,
  u32,
  variant,
  vec
} from "../../../ledger/soroban/Values.ts"
import { xdrBytes } from "../../../xdr/XdrBytes.ts"
import { extendInstance, readAndExtend } from "./ExtendedEntries.ts"
import { amountAt } from "./Instance.ts"
import { swapChained } from "./SwapChain.ts"

export const routerHash = "9105676a33563379345d16889f655f106abdff1159c0d2645ffcd56bdb16b5d6"

/** How many sets of tokens there are pools of. */
export const setCountKey = variant("TokensSetCounter")

export const tokensSetKey = (index: bigint): xdr.ScVal => variant("TokensSet", u128(index))

/** Names a set of tokens, in their order. */
export const tokensSalt = (tokens: ReadonlyArray<xdr.ScVal>): Uint8Array => sha256(Buffer.concat(tokens.map(xdrBytes)))

export const poolsKey = (salt: Uint8Array): xdr.ScVal => variant("TokensSetPools", xdr.ScVal.scvBytes(salt))

const poolTypes = { constant_product: 1, stable: 2, concentrated: 3 } as const

/** One pool of a set of tokens, under an index of 32 bytes. */
export const poolEntry = (index: Uint8Array, pool: xdr.ScAddress, type: keyof typeof poolTypes) =>
  [xdr.ScVal.scvBytes(index), struct({ address: addressVal(pool), pool_type: u32(poolTypes[type]) })] as const

const notInitialized = 501
const poolNotFound = 404
const tokensNotSorted = 2002

const poolsOf = (host: ContractHost, tokens: ReadonlyArray<xdr.ScVal>): xdr.ScVal =>
  readAndExtend(host, poolsKey(tokensSalt(tokens))) ?? mapOf([])

const plain = (pools: xdr.ScVal): xdr.ScVal =>
  pools.type === "scvMap" ? mapOf((pools.map ?? []).map(({ key, val }) => [key, field(val, "address")])) : pools

const poolAt = (host: ContractHost, tokens: ReadonlyArray<xdr.ScVal>, index: Uint8Array): xdr.ScAddress => {
  const found = lookup(poolsOf(host, tokens), xdr.ScVal.scvBytes(index))
  return found === undefined ? host.fail(poolNotFound) : asAddress(field(found, "address"))
}

const tokensOf = (host: ContractHost, index: bigint): ReadonlyArray<xdr.ScVal> =>
  asVec(readAndExtend(host, tokensSetKey(index)) ?? host.fail(notInitialized))

/** Forwards a call of the router to the pool that its arguments name. */
const ofPool = (fn: string): ContractFunction =>
  contractFunction(["vec", "bytes"], (host, [tokens, index]) => host.call(poolAt(host, tokens, index), fn))

const ofUser = (fn: string): ContractFunction =>
  contractFunction(
    ["address", "vec", "bytes"],
    (host, [user, tokens, index]) => host.call(poolAt(host, tokens, index), fn, addressVal(user))
  )

const requireSorted = (host: ContractHost, tokens: ReadonlyArray<xdr.ScVal>): void => {
  if (tokens.some((token, at) => at > 0 && compareValues(tokens[at - 1] ?? token, token) >= 0)) host.fail(tokensNotSorted)
}

const withdraw = contractFunction(["address", "vec", "bytes", "u128", "vec"], (host, [user, tokens, index, shares, minimums]) => {
  host.requireAuth(user)
  extendInstance(host)
  requireSorted(host, tokens)
  const pool = poolAt(host, tokens, index)
  const amounts = host.call(pool, "withdraw", addressVal(user), u128(shares), vec(...minimums))
  host.emit([symbol("withdraw"), vec(...tokens), addressVal(user)], vec(addressVal(pool), u128(shares), amounts))
  return amounts
})

/** The contract that knows every pool, by sets of tokens that are only added to. Setting up pools and buying an exact amount is not modelled. */
export const router: ContractModel = {
  instructions: 3_000_000,
  functions: {
    get_tokens_sets_count: contractFunction([], (host) => u128(amountAt(host, setCountKey))),
    get_tokens: contractFunction(["u128"], (host, [index]) => vec(...tokensOf(host, index))),
    get_pools: contractFunction(["vec"], (host, [tokens]) => plain(poolsOf(host, tokens))),
    get_pools_for_tokens_range: contractFunction(["u128", "u128"], (host, [from, to]) => {
      const indexes = Array.from({ length: Number(to > from ? to - from : 0n) }, (_, at) => from + BigInt(at))
      return vec(
        ...indexes.map((index) => {
          const tokens = tokensOf(host, index)
          return vec(vec(...tokens), plain(poolsOf(host, tokens)))
        })
      )
    }),
    get_pool: contractFunction(["vec", "bytes"], (host, [tokens, index]) => addressVal(poolAt(host, tokens, index))),
    share_id: ofPool("share_id"),
    pool_type: ofPool("pool_type"),
    get_info: ofPool("get_info"),
    get_reserves: ofPool("get_reserves"),
    get_user_reward: ofUser("get_user_reward"),
    get_rewards_info: ofUser("get_rewards_info"),
    withdraw,
    swap_chained: swapChained((host, tokens, index) => {
      requireSorted(host, tokens)
      return poolAt(host, tokens, index)
    })
  }
}
