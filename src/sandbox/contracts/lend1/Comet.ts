import type { xdr } from "@stellar/stellar-sdk"
import { contractFunction, type ContractHost, type ContractModel } from "../../../ledger/soroban/Contract.ts"
import { hostFail } from "../../../ledger/soroban/HostError.ts"
import {
  addressVal,
  asBool,
  asI128,
  i128,
  sameAddress,
  struct,
  symbol,
  u32,
  variant,
  vec,
  voidVal
} from "../../../ledger/soroban/Values.ts"
import { CometError } from "./CometError.ts"
import { amountForShares, exitAmount, exitRatio, sharesForAmount, sharesForDeposit } from "./CometMath.ts"
import { cometLife, type CometRecord, readRecords, readTokens, recordOf, withBalance, writeRecords } from "./CometRecords.ts"
import { burnSharesOf, mintShares, shareFunctions, totalShares } from "./CometShares.ts"
import { decoding } from "./Decoding.ts"
import { extendInstance } from "./ExtendedEntries.ts"
import { narrow } from "./FixedPoint.ts"
import { sevenDecimals } from "./PoolTraits.ts"
import { allowanceEnd, transfer, transferFrom } from "./Tokens.ts"

/** Hash of the code of the liquidity pool whose shares are the backstop's token, as deployed. */
export const cometHash = "8abc28913035c07411ed5d134e6bfeab4723d97ddd4d1a22a0605d35c94d1a36"

/** What the instance keeps that the model needs. */
export const cometInstanceKeys = { swapFee: variant("SwapFee"), freeze: variant("Freeze"), metadata: symbol("METADATA") } as const

/** No more than about a third of what is held of a token may come in or go out alone. */
const mostAlone = sevenDecimals / 3n + 1n

const begin = (host: ContractHost, user: xdr.ScAddress): void => {
  host.requireAuth(user)
  extendInstance(host, cometLife)
}

const swapFee = (host: ContractHost): bigint => {
  const fee = host.instance.get(cometInstanceKeys.swapFee)
  return fee === undefined ? 0n : asI128(fee)
}

const isFrozen = (host: ContractHost): boolean => {
  const frozen = host.instance.get(cometInstanceKeys.freeze)
  return frozen !== undefined && asBool(frozen)
}

const tell = (host: ContractHost, kind: string, fields: Readonly<Record<string, xdr.ScVal>>): void =>
  host.emit([symbol("POOL"), symbol(kind)], struct(fields))

/** Takes a token of a user by an allowance given on the way. */
const pull = (host: ContractHost, token: xdr.ScAddress, from: xdr.ScAddress, amount: bigint): void => {
  host.call(token, "approve", addressVal(from), addressVal(host.address), i128(amount), u32(allowanceEnd(host)))
  transferFrom(host, { token, from, to: host.address, amount })
}

const ensure = (host: ContractHost, holds: boolean, error: number): void => {
  if (!holds) host.fail(error)
}

/** What is paid for shares of one token alone, whose record it is, in base units. */
interface Payment {
  readonly record: CometRecord
  readonly shares: bigint
  readonly amount: bigint
}

/** Burns shares of a user for one token alone. */
const payAlone = (
  host: ContractHost,
  user: xdr.ScAddress,
  records: ReadonlyArray<CometRecord>,
  { amount, record, shares }: Payment
): void => {
  ensure(host, amount <= record.balance, CometError.insufficientBalance)
  tell(host, "withdraw", {
    caller: addressVal(user),
    pool_amount_in: i128(shares),
    token_amount_out: i128(amount),
    token_out: addressVal(record.token)
  })
  burnSharesOf(host, user, shares)
  transfer(host, { token: record.token, from: host.address, to: user, amount })
  writeRecords(host, withBalance(records, record.token, record.balance - amount))
}

