import type { xdr } from "@stellar/stellar-sdk"
import { type ContractFunction, contractFunction, type ContractHost, type ContractModel } from "../../../ledger/soroban/Contract.ts"
import {
  addressVal,
  asAddress,
  asBool,
  asI128,
  i128,
  sameAddress,
  struct,
  symbol,
  u64,
  vec,
  voidVal
} from "../../../ledger/soroban/Values.ts"
import { backstopClaim, backstopClaimV1 } from "./BackstopClaim.ts"
import { updateBackstopEmissions } from "./BackstopEmissions.ts"
import { BackstopError } from "./BackstopError.ts"
import { backstopInstanceKeys, rewardZoneKey } from "./BackstopKeys.ts"
import { type BackstopTraits, backstopV1Traits, backstopV2Traits } from "./BackstopTraits.ts"
import { extendInstance, readAndExtend, sharedLife } from "./ExtendedEntries.ts"
import { narrow } from "./FixedPoint.ts"
import { readPoolBalance, sharesFor, tokensFor, withDeposit, withoutQueued, withoutTokens, writePoolBalance } from "./PoolBalance.ts"
import { sevenDecimals } from "./PoolTraits.ts"
import { asPositions } from "./Positions.ts"
import { transfer } from "./Tokens.ts"
import { dequeued, queue, queuedVal, readUserBalance, userBalanceVal, withdrawn, writeUserBalance } from "./UserBalance.ts"

const addressOf = (host: ContractHost, key: xdr.ScVal): xdr.ScAddress => asAddress(host.instance.get(key) ?? host.trap())

/** What backs a pool, and what that is worth in the assets of the liquidity pool. */
const poolData: ContractFunction = contractFunction(["address"], (host, [pool]) => {
  const { queued, shares, tokens } = readPoolBalance(host, pool)
  const token = addressOf(host, backstopInstanceKeys.token)
  const total = asI128(host.call(token, "get_total_supply"))
  const perToken = (key: xdr.ScVal): bigint =>
    narrow.divFloor(asI128(host.call(token, "get_balance", addressVal(addressOf(host, key)))), total, sevenDecimals)
  const [blnd, usdc] = [perToken(backstopInstanceKeys.blnd), perToken(backstopInstanceKeys.usdc)]
  return struct({
    blnd: i128(narrow.mulFloor(tokens, blnd, sevenDecimals)),
    q4w_pct: i128(shares > 0n ? narrow.divCeil(queued, shares, sevenDecimals) : 0n),
    shares: i128(shares),
    token_spot_price: i128(usdc * 5n),
    tokens: i128(tokens),
    usdc: i128(narrow.mulFloor(tokens, usdc, sevenDecimals))
  })
})

/** Hashes of the code of backstops, as deployed. */
export const backstopV1Hash = "62f61b32fff99f7eec052a8e573c367759f161c481a5caf0e76a10ae4617c3b4"
export const backstopV2Hash = "c1f4502a757e25c611f5a159bc1ab0eef64085adac6c68123dca66e87faffbc2"

const token = (host: ContractHost): xdr.ScAddress => asAddress(host.instance.get(backstopInstanceKeys.token) ?? host.trap())

const begin = (host: ContractHost, from: xdr.ScAddress, amount: bigint): void => {
  extendInstance(host)
  host.requireAuth(from)
  if (amount < 0n) host.fail(BackstopError.negativeAmount)
}

const tell = (host: ContractHost, kind: string, whose: readonly [pool: xdr.ScAddress, from: xdr.ScAddress], data: xdr.ScVal): void =>
  host.emit([symbol(kind), ...whose.map(addressVal)], data)

const isPool = (host: ContractHost, pool: xdr.ScAddress): boolean => {
  const factory = asAddress(host.instance.get(backstopInstanceKeys.poolFactory) ?? host.trap())
  return asBool(host.call(factory, "is_pool", addressVal(pool)))
}

/** Bad debt of a pool that its backstop has taken over. */
const owes = (host: ContractHost, pool: xdr.ScAddress): boolean =>
  asPositions(host.call(pool, "get_positions", addressVal(host.address))).liabilities.size > 0

