import type { xdr } from "@stellar/stellar-sdk"
import type { ContractHost } from "../../../ledger/soroban/Contract.ts"
import { addressVal, i128, i32, symbol, u256, vec } from "../../../ledger/soroban/Values.ts"
import { poolTokens, readSlot } from "./ConcentratedStore.ts"
import { amountAt } from "./Instance.ts"
import { emitReserves } from "./PoolEvents.ts"
import { concentratedKeys } from "./PoolKeys.ts"
import type { Amounts, Range } from "./RangeAmounts.ts"

/** Reports fees that were paid; of none where there were none. */
export const emitFees = (host: ContractHost, owner: xdr.ScAddress, fees: Amounts): void => {
  if (fees[0] === 0n && fees[1] === 0n) return
  host.emit([symbol("claim_fees"), addressVal(owner), ...poolTokens(host).map(addressVal)], vec(...fees.map(i128)))
}

/** Tells how the pool stands. */
export const emitState = (host: ContractHost): void => {
  const { sqrtPrice, tick } = readSlot(host)
  host.emit([symbol("pool_state")], vec(u256(sqrtPrice), i32(tick), i128(amountAt(host, concentratedKeys.liquidity))))
}

/** Tells what the pool holds, by how much the liquidity of a range changed, and how the pool stands. */
export const emitPosition = (
  host: ContractHost,
  owner: xdr.ScAddress,
  { lower, upper }: Range,
  { change, reserves }: { readonly change: bigint; readonly reserves: Amounts }
): void => {
  emitReserves(host, reserves)
  host.emit([symbol("position_update"), addressVal(owner)], vec(i32(lower), i32(upper), i128(change)))
  emitState(host)
}
