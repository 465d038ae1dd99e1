import { ceilDivide, maxOf } from "../Int64.ts"
import type { Settings } from "./Settings.ts"

/** What a transaction declares, or a simulation found, of the resources that are paid whether used or not. */
export interface DeclaredResources {
  readonly instructions: number
  readonly diskReadEntries: number
  readonly diskReadBytes: number
  readonly writeEntries: number
  readonly writeBytes: number
  /** Bytes of the envelope. */
  readonly transactionSize: number
}

/** How one entry's claim on ledger space changed. A new entry has size and life 0 before. */
export interface RentChange {
  readonly durability: "temporary" | "persistent"
  readonly isCode: boolean
  readonly oldSize: number
  readonly newSize: number
  readonly oldLiveUntil: number
  readonly newLiveUntil: number
}

/** Bytes a result takes in the history, regardless of what it holds. */
const resultSize = 300
const ttlEntrySize = 48
const kilobyte = 1024n
const minRentFee1Kb = 1_000n
const codeDiscount = 3n

const perKb = (bytes: number, fee: bigint): bigint => ceilDivide(BigInt(bytes) * fee, kilobyte)

/** Stroops for declared resources: never given back. */
export const nonRefundableFee = (resources: DeclaredResources, settings: Settings): bigint =>
  ceilDivide(BigInt(resources.instructions) * settings.feePer10kInstructions, 10_000n) +
  settings.feePerDiskReadEntry * BigInt(resources.diskReadEntries) +
  settings.feePerWriteEntry * BigInt(resources.writeEntries) +
  perKb(resources.diskReadBytes, settings.feePerDiskRead1Kb) +
  perKb(resources.writeBytes, settings.feePerWrite1Kb) +
  perKb(resources.transactionSize + resultSize, settings.feePerHistory1Kb) +
  perKb(resources.transactionSize, settings.feePerTxSize1Kb)

/** Stroops for the events and the return value of a call. */
export const eventsFee = (bytes: number, settings: Settings): bigint => perKb(bytes, settings.feePerEvents1Kb)

/** Stroops to rent 1 kilobyte for as many ledgers as the rent denominator says, by the size of all contract state. */
const rentFee1Kb = (settings: Settings): bigint => {
  const { rentFee1KbHigh, rentFee1KbLow, stateSize, stateSizeGrowthFactor, stateTargetSize } = settings
  const slope = rentFee1KbHigh - rentFee1KbLow
  const target = maxOf(stateTargetSize, 1n)
  const fee = stateSize < stateTargetSize
    ? ceilDivide(slope * stateSize, target) + rentFee1KbLow
    : rentFee1KbHigh + ceilDivide(slope * (stateSize - stateTargetSize) * BigInt(stateSizeGrowthFactor), target)
  return maxOf(fee, minRentFee1Kb)
}

/** Stroops for entries that grow or live longer. */
export const rentFee = (changes: ReadonlyArray<RentChange>, settings: Settings, ledgerSeq: number): bigint => {
  const rate = rentFee1Kb(settings)
  const extended = changes.filter(({ newLiveUntil, oldLiveUntil }) => oldLiveUntil < newLiveUntil).length
  const rents = changes.reduce((sum, change) => sum + rentOfChange(change, settings, rate, ledgerSeq), 0n)
  return rents + settings.feePerWriteEntry * BigInt(extended) + perKb(extended * ttlEntrySize, settings.feePerWrite1Kb)
}

const rentOfChange = (change: RentChange, settings: Settings, rate: bigint, ledgerSeq: number): bigint => {
  const denominator = kilobyte *
    maxOf(change.durability === "persistent" ? settings.persistentRentDenominator : settings.temporaryRentDenominator, 1n)
  const rent = (size: number, ledgers: number): bigint =>
    size <= 0 || ledgers <= 0 ? 0n : ceilDivide(BigInt(size) * rate * BigInt(ledgers), denominator)
  const isNew = change.oldSize === 0 && change.oldLiveUntil === 0
  const paidUntil = isNew ? ledgerSeq - 1 : change.oldLiveUntil
  const whole = rent(change.newSize, change.newLiveUntil - paidUntil) +
    (isNew ? 0n : rent(change.newSize - change.oldSize, change.oldLiveUntil - ledgerSeq + 1))
  return change.isCode ? ceilDivide(whole, codeDiscount) : whole
}
