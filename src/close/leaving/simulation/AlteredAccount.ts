import { xdr } from "@stellar/stellar-sdk"
import type { StateChange } from "../../../chain/contract-rpc/SimulationAnswer.ts"
import type { AccountAddress } from "../../../domain/Address.ts"
import { addressOf } from "../../../stellar/Names.ts"
import { entryOwner } from "../../../xdr/EntryOwner.ts"

const isOwn = ({ data }: xdr.LedgerEntry, user: AccountAddress): boolean => {
  const owner = entryOwner(data)
  return owner !== null && addressOf(owner) === user
}

const withoutBalance = (data: xdr.LedgerEntryData): xdr.LedgerEntryData => {
  switch (data.type) {
    case "account":
      return xdr.LedgerEntryData.account(new xdr.AccountEntry({ ...data.account, balance: 0n }))
    case "trustline":
      return xdr.LedgerEntryData.trustline(new xdr.TrustLineEntry({ ...data.trustLine, balance: 0n }))
    default:
      return data
  }
}

const apartFromMoney = ({ data, ext }: xdr.LedgerEntry): string => `${withoutBalance(data).toXdr("base64")} ${ext.toXdr("base64")}`

/** The kind of an entry of the account that a call adds, removes or changes beyond its balance, such as its signers; null: there is none. */
export const alteredEntry = (changes: ReadonlyArray<StateChange>, user: AccountAddress): string | null => {
  const found = changes.find(({ after, before }) =>
    [before, after].some((entry) => entry !== null && isOwn(entry, user)) &&
    (before === null || after === null || apartFromMoney(before) !== apartFromMoney(after))
  )
  return found?.key.type ?? null
}
