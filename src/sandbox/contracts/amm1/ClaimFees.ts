import type { xdr } from "@stellar/stellar-sdk"
import type { ContractHost } from "../../../ledger/soroban/Contract.ts"
import { concentratedPlaneData } from "./ConcentratedPlane.ts"
import { poolReserves, readPosition, readSlot, readUser, setPoolReserves } from "./ConcentratedStore.ts"
import { tellPlane } from "./Plane.ts"
import { emitReserves } from "./PoolEvents.ts"
import { afterPaying } from "./PositionChange.ts"
import { emitFees } from "./PositionEvents.ts"
import { withFees } from "./PositionFees.ts"
import type { Amounts, Range } from "./RangeAmounts.ts"
import { keepOrForget, payBoth } from "./WithdrawPosition.ts"

const sum = (parts: ReadonlyArray<Amounts>): Amounts =>
  parts.reduce<Amounts>((left, right) => [left[0] + right[0], left[1] + right[1]], [0n, 0n])

/** What a range is owed now; nothing where there is no position. */
const owedIn = (host: ContractHost, owner: xdr.ScAddress) => (range: Range): Amounts => {
  const position = readPosition(host, owner, range)
  return position === undefined ? [0n, 0n] : withFees(host, position, range, readSlot(host).tick).owed
}

/** What all ranges of an owner are owed now. */
export const allFees = (host: ContractHost, owner: xdr.ScAddress): Amounts => sum(readUser(host, owner).ranges.map(owedIn(host, owner)))

/** Pays what all ranges of an owner are owed. */
export const claimAllFees = (host: ContractHost, owner: xdr.ScAddress): Amounts => {
  host.requireAuth(owner)
  const { ranges } = readUser(host, owner)
  if (ranges.length === 0) return [0n, 0n]
  const paid = sum(ranges.map((range) => {
    const position = readPosition(host, owner, range)
    if (position === undefined) return [0n, 0n]
    const settled = withFees(host, position, range, readSlot(host).tick)
    keepOrForget(host, owner, range, settled)
    return settled.owed
  }))
  emitFees(host, owner, paid)
  const left = afterPaying(host, poolReserves(host), paid)
  payBoth(host, owner, paid)
  setPoolReserves(host, left)
  emitReserves(host, left)
  tellPlane(host, concentratedPlaneData(host))
  return paid
}
