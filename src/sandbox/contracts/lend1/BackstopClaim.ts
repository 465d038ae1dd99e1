import { xdr } from "@stellar/stellar-sdk"
import { type ContractFunction, contractFunction, type ContractHost } from "../../../ledger/soroban/Contract.ts"
import { addressVal, asAddress, asI128, i128, strkeyOf, symbol, u32, vec } from "../../../ledger/soroban/Values.ts"
import { claimBackstopEmissions } from "./BackstopEmissions.ts"
import { BackstopError } from "./BackstopError.ts"
import { BACKSTOP_INSTANCE } from "./BackstopKeys.ts"
import { decoding } from "./Decoding.ts"
import { narrow } from "./FixedPoint.ts"
import { keepInstance } from "./Kept.ts"
import { readPoolBalance, sharesFor, withDeposit, writePoolBalance } from "./PoolBalance.ts"
import { allowanceEnd } from "./Tokens.ts"
import { readUserBalance, writeUserBalance } from "./UserBalance.ts"

/** Puts BLND of the backstop into the liquidity pool alone, for shares of it. */
const joined = (host: ContractHost, amount: bigint, least: bigint): bigint => {
  const blnd = asAddress(host.instance.get(BACKSTOP_INSTANCE.blnd) ?? host.trap())
  const token = asAddress(host.instance.get(BACKSTOP_INSTANCE.token) ?? host.trap())
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

/** What a user earned with pools becomes new shares of their backstops; answers with the tokens that stand for them. */
export const backstopClaim: ContractFunction = contractFunction(["address", "vec", "i128"], (host, from, list, least) => {
  keepInstance(host)
  host.requireAuth(from)
  const pools = decoding(host, () => list.map(asAddress))
  if (pools.length === 0) host.fail(BackstopError.badRequest)
  const claims = new Map<string, { readonly pool: xdr.ScAddress; readonly amount: bigint }>()
  for (const pool of pools) {
    const [poolBalance, userBalance] = [readPoolBalance(host, pool), readUserBalance(host, pool, from)]
    const amount = claimBackstopEmissions(host, { pool, user: from, poolBalance, userBalance })
    if (claims.has(strkeyOf(pool))) host.fail(BackstopError.badRequest)
    claims.set(strkeyOf(pool), { pool, amount })
  }
  const claimed = Array.from(claims.values()).reduce((sum, { amount }) => sum + amount, 0n)
  const tokens = claimed > 0n ? joined(host, claimed, least) : 0n
  for (const { amount, pool } of claims.values()) {
    const share = claimed > 0n ? narrow.mulFloor(tokens, amount, claimed) : 0n
    if (share > 0n) deposit(host, pool, from, share)
  }
  host.emit([symbol("claim"), addressVal(from)], i128(tokens))
  return i128(tokens)
})
