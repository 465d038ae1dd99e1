import type { xdr } from "@stellar/stellar-sdk"
import { type ContractFunction, contractFunction, type ContractHost } from "../../../ledger/soroban/Contract.ts"
import { sameAddress } from "../../../ledger/soroban/Values.ts"
import { Borrower } from "./Borrower.ts"
import { extendInstance } from "./ExtendedEntries.ts"
import { Pool, readReserveList } from "./Pool.ts"
import { PoolError } from "./PoolError.ts"
import { auctionKey } from "./PoolKeys.ts"
import { type PoolTraits, sevenDecimals } from "./PoolTraits.ts"
import { countedPositions, type Positions, positionsVal } from "./Positions.ts"
import { applyRequest, type Submission } from "./Request.ts"
import { Transfers } from "./Transfers.ts"

/** The least that collateral must be of debt, both weighed, seven decimals: a little over one against rounding. */
const leastHealth = 10_000_100n

/** Fails unless what backs the debt of a user is enough for it. */
const requireHealth = (host: ContractHost, traits: PoolTraits, pool: Pool, positions: Positions): void => {
  const { fixed } = traits
  const scale = 10n ** BigInt(pool.priceDecimals())
  let collateral = 0n
  let debt = 0n
  for (const [index, asset] of readReserveList(host).entries()) {
    const supplied = positions.collateral.get(index) ?? 0n
    const owed = positions.liabilities.get(index) ?? 0n
    if (supplied === 0n && owed === 0n) continue
    const reserve = pool.reserve(asset)
    const price = pool.price(asset)
    if (supplied > 0n) collateral += fixed.mulFloor(price, reserve.weighedSupplyOf(supplied), reserve.scalar)
    if (owed > 0n) debt += fixed.mulCeil(price, reserve.weighedDebtOf(owed), reserve.scalar)
    pool.keep(reserve)
  }
  const least = fixed.mulFloor(scale, leastHealth, sevenDecimals)
  if (debt !== 0n && fixed.divFloor(collateral, debt, scale) < least) host.fail(PoolError.invalidHealth)
  if (pool.config.minCollateral !== undefined && collateral < pool.config.minCollateral) host.fail(PoolError.collateralTooSmall)
}

/**
 * Requests of a user against a pool, in order, and what they move. `allowance`: what comes in is set off against what
 * goes out and taken by the pool's allowance.
 */
export const submitFunction = (traits: PoolTraits, { allowance }: { readonly allowance: boolean }): ContractFunction =>
  contractFunction(["address", "address", "address", "vec"], (host, [from, spender, to, requests]) => {
    extendInstance(host)
    host.requireAuth(spender)
    if (!sameAddress(from, spender)) host.requireAuth(from)
    if ([from, spender, to].some((each) => sameAddress(each, host.address))) host.fail(PoolError.badRequest)
    const submission: Submission = {
      traits,
      pool: new Pool(host, traits),
      borrower: new Borrower(host, traits, from),
      transfers: new Transfers(),
      utilizationOf: new Set<xdr.ScAddress>(),
      checksHealth: false
    }
    const { borrower, pool, transfers } = submission
    const before = countedPositions(borrower.positions)
    for (const request of requests) applyRequest(host, submission, request)
    requireValid(host, submission, before)
    if (allowance) transfers.settleNet(host, spender, to)
    else transfers.settle(host, spender, to)
    pool.store()
    borrower.store()
    return positionsVal(borrower.positions)
  })

const requireValid = (host: ContractHost, submission: Submission, before: number): void => {
  const { borrower, checksHealth, pool, traits, utilizationOf } = submission
  const after = countedPositions(borrower.positions)
  if (after > before && after > pool.config.maxPositions) host.fail(PoolError.tooManyPositions)
  if (traits.version === 2 && host.temporary.has(auctionKey(0, borrower.address))) host.fail(PoolError.auctionInProgress)
  for (const asset of utilizationOf) pool.reserve(asset).requireBelowMaximum(host)
  if (checksHealth && borrower.hasDebt) requireHealth(host, traits, pool, borrower.positions)
}
