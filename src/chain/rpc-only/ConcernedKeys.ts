import type { xdr } from "@stellar/stellar-sdk"
import type { AccountAddress } from "../../domain/Address.ts"
import { sponsorOf, sponsorshipsOf } from "../../stellar/Entries.ts"
import { addressOf } from "../../stellar/Names.ts"
import { entryOwner } from "../../xdr/EntryOwner.ts"
import { accountKey, keyOf } from "../../xdr/LedgerKeys.ts"

/** The account whose sub-entry an entry is; null for an entry of another kind. */
export const ownerOf = ({ data }: xdr.LedgerEntry): AccountAddress | null => {
  const owner = entryOwner(data)
  return owner === null ? null : addressOf(owner)
}

const isClaimant = ({ data }: xdr.LedgerEntry, address: AccountAddress): boolean =>
  data.type === "claimableBalance" && data.claimableBalance.claimants.some(({ v0 }) => addressOf(v0.destination) === address)

/** Whether an account sponsors an entry, or a signer in it. */
export const sponsors = (address: AccountAddress, entry: xdr.LedgerEntry): boolean =>
  sponsorOf(entry) === address ||
  (entry.data.type === "account" && sponsorshipsOf(entry.data.account).signerSponsors.includes(address))

/** Whether an account owns, sponsors or may claim an entry. */
const concerns = (address: AccountAddress, entry: xdr.LedgerEntry): boolean =>
  ownerOf(entry) === address || isClaimant(entry, address) || sponsors(address, entry)

const entryIn = (change: xdr.LedgerEntryChange): xdr.LedgerEntry | null => {
  switch (change.type) {
    case "ledgerEntryCreated":
      return change.created
    case "ledgerEntryUpdated":
      return change.updated
    case "ledgerEntryState":
      return change.state
    case "ledgerEntryRestored":
      return change.restored
    case "ledgerEntryRemoved":
      return null
  }
}

/** The metadata that a transaction's changes stand in; null for a version that no retained ledger has. */
const bodyOf = (meta: xdr.TransactionMeta): xdr.TransactionMetaV3 | xdr.TransactionMetaV4 | null => {
  if (meta.type === "v4") return meta.v4
  return meta.type === "v3" ? meta.v3 : null
}

/** Every change of a transaction, in order; null where its metadata is of another version. */
const changesIn = (meta: xdr.TransactionMeta): ReadonlyArray<xdr.LedgerEntryChange> | null => {
  const body = bodyOf(meta)
  return body === null
    ? null
    : [...body.txChangesBefore, ...body.operations.flatMap(({ changes }) => changes), ...body.txChangesAfter]
}

/**
 * The keys of entries that an account owns, sponsors or may claim, by the changes of a transaction, and with each its owner's account.
 * Null where the metadata is of a version that is not read.
 */
export const keysConcerning = (address: AccountAddress, meta: xdr.TransactionMeta): ReadonlyArray<xdr.LedgerKey> | null => {
  const changes = changesIn(meta)
  if (changes === null) return null
  return changes.flatMap((change) => {
    const entry = entryIn(change)
    if (entry === null || !concerns(address, entry)) return []
    const owner = ownerOf(entry)
    return owner === null ? [keyOf(entry)] : [keyOf(entry), accountKey(owner)]
  })
}

/** An account as it was before a transaction changed it first; null where the transaction did not. */
export const accountBefore = (address: AccountAddress, meta: xdr.TransactionMeta): xdr.AccountEntry | null => {
  const states = (changesIn(meta) ?? []).flatMap((change) => (change.type === "ledgerEntryState" ? [change.state.data] : []))
  for (const state of states) if (state.type === "account" && addressOf(state.account.accountId) === address) return state.account
  return null
}
