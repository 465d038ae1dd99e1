import { xdr } from "@stellar/stellar-sdk"
import { type ContractFunction, contractFunction, type ContractHost } from "../../../ledger/soroban/Contract.ts"
import { addressVal, asAddress, asI128, i128, sameAddress, strkeyOf, symbol, u32, vec } from "../../../ledger/soroban/Values.ts"
import { claimBackstopEmissions } from "./BackstopEmissions.ts"
import { BackstopError } from "./BackstopError.ts"
import { backstopInstanceKeys } from "./BackstopKeys.ts"
import { type BackstopTraits, backstopV1Traits, backstopV2Traits } from "./BackstopTraits.ts"
import { decoding } from "./Decoding.ts"
import { extendInstance } from "./ExtendedEntries.ts"
import { narrow } from "./FixedPoint.ts"
import { readPoolBalance, sharesFor, withDeposit, writePoolBalance } from "./PoolBalance.ts"
import { allowanceEnd } from "./Tokens.ts"
import { readUserBalance, writeUserBalance } from "./UserBalance.ts"

/** Puts BLND of the backstop into the liquidity pool alone, for shares of it. */
const joined = (host: ContractHost, amount: bigint, least: bigint): bigint => {
  const blnd = asAddress(host.instance.get(backstopInstanceKeys.blnd) ?? host.trap())
  const token = asAddress(host.instance.get(backstopInstanceKeys.token) ?? host.trap())
  const args = [addressVal(host.address), addressVal(token), i128(amount), u32(allowanceEnd(host))]
  const approval = new xdr.InvokeContractArgs({ contractAddress: blnd, functionName: "approve", args })
  host.authorizeAsContract([
    new xdr.SorobanAuthorizedInvocation({
      function: xdr.SorobanAuthorizedFunction.sorobanAuthorizedFunctionTypeContractFn(approval),
      subInvocations: []
    })
  ])
  return asI128(
    host.call(token, "dep_tokn_amt_in_get_lp_tokns_out", addressVal(blnd), i128(amount), i128(least), addressVal(host.address))
  )
}

const deposit = (host: ContractHost, pool: xdr.ScAddress, user: xdr.ScAddress, tokens: bigint): void => {
  const balance = readPoolBalance(host, pool)
  const before = readUserBalance(host, pool, user)
  const shares = sharesFor(balance, tokens)
  writePoolBalance(host, pool, withDeposit(balance, tokens, shares))
  writeUserBalance(host, pool, user, { ...before, shares: before.shares + shares })
  host.emit([symbol("deposit"), addressVal(pool), addressVal(user)], vec(i128(tokens), i128(shares)))
}

/** What is claimed, and who the new shares are for. */
interface Claim {
  readonly traits: BackstopTraits
  readonly from: xdr.ScAddress
  readonly to: xdr.ScAddress
  readonly list: ReadonlyArray<xdr.ScVal>
  /** The least the liquidity pool must give. */
  readonly least: bigint
}

/** What a user earned with each pool of a list. One named twice is refused by the second version; in the first its later, empty claim counts. */
const earned = (
  host: ContractHost,
  { from, list, traits }: Claim
): ReadonlyArray<{ readonly pool: xdr.ScAddress; readonly amount: bigint }> => {
  const pools = decoding(host, () => list.map(asAddress))
  if (pools.length === 0) host.fail(BackstopError.badRequest)
  const named = new Set<string>()
  return pools.map((pool) => {
    const [poolBalance, userBalance] = [readPoolBalance(host, pool), readUserBalance(host, pool, from)]
    const amount = claimBackstopEmissions(host, { traits, pool, user: from, poolBalance, userBalance })
    if (traits.version === 2 && named.has(strkeyOf(pool))) host.fail(BackstopError.badRequest)
    named.add(strkeyOf(pool))
    return { pool, amount }
  })
}

/** Makes what was earned new shares of the backstops of its pools. */
const claimed = (host: ContractHost, claim: Claim): { readonly amount: bigint; readonly tokens: bigint } => {
  extendInstance(host)
  host.requireAuth(claim.from)
  const claims = earned(host, claim)
  const amount = claims.reduce((sum, one) => sum + one.amount, 0n)
  const tokens = amount > 0n ? joined(host, amount, claim.least) : 0n
  for (const { pool } of amount > 0n ? claims : []) {
    const own = claims.findLast((one) => sameAddress(one.pool, pool))?.amount ?? 0n
    const share = narrow.mulFloor(tokens, own, amount)
    if (share > 0n || claim.traits.version === 1) deposit(host, pool, claim.to, share)
  }
  return { amount, tokens }
}

/** Of the first version: the shares may be for another, the liquidity pool may give anything, and the answer is BLND. */
export const backstopClaimV1: ContractFunction = contractFunction(["address", "vec", "address"], (host, [from, list, to]) => {
  const { amount } = claimed(host, { traits: backstopV1Traits, from, to, list, least: 0n })
  host.emit([symbol("claim"), addressVal(from)], i128(amount))
  return i128(amount)
})

/** Of the second version: the answer is what the liquidity pool gave. */
export const backstopClaim: ContractFunction = contractFunction(["address", "vec", "i128"], (host, [from, list, least]) => {
  const { tokens } = claimed(host, { traits: backstopV2Traits, from, to: from, list, least })
  host.emit([symbol("claim"), addressVal(from)], i128(tokens))
  return i128(tokens)
})
