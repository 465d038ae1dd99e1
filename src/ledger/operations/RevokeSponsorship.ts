import { xdr } from "@stellar/stellar-sdk"
import { entryOwner } from "../../xdr/EntryOwner.ts"
import { sameAccount } from "../AccountId.ts"
import { isIssuer, isNative, isValidAsset } from "../Asset.ts"
import type { Draft } from "../Draft.ts"
import { entrySponsor, withSponsor } from "../entries/LedgerEntry.ts"
import { placeOfSigner } from "../entries/Signer.ts"
import { isPrintable } from "../entries/Text.ts"
import { idOf } from "../EntryId.ts"
import { fault } from "../LedgerFault.ts"
import { loadAccount, requireAccount } from "../Loaded.ts"
import { type ApplyContext, defineOperation, type Verdict } from "../Operation.ts"
import { reserveUnits } from "../Reserves.ts"
import {
  addSponsored,
  addSponsoring,
  ownFailure,
  type ReserveFailure,
  setSignerSponsor,
  signerSponsor,
  sponsorFailure
} from "../Sponsorship.ts"

/**
 * Gives the reserve of an entry or signer up to its owner, or over to the account that sponsors the source's future
 * reserves. The source is the present sponsor, or the owner of what no one sponsors yet.
 */
export const RevokeSponsorship = defineOperation({
  kind: "revokeSponsorship",
  codes: xdr.RevokeSponsorshipResult,
  threshold: "medium",
  check: ({ revokeSponsorshipOp: op }) =>
    op.type === "revokeSponsorshipLedgerEntry" && !isSponsorable(op.ledgerKey)
      ? "malformed"
      : undefined,
  apply: ({ revokeSponsorshipOp: op }, context) =>
    op.type === "revokeSponsorshipLedgerEntry" ? revokeEntry(op.ledgerKey, context) : revokeSigner(op.signer, context),
  touchesFrozen: ({ revokeSponsorshipOp: op }, _, frozen) =>
    op.type === "revokeSponsorshipLedgerEntry" ? frozen.hasKey(op.ledgerKey) : frozen.hasAccount(op.signer.accountId)
})

/** Whether a key can name an entry with a reserve. */
const isSponsorable = (key: xdr.LedgerKey): boolean => {
  switch (key.type) {
    case "account":
    case "claimableBalance":
      return true
    case "trustline": {
      const { accountId, asset } = key.trustLine
      return isValidAsset(asset) && !isNative(asset) && !isIssuer(accountId, asset)
    }
    case "offer":
      return key.offer.offerId > 0n
    case "data":
      return key.data.dataName.length >= 1 && isPrintable(key.data.dataName)
    default:
      return false
  }
}

/** Whose entry it is; a claimable balance counts as its sponsor's. */
const ownerOf = (entry: xdr.LedgerEntry): xdr.PublicKey =>
  entryOwner(entry.data) ?? entrySponsor(entry) ?? fault("an entry without an owner")

const revokeEntry = (key: xdr.LedgerKey, { draft, source }: ApplyContext): Verdict<"revokeSponsorship"> => {
  const id = idOf(key)
  const entry = draft.load(id)
  if (entry === undefined) return "doesNotExist"
  const owner = ownerOf(entry)
  const before = entrySponsor(entry)
  if (!sameAccount(before ?? owner, source)) return "notSponsor"
  const after = nextSponsor(draft, source, owner)
  const isBalance = entry.data.type === "claimableBalance"
  if (after === undefined && isBalance) return "onlyTransferable"

  const units = reserveUnits(entry.data)
  const refusal = moveReserve(draft, units, { before, after, owner })
  if (refusal !== undefined) return refusal
  if (before !== undefined || after !== undefined) draft.put(withSponsor(draft.peek(id) ?? entry, after))
  return "success"
}

const revokeSigner = (
  { accountId, signerKey }: xdr.RevokeSponsorshipOpSigner,
  { draft, source }: ApplyContext
): Verdict<"revokeSponsorship"> => {
  const account = loadAccount(draft, accountId)
  if (account === undefined) return "doesNotExist"
  const { at, found } = placeOfSigner(account.current, signerKey)
  if (!found) return "doesNotExist"
  const before = signerSponsor(account.current, at)
  if (!sameAccount(before ?? accountId, source)) return "notSponsor"

  const after = nextSponsor(draft, source, accountId)
  const refusal = moveReserve(draft, 1, { before, after, owner: accountId })
  if (refusal !== undefined) return refusal
  if (before !== undefined || after !== undefined) setSignerSponsor(account, at, after)
  return "success"
}

/** Who pays from now on, where it is not the owner. */
const nextSponsor = (draft: Draft, source: xdr.PublicKey, owner: xdr.PublicKey): xdr.PublicKey | undefined => {
  const sponsor = draft.sponsorOf(source)
  return sponsor === undefined || sameAccount(sponsor, owner) ? undefined : sponsor
}

/** Who paid a reserve and who pays it from now on, where it is not the owner. */
interface Payers {
  readonly before: xdr.PublicKey | undefined
  readonly after: xdr.PublicKey | undefined
  readonly owner: xdr.PublicKey
}

/** Moves reserve units from one payer to the next, each the owner where it is no sponsor. */
const moveReserve = (draft: Draft, units: number, { after, before, owner }: Payers): ReserveFailure | undefined => {
  if (before === undefined && after === undefined) return undefined
  const releasing = before === undefined ? undefined : requireAccount(draft, before)
  const refusal = after === undefined ? ownFailure(draft.header, requireAccount(draft, owner), units) : sponsorFailure(draft, after, units)
  if (refusal !== undefined) return refusal
  if (releasing !== undefined) addSponsoring(releasing, -units)
  if (after !== undefined) addSponsoring(requireAccount(draft, after), units)
  if (before === undefined) addSponsored(requireAccount(draft, owner), units)
  if (after === undefined) addSponsored(requireAccount(draft, owner), -units)
  return undefined
}
