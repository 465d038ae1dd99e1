import { xdr } from "@stellar/stellar-sdk"
import { sameAccount } from "./AccountId.ts"
import type { Draft } from "./Draft.ts"
import { sponsorshipOf, withFields, withSigners, withSponsorship } from "./entries/Account.ts"
import { entrySponsor, withSponsor } from "./entries/LedgerEntry.ts"
import type { Header } from "./Header.ts"
import { uint32Max } from "./Int64.ts"
import { fault } from "./LedgerFault.ts"
import { type LoadedAccount, requireAccount } from "./Loaded.ts"
import { availableBalance, maxSubEntries, minBalance, reserveOf, reserveUnits } from "./Reserves.ts"

/** Why an account cannot take on the reserve of an entry or signer; named after the result codes. */
export type ReserveFailure = "lowReserve" | "tooManySubentries" | "tooManySponsoring"

/**
 * Takes the reserve of a new entry from the account that pays for it: the sponsor of the owner's future reserves, or
 * the owner. Gives back the entry to create, naming its sponsor if it has one. A claimable balance always has
 * one, its creator if no one else.
 */
export const admitEntry = (draft: Draft, entry: xdr.LedgerEntry, owner: xdr.PublicKey): xdr.LedgerEntry | ReserveFailure => {
  const units = reserveUnits(entry.data)
  const sponsor = draft.sponsorOf(owner)
  switch (entry.data.type) {
    case "account": {
      const account = entry.data.account
      if (sponsor === undefined) return account.balance < minBalance(draft.header, account) ? "lowReserve" : entry
      const sponsored = withSponsorship(account, { numSponsored: units })
      return (
        sponsorFailure(draft, sponsor, units) ??
          sponsoredBy(draft, new xdr.LedgerEntry({ ...entry, data: xdr.LedgerEntryData.account(sponsored) }), sponsor, units)
      )
    }
    case "claimableBalance": {
      const payer = sponsor ?? owner
      return sponsorFailure(draft, payer, units) ?? sponsoredBy(draft, entry, payer, units)
    }
    default: {
      const account = requireAccount(draft, owner)
      if (tooManySubEntries(account.current, units)) return "tooManySubentries"
      const refusal = sponsor === undefined ? ownFailure(draft.header, account, units) : sponsorFailure(draft, sponsor, units)
      if (refusal !== undefined) return refusal
      addSubEntries(account, units)
      if (sponsor === undefined) return entry
      addSponsored(account, units)
      return sponsoredBy(draft, entry, sponsor, units)
    }
  }
}

/** Gives the reserve of an entry that is about to be erased back to the account that paid for it. */
export const releaseEntry = (draft: Draft, entry: xdr.LedgerEntry, owner: xdr.PublicKey): void => {
  const units = reserveUnits(entry.data)
  const sponsor = entrySponsor(entry)
  const isSubEntry = entry.data.type !== "account" && entry.data.type !== "claimableBalance"
  if (sponsor !== undefined) {
    if (entry.data.type !== "claimableBalance") {
      if (sameAccount(sponsor, owner)) fault("an account sponsors its own entry")
      addSponsored(requireAccount(draft, owner), -units)
    }
    addSponsoring(requireAccount(draft, sponsor), -units)
  }
  if (isSubEntry) addSubEntries(requireAccount(draft, owner), -units)
}

/** Takes the reserve of the signer at an index of an account that already lists it, from the account that pays for it. */
export const admitSigner = (draft: Draft, account: LoadedAccount, at: number): ReserveFailure | undefined => {
  if (tooManySubEntries(account.current, 1)) return "tooManySubentries"
  const sponsor = draft.sponsorOf(account.current.accountId)
  const refusal = sponsor === undefined ? ownFailure(draft.header, account, 1) : sponsorFailure(draft, sponsor, 1)
  if (refusal !== undefined) return refusal
  addSubEntries(account, 1)
  if (sponsor !== undefined) {
    setSignerSponsor(account, at, sponsor)
    addSponsored(account, 1)
    addSponsoring(requireAccount(draft, sponsor), 1)
  }
  return undefined
}

/** Removes the signer at an index and gives its reserve back to the account that paid for it. */
export const releaseSigner = (draft: Draft, account: LoadedAccount, at: number): void => {
  const sponsor = signerSponsor(account.current, at)
  if (sponsor !== undefined) {
    addSponsored(account, -1)
    addSponsoring(requireAccount(draft, sponsor), -1)
  }
  addSubEntries(account, -1)
  const { signerSponsors } = sponsorshipOf(account.current)
  account.set(withSigners(account.current, account.current.signers.toSpliced(at, 1), signerSponsors.toSpliced(at, 1)))
}

/** Who pays the signer at an index instead of the account, if anyone. */
export const signerSponsor = (account: xdr.AccountEntry, at: number): xdr.PublicKey | undefined =>
  sponsorshipOf(account).signerSponsors[at] ?? undefined

export const setSignerSponsor = (account: LoadedAccount, at: number, sponsor: xdr.PublicKey | undefined): void => {
  const { signerSponsors } = sponsorshipOf(account.current)
  account.set(withSponsorship(account.current, { signerSponsors: signerSponsors.with(at, sponsor ?? null) }))
}

/** Whether an account can take on reserve units for someone else: reserve first, then the bounds of the counter. */
export const sponsorFailure = (draft: Draft, sponsor: xdr.PublicKey, units: number): ReserveFailure | undefined => {
  const account = requireAccount(draft, sponsor)
  const { numSponsoring } = sponsorshipOf(account.current)
  if (availableBalance(draft.header, account.current) < reserveOf(draft.header, units)) return "lowReserve"
  return numSponsoring + account.current.numSubEntries + units > uint32Max ? "tooManySponsoring" : undefined
}

/** Whether an account can take on reserve units of its own. */
export const ownFailure = (header: Header, account: LoadedAccount, units: number): ReserveFailure | undefined =>
  availableBalance(header, account.current) < reserveOf(header, units) ? "lowReserve" : undefined

/** Moves the count of units an account pays for others. */
export const addSponsoring = (account: LoadedAccount, units: number): void => {
  const numSponsoring = sponsorshipOf(account.current).numSponsoring + units
  if (numSponsoring < 0) fault("fewer reserves are sponsored than recorded")
  account.set(withSponsorship(account.current, { numSponsoring }))
}

/** Moves the count of units others pay for an account. */
export const addSponsored = (account: LoadedAccount, units: number): void => {
  const numSponsored = sponsorshipOf(account.current).numSponsored + units
  if (numSponsored < 0) fault("fewer reserves are sponsored than recorded")
  account.set(withSponsorship(account.current, { numSponsored }))
}

const sponsoredBy = (draft: Draft, entry: xdr.LedgerEntry, sponsor: xdr.PublicKey, units: number): xdr.LedgerEntry => {
  addSponsoring(requireAccount(draft, sponsor), units)
  return withSponsor(entry, sponsor)
}

const tooManySubEntries = (account: xdr.AccountEntry, units: number): boolean =>
  account.numSubEntries > maxSubEntries - units ||
  sponsorshipOf(account).numSponsoring + account.numSubEntries + units > uint32Max

const addSubEntries = (account: LoadedAccount, units: number): void => {
  const numSubEntries = account.current.numSubEntries + units
  if (numSubEntries < 0) fault("fewer sub-entries than recorded")
  account.set(withFields(account.current, { numSubEntries }))
}
