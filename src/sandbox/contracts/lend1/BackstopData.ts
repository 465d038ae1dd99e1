import type { xdr } from "@stellar/stellar-sdk"
import { type ContractFunction, contractFunction, type ContractHost } from "../../../ledger/soroban/Contract.ts"
import { addressVal, asAddress, asI128, i128, struct } from "../../../ledger/soroban/Values.ts"
import { BACKSTOP_INSTANCE } from "./BackstopKeys.ts"
import { narrow } from "./FixedPoint.ts"
import { readPoolBalance } from "./PoolBalance.ts"
import { SEVEN } from "./PoolTraits.ts"

const addressOf = (host: ContractHost, key: xdr.ScVal): xdr.ScAddress => asAddress(host.instance.get(key) ?? host.trap())

/** What backs a pool, and what that is worth in the assets of the liquidity pool. */
export const poolData: ContractFunction = contractFunction(["address"], (host, [pool]) => {
  const { queued, shares, tokens } = readPoolBalance(host, pool)
  const token = addressOf(host, BACKSTOP_INSTANCE.token)
  const total = asI128(host.call(token, "get_total_supply"))
  const perToken = (key: xdr.ScVal): bigint =>
    narrow.divFloor(asI128(host.call(token, "get_balance", addressVal(addressOf(host, key)))), total, SEVEN)
  const [blnd, usdc] = [perToken(BACKSTOP_INSTANCE.blnd), perToken(BACKSTOP_INSTANCE.usdc)]
  return struct({
    blnd: i128(narrow.mulFloor(tokens, blnd, SEVEN)),
    q4w_pct: i128(shares > 0n ? narrow.divCeil(queued, shares, SEVEN) : 0n),
    shares: i128(shares),
    token_spot_price: i128(usdc * 5n),
    tokens: i128(tokens),
    usdc: i128(narrow.mulFloor(tokens, usdc, SEVEN))
  })
})
