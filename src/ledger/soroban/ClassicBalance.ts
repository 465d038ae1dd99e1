import { xdr } from "@stellar/stellar-sdk"
import { keyOfAccount } from "../../xdr/LedgerKeys.ts"
import { liabilitiesOf, newAccount, sponsorshipOf, withFields } from "../entries/Account.ts"
import { lineLiabilities, withLine } from "../entries/Trustline.ts"
import { startingSequence } from "../Header.ts"
import { int64Max } from "../Int64.ts"
import { AssetError } from "./AssetError.ts"
import type { Frame } from "./Frame.ts"
import { contractFail, hostFail } from "./HostError.ts"

interface Range {
  readonly min: bigint
  readonly max: bigint
}

/** Where a native balance may lie: above reserve and offers, below what offers may still bring in. */
export const accountRange = ({ engine }: Frame, account: xdr.AccountEntry): Range => {
  const { buying, selling } = liabilitiesOf(account)
  const { numSponsored, numSponsoring } = sponsorshipOf(account)
  const units = 2 + account.numSubEntries + numSponsoring - numSponsored
  return { min: BigInt(units) * BigInt(engine.header.baseReserve) + selling, max: int64Max - buying }
}

const lineRange = (line: xdr.TrustLineEntry): Range => {
  const { buying, selling } = lineLiabilities(line)
  return { min: selling, max: line.limit - buying }
}

const within = (balance: bigint, { min, max }: Range): bigint =>
  balance < min || balance > max
    ? contractFail(AssetError.balance, "resulting balance is not within the allowed range")
    : balance

/** An account's balance must lie in its range to be read at all: one below its reserve cannot. */
const readable = (balance: bigint, { min, max }: Range): bigint =>
  balance < min || balance > max ? hostFail("Storage", "InternalError", "the balance is outside its range") : balance

export const findAccount = ({ engine }: Frame, account: xdr.PublicKey): xdr.AccountEntry | undefined => {
  const data = engine.storage.get(keyOfAccount(account))?.data
  return data?.type === "account" ? data.account : undefined
}

export const putAccount = ({ engine }: Frame, account: xdr.AccountEntry): void =>
  engine.storage.put(keyOfAccount(account.accountId), xdr.LedgerEntryData.account(account))

export const readAccountBalance = (frame: Frame, id: xdr.PublicKey): bigint => {
  const account = findAccount(frame, id) ?? contractFail(AssetError.accountMissing, "account entry is missing")
  return readable(account.balance, accountRange(frame, account))
}

export const readLineBalance = (line: xdr.TrustLineEntry): bigint => readable(line.balance, lineRange(line))

/** Adds lumens to an account, or takes them. What a missing account receives creates it (CAP-73). */
export const addToAccount = (frame: Frame, id: xdr.PublicKey, amount: bigint): void => {
  const account = findAccount(frame, id)
  if (account !== undefined) {
    return putAccount(frame, withFields(account, { balance: within(account.balance + amount, accountRange(frame, account)) }))
  }
  const { header } = frame.engine
  if (amount <= 0n) contractFail(AssetError.accountMissing, "account entry is missing")
  if (amount < 2n * BigInt(header.baseReserve)) {
    contractFail(AssetError.insufficientAccountReserve, "transfer amount is below minimum balance for new account")
  }
  putAccount(frame, newAccount(id, amount, startingSequence(header)))
}

export const addToLine = (line: xdr.TrustLineEntry, amount: bigint): xdr.TrustLineEntry =>
  withLine(line, { balance: within(line.balance + amount, lineRange(line)) })
