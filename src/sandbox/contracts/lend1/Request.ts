import type { xdr } from "@stellar/stellar-sdk"
import type { ContractHost } from "../../../ledger/soroban/Contract.ts"
import { hostFail } from "../../../ledger/soroban/HostError.ts"
import { addressVal, asAddress, asI128, asU32, field, i128, symbol, u32, vec, voidVal } from "../../../ledger/soroban/Values.ts"
import type { Borrower } from "./Borrower.ts"
import { decoding } from "./Decoding.ts"
import type { Pool } from "./Pool.ts"
import { PoolError } from "./PoolError.ts"
import { auctionKey } from "./PoolKeys.ts"
import type { PoolTraits } from "./PoolTraits.ts"
import type { Transfers } from "./Transfers.ts"

/** Kinds of requests, by number. */
export const RequestType = {
  supply: 0,
  withdraw: 1,
  supplyCollateral: 2,
  withdrawCollateral: 3,
  borrow: 4,
  repay: 5,
  fillUserLiquidation: 6,
  fillBadDebt: 7,
  fillInterest: 8,
  deleteLiquidation: 9
} as const

interface Request {
  readonly address: xdr.ScAddress
  readonly amount: bigint
  readonly type: number
}

const asRequest = (value: xdr.ScVal): Request => ({
  address: asAddress(field(value, "address")),
  amount: asI128(field(value, "amount")),
  type: asU32(field(value, "request_type"))
})

/** Where a submit stands: what its requests have changed and what they ask to be checked at the end. */
export interface Submission {
  readonly traits: PoolTraits
  readonly pool: Pool
  readonly borrower: Borrower
  readonly transfers: Transfers
  readonly utilizationOf: Set<xdr.ScAddress>
  checksHealth: boolean
}

/** Applies one request; transfers wait until the end. */
export const applyRequest = (host: ContractHost, submission: Submission, value: xdr.ScVal): void => {
  const request = decoding(host, () => asRequest(value))
  const { amount, type } = request
  if (amount < 0n) host.fail(PoolError.negativeAmount)
  requireAllowed(host, submission.pool.config.status, type)
  switch (type) {
    case RequestType.supply:
    case RequestType.supplyCollateral:
      return supply(host, submission, request)
    case RequestType.withdraw:
    case RequestType.withdrawCollateral:
      return withdraw(host, submission, request)
    case RequestType.borrow:
      return borrow(host, submission, request)
    case RequestType.repay:
      return repay(host, submission, request)
    case RequestType.fillUserLiquidation:
    case RequestType.fillBadDebt:
    case RequestType.fillInterest:
      return hostFail("WasmVm", "InvalidAction", "filling auctions is not modelled")
    case RequestType.deleteLiquidation:
      return deleteLiquidation(host, submission)
    default:
      return host.fail(PoolError.badRequest)
  }
}

const requireAllowed = (host: ContractHost, status: number, type: number): void => {
  const { borrow, deleteLiquidation, supply, supplyCollateral } = RequestType
  const isOnIce = status > 1 && (type === borrow || type === deleteLiquidation)
  const isFrozen = status > 3 && (type === supply || type === supplyCollateral)
  if (isOnIce || isFrozen) host.fail(PoolError.invalidPoolStatus)
}

/** What came of a request: base units moved, and the shares they were worth. */
interface SharesChange {
  readonly asset: xdr.ScAddress
  readonly amount: bigint
  readonly shares: bigint
}

const tell = (host: ContractHost, kind: string, { address }: Borrower, { amount, asset, shares }: SharesChange): void =>
  host.emit([symbol(kind), addressVal(asset), addressVal(address)], vec(i128(amount), i128(shares)))

const supply = (host: ContractHost, submission: Submission, request: Request): void => {
  const { borrower, pool, transfers } = submission
  const isCollateral = request.type === RequestType.supplyCollateral
  const reserve = pool.reserve(request.address)
  if (reserve.config.cap?.enabled === false) host.fail(PoolError.reserveDisabled)
  const shares = reserve.supplyShares(request.amount, "down")
  const after = borrower.add(isCollateral ? "collateral" : "supply", reserve, shares)
  transfers.pull(request.address, request.amount)
  if (after.config.cap !== undefined && after.totalSupply > after.config.cap.supply) host.fail(PoolError.supplyCapExceeded)
  pool.change(after)
  tell(host, isCollateral ? "supply_collateral" : "supply", borrower, { asset: request.address, amount: request.amount, shares })
}

/** What is more than the position is cut to it. */
const withdraw = (host: ContractHost, submission: Submission, request: Request): void => {
  const { borrower, pool, traits, transfers } = submission
  const isCollateral = request.type === RequestType.withdrawCollateral
  const kind = isCollateral ? "collateral" : "supply"
  const reserve = pool.reserve(request.address)
  const held = borrower.shares(kind, reserve.config.index)
  const wanted = reserve.supplyShares(request.amount, "up")
  const [shares, paid] = wanted > held ? [held, reserve.supplyOf(held)] : [wanted, request.amount]
  const after = borrower.remove(kind, reserve, shares)
  if (traits.version === 2) after.requireBelowWhole(host)
  transfers.pay(request.address, paid)
  if (isCollateral) submission.checksHealth = true
  pool.change(after)
  tell(host, isCollateral ? "withdraw_collateral" : "withdraw", borrower, { asset: request.address, amount: paid, shares })
}

const borrow = (host: ContractHost, submission: Submission, request: Request): void => {
  const { borrower, pool, traits, transfers, utilizationOf } = submission
  const reserve = pool.reserve(request.address)
  if (reserve.config.cap?.enabled === false) host.fail(PoolError.reserveDisabled)
  const shares = reserve.debtShares(request.amount, "up")
  const after = borrower.add("liabilities", reserve, shares)
  if (traits.version === 1) after.requireBelowMaximum(host)
  else {
    after.requireBelowWhole(host)
    utilizationOf.add(request.address)
  }
  transfers.pay(request.address, request.amount)
  submission.checksHealth = true
  pool.change(after)
  tell(host, "borrow", borrower, { asset: request.address, amount: request.amount, shares })
}

/** The whole amount is pulled, and what is more than the debt paid back. */
const repay = (host: ContractHost, submission: Submission, request: Request): void => {
  const { borrower, pool, transfers } = submission
  const reserve = pool.reserve(request.address)
  const owed = borrower.shares("liabilities", reserve.config.index)
  const offered = reserve.debtShares(request.amount, "down")
  const [shares, repaid] = offered > owed ? [owed, reserve.debtOf(owed)] : [offered, request.amount]
  if (repaid > request.amount) host.fail(PoolError.negativeAmount)
  transfers.pull(request.address, request.amount)
  if (offered > owed) transfers.pay(request.address, request.amount - repaid)
  pool.change(borrower.remove("liabilities", reserve, shares))
  tell(host, "repay", borrower, { asset: request.address, amount: repaid, shares })
}

const deleteLiquidation = (host: ContractHost, submission: Submission): void => {
  const { borrower, traits } = submission
  const key = auctionKey(0, borrower.address)
  if (!host.temporary.has(key)) host.fail(PoolError.badRequest)
  host.temporary.remove(key)
  submission.checksHealth = true
  const who = addressVal(borrower.address)
  host.emit(traits.version === 1 ? [symbol("delete_liquidation_auction"), who] : [symbol("delete_auction"), u32(0), who], voidVal)
}