/** What both versions have. Intake and distribution of emissions, draws and donations are not modelled. */
const common = (traits: BackstopTraits): Readonly<Record<string, ContractFunction>> => ({
  deposit: contractFunction(["address", "address", "i128"], (host, [from, pool, amount]) => {
    begin(host, from, amount)
    if (sameAddress(from, pool) || sameAddress(from, host.address)) host.fail(BackstopError.badRequest)
    const poolBalance = readPoolBalance(host, pool)
    if (poolBalance.shares === 0n && !isPool(host, pool)) host.fail(BackstopError.notPool)
    const userBalance = readUserBalance(host, pool, from)
    updateBackstopEmissions(host, { traits, pool, user: from, poolBalance, userBalance })
    transfer(host, { token: token(host), from, to: host.address, amount })
    const shares = sharesFor(poolBalance, amount)
    if (shares <= 0n) host.fail(BackstopError.invalidShareMint)
    writePoolBalance(host, pool, withDeposit(poolBalance, amount, shares))
    writeUserBalance(host, pool, from, { ...userBalance, shares: userBalance.shares + shares })
    tell(host, "deposit", [pool, from], vec(i128(amount), i128(shares)))
    return i128(shares)
  }),
  queue_withdrawal: contractFunction(["address", "address", "i128"], (host, [from, pool, amount]) => {
    begin(host, from, amount)
    const [poolBalance, userBalance] = [readPoolBalance(host, pool), readUserBalance(host, pool, from)]
    updateBackstopEmissions(host, { traits, pool, user: from, poolBalance, userBalance })
    const { balance, queued } = queue(host, traits, userBalance, amount)
    writeUserBalance(host, pool, from, balance)
    writePoolBalance(host, pool, { ...poolBalance, queued: poolBalance.queued + amount })
    tell(host, "queue_withdrawal", [pool, from], vec(i128(amount), u64(queued.expiration)))
    return queuedVal(queued)
  }),
  dequeue_withdrawal: contractFunction(["address", "address", "i128"], (host, [from, pool, amount]) => {
    begin(host, from, amount)
    const [poolBalance, userBalance] = [readPoolBalance(host, pool), readUserBalance(host, pool, from)]
    updateBackstopEmissions(host, { traits, pool, user: from, poolBalance, userBalance })
    writeUserBalance(host, pool, from, dequeued(host, traits, userBalance, amount))
    writePoolBalance(host, pool, withoutQueued(host, poolBalance, amount))
    tell(host, "dequeue_withdrawal", [pool, from], i128(amount))
    return voidVal
  }),
  withdraw: contractFunction(["address", "address", "i128"], (host, [from, pool, amount]) => {
    begin(host, from, amount)
    if (traits.version === 2 && owes(host, pool)) host.fail(BackstopError.badDebtExists)
    const [poolBalance, userBalance] = [readPoolBalance(host, pool), readUserBalance(host, pool, from)]
    const left = withdrawn(host, userBalance, amount)
    const tokens = tokensFor(poolBalance, amount)
    if (tokens === 0n) host.fail(BackstopError.invalidTokenWithdraw)
    writeUserBalance(host, pool, from, left)
    writePoolBalance(host, pool, withoutTokens(host, poolBalance, tokens, amount))
    transfer(host, { token: token(host), from: host.address, to: from, amount: tokens })
    tell(host, "withdraw", [pool, from], vec(i128(amount), i128(tokens)))
    return i128(tokens)
  }),
  user_balance: contractFunction(["address", "address"], (host, [pool, user]) => userBalanceVal(readUserBalance(host, pool, user))),
  pool_data: poolData,
  backstop_token: contractFunction([], (host) => addressVal(token(host))),
  reward_zone: contractFunction([], (host) => readAndExtend(host, rewardZoneKey, sharedLife) ?? vec())
})

/** The backstop of the first version. */
export const backstopV1: ContractModel = { instructions: 3_000_000, functions: { ...common(backstopV1Traits), claim: backstopClaimV1 } }

/** The backstop of the second version. */
export const backstopV2: ContractModel = { instructions: 3_000_000, functions: { ...common(backstopV2Traits), claim: backstopClaim } }
