import type { xdr } from "@stellar/stellar-sdk"
import { AssetError } from "./AssetError.ts"
import type { Frame } from "./Frame.ts"
import { contractFail } from "./HostError.ts"
import { addressVal, asI128, asU32, field, i128, struct, u32, variant } from "./Values.ts"

/** Key of what a spender may take from an owner, among the temporary entries of the asset's contract. */
export const allowanceKey = (from: xdr.ScAddress, spender: xdr.ScAddress): xdr.ScVal =>
  variant("Allowance", struct({ from: addressVal(from), spender: addressVal(spender) }))

const valueOf = (amount: bigint, liveUntil: number): xdr.ScVal => struct({ amount: i128(amount), live_until_ledger: u32(liveUntil) })

const liveUntilOf = (value: xdr.ScVal): number => asU32(field(value, "live_until_ledger"))

/** Base units; nothing once the allowance's own ledger is past, even while its entry still lives. */
export const readAllowance = ({ ledger, temporary }: Frame, from: xdr.ScAddress, spender: xdr.ScAddress): bigint => {
  const value = temporary.get(allowanceKey(from, spender))
  return value === undefined || liveUntilOf(value) < ledger.sequence ? 0n : asI128(field(value, "amount"))
}

/** What a spender may take from an owner, in base units, and the last ledger in which it may. */
export interface Allowance {
  readonly from: xdr.ScAddress
  readonly spender: xdr.ScAddress
  readonly amount: bigint
  readonly liveUntil: number
}

/** Sets an allowance. One of nothing is written only over another. */
export const writeAllowance = ({ ledger, temporary }: Frame, { amount, from, liveUntil, spender }: Allowance): void => {
  const key = allowanceKey(from, spender)
  if (liveUntil > ledger.maxLiveUntil) contractFail(AssetError.allowance, "live_until is greater than max")
  if (amount > 0n && liveUntil < ledger.sequence) contractFail(AssetError.allowance, "live_until must be >= ledger sequence")
  const known = temporary.get(key)
  if (known === undefined && amount <= 0n) return
  temporary.set(key, valueOf(amount, liveUntil))
  const before = known === undefined ? 0 : liveUntilOf(known)
  if (amount > 0n && before < liveUntil) {
    const liveFor = liveUntil - ledger.sequence
    temporary.extend(key, liveFor, liveFor)
  }
}

export const spendAllowance = (frame: Frame, from: xdr.ScAddress, spender: xdr.ScAddress, amount: bigint): void => {
  const allowance = readAllowance(frame, from, spender)
  if (allowance < amount) contractFail(AssetError.allowance, "not enough allowance to spend")
  if (amount <= 0n) return
  const value = frame.temporary.get(allowanceKey(from, spender))
  const liveUntil = value === undefined ? 0 : liveUntilOf(value)
  writeAllowance(frame, { from, spender, amount: allowance - amount, liveUntil })
}