/** A liquidity pool of weighted tokens. Joining, swaps and administration are not modelled. */
export const comet: ContractModel = {
  instructions: 3_000_000,
  functions: {
    ...shareFunctions,
    exit_pool: contractFunction(["i128", "vec", "address"], (host, [shares, least, user]) => {
      begin(host, user)
      ensure(host, shares > 0n, CometError.negativeOrZero)
      const ratio = exitRatio(totalShares(host), shares)
      ensure(host, ratio > 0n, CometError.approximation)
      burnSharesOf(host, user, shares)
      const tokens = readTokens(host)
      let records = readRecords(host)
      for (const [at, token] of tokens.entries()) {
        const record = recordOf(host, records, token)
        const amount = exitAmount(record, ratio)
        ensure(host, amount > 0n, CometError.approximation)
        const minimum = decoding(host, () => asI128(least[at] ?? hostFail("Object", "IndexBounds", "no such element")))
        ensure(host, minimum >= 0n, CometError.negative)
        ensure(host, amount >= minimum, CometError.limitOut)
        ensure(host, amount <= record.balance, CometError.insufficientBalance)
        records = withBalance(records, token, record.balance - amount)
        tell(host, "exit_pool", { caller: addressVal(user), token_amount_out: i128(amount), token_out: addressVal(token) })
        transfer(host, { token, from: host.address, to: user, amount })
      }
      writeRecords(host, records)
      return voidVal
    }),
    dep_tokn_amt_in_get_lp_tokns_out: contractFunction(["address", "i128", "i128", "address"], (host, [token, amount, least, user]) => {
      begin(host, user)
      ensure(host, !isFrozen(host), CometError.onlyWithdrawals)
      ensure(host, amount > 0n, CometError.negativeOrZero)
      ensure(host, least >= 0n, CometError.negative)
      const records = readRecords(host)
      const record = recordOf(host, records, token)
      ensure(host, amount <= narrow.mulFloor(record.balance, mostAlone, sevenDecimals), CometError.maxInRatio)
      const shares = sharesForDeposit(record, totalShares(host), amount, swapFee(host))
      ensure(host, shares >= least, CometError.limitOut)
      writeRecords(host, withBalance(records, token, record.balance + amount))
      tell(host, "deposit", { caller: addressVal(user), token_amount_in: i128(amount), token_in: addressVal(token) })
      pull(host, token, user, amount)
      mintShares(host, user, shares)
      return i128(shares)
    }),
    wdr_tokn_amt_in_get_lp_tokns_out: contractFunction(["address", "i128", "i128", "address"], (host, [token, shares, least, user]) => {
      begin(host, user)
      ensure(host, shares > 0n, CometError.negativeOrZero)
      ensure(host, least >= 0n, CometError.negative)
      const records = readRecords(host)
      const record = recordOf(host, records, token)
      const amount = amountForShares(record, totalShares(host), shares, swapFee(host))
      ensure(host, amount >= least, CometError.limitOut)
      ensure(host, amount <= narrow.mulFloor(record.balance, mostAlone, sevenDecimals), CometError.maxOutRatio)
      payAlone(host, user, records, { record, shares, amount })
      return i128(amount)
    }),
    wdr_tokn_amt_out_get_lp_tokns_in: contractFunction(["address", "i128", "i128", "address"], (host, [token, amount, most, user]) => {
      begin(host, user)
      ensure(host, amount > 0n && most > 0n, CometError.negativeOrZero)
      const records = readRecords(host)
      const record = recordOf(host, records, token)
      ensure(host, amount <= narrow.mulFloor(record.balance, mostAlone, sevenDecimals), CometError.maxOutRatio)
      const shares = sharesForAmount(record, totalShares(host), amount, swapFee(host))
      ensure(host, shares !== 0n, CometError.approximation)
      ensure(host, shares <= most, CometError.limitIn)
      payAlone(host, user, records, { record, shares, amount })
      return i128(shares)
    }),
    get_total_supply: contractFunction([], (host) => i128(totalShares(host))),
    get_tokens: contractFunction([], (host) => vec(...readTokens(host).map(addressVal))),
    get_balance: contractFunction(["address"], (host, [token]) => {
      const found = readRecords(host).find((record) => sameAddress(record.token, token))
      return i128((found ?? host.trap()).balance)
    }),
    get_swap_fee: contractFunction([], (host) => i128(swapFee(host)))
  }
}
