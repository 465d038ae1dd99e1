import { xdr } from "@stellar/stellar-sdk"

/** `AccountFlags`, named by what they do to trustlines of assets the account issues. */
export const AccountFlag = { authRequired: 1, authRevocable: 2, authImmutable: 4, clawbackEnabled: 8 } as const

export const hasFlag = (account: xdr.AccountEntry, flag: number): boolean => (account.flags & flag) !== 0

export const noLiabilities = new xdr.Liabilities({ buying: 0n, selling: 0n })

/** What an account's extensions hold, whichever of them are present. */
export interface AccountExtensions {
  /** Native amounts bound by the account's open offers, in stroops. */
  readonly liabilities: xdr.Liabilities
  readonly sponsorship: Sponsorship | undefined
  readonly sequence: SequenceMark | undefined
}

/** Reserve units: paid for this account by others, and paid by it for others. */
export interface Sponsorship {
  readonly numSponsored: number
  readonly numSponsoring: number
  /** Who pays each signer, index for index with the account's signers. */
  readonly signerSponsors: ReadonlyArray<xdr.PublicKey | null>
}

/** When the sequence number last moved. */
export interface SequenceMark {
  readonly seqLedger: number
  readonly seqTime: bigint
}

export const extensionsOf = (account: xdr.AccountEntry): AccountExtensions => {
  if (account.ext.type === "v0") return { liabilities: noLiabilities, sponsorship: undefined, sequence: undefined }
  const { ext, liabilities } = account.ext.v1
  if (ext.type === "v0") return { liabilities, sponsorship: undefined, sequence: undefined }
  const { ext: last, numSponsored, numSponsoring, signerSponsoringIDs } = ext.v2
  return {
    liabilities,
    sponsorship: { numSponsored, numSponsoring, signerSponsors: signerSponsoringIDs },
    sequence: last.type === "v0" ? undefined : { seqLedger: last.v3.seqLedger, seqTime: last.v3.seqTime }
  }
}

export const liabilitiesOf = (account: xdr.AccountEntry): xdr.Liabilities =>
  account.ext.type === "v0" ? noLiabilities : account.ext.v1.liabilities

export const sponsorshipOf = (account: xdr.AccountEntry): Sponsorship => extensionsOf(account).sponsorship ?? unsponsored(account)

const unsponsored = (account: xdr.AccountEntry): Sponsorship => ({
  numSponsored: 0,
  numSponsoring: 0,
  signerSponsors: account.signers.map(() => null)
})

/** The account with other fields; extensions grow to the version the fields need and never shrink. */
export const withFields = (
  account: xdr.AccountEntry,
  fields: Partial<Pick<xdr.AccountEntry, "balance" | "seqNum" | "numSubEntries" | "signers" | "inflationDest" | "flags">> & {
    readonly homeDomain?: xdr.AccountEntry["homeDomain"]
    readonly thresholds?: Uint8Array
    readonly ext?: xdr.AccountEntryExt
  }
): xdr.AccountEntry => new xdr.AccountEntry({ ...account, ...fields })

export const withLiabilities = (account: xdr.AccountEntry, liabilities: xdr.Liabilities): xdr.AccountEntry =>
  withFields(account, { ext: extended({ ...extensionsOf(account), liabilities }) })

export const withSponsorship = (account: xdr.AccountEntry, change: Partial<Sponsorship>): xdr.AccountEntry =>
  withFields(account, {
    ext: extended({ ...extensionsOf(account), sponsorship: { ...sponsorshipOf(account), ...change } })
  })

/** The account after its sequence number was set, and when. */
export const withSequence = (account: xdr.AccountEntry, seqNum: bigint, sequence: SequenceMark): xdr.AccountEntry =>
  withFields(account, {
    seqNum,
    ext: extended({ ...extensionsOf(account), sponsorship: sponsorshipOf(account), sequence })
  })

/** The account with other signers; `sponsors` runs parallel to them when the account keeps sponsors at all. */
export const withSigners = (
  account: xdr.AccountEntry,
  signers: Array<xdr.Signer>,
  sponsors: ReadonlyArray<xdr.PublicKey | null>
): xdr.AccountEntry => {
  const moved = withFields(account, { signers })
  return extensionsOf(account).sponsorship === undefined ? moved : withSponsorship(moved, { signerSponsors: sponsors })
}

const extended = ({ liabilities, sequence, sponsorship }: AccountExtensions): xdr.AccountEntryExt =>
  xdr.AccountEntryExt.v1(
    new xdr.AccountEntryExtensionV1({
      liabilities,
      ext: sponsorship === undefined ? xdr.AccountEntryExtensionV1Ext.v0() : sponsored(sponsorship, sequence)
    })
  )

const sponsored = (sponsorship: Sponsorship, sequence: SequenceMark | undefined): xdr.AccountEntryExtensionV1Ext =>
  xdr.AccountEntryExtensionV1Ext.v2(
    new xdr.AccountEntryExtensionV2({
      numSponsored: sponsorship.numSponsored,
      numSponsoring: sponsorship.numSponsoring,
      signerSponsoringIDs: [...sponsorship.signerSponsors],
      ext: sequence === undefined
        ? xdr.AccountEntryExtensionV2Ext.v0()
        : xdr.AccountEntryExtensionV2Ext.v3(
          new xdr.AccountEntryExtensionV3({ ext: xdr.ExtensionPoint.v0(), ...sequence })
        )
    })
  )

/** An account as it is created: master weight 1, every threshold 0. */
export const newAccount = (accountId: xdr.PublicKey, balance: bigint, seqNum: bigint): xdr.AccountEntry =>
  new xdr.AccountEntry({
    accountId,
    balance,
    seqNum,
    numSubEntries: 0,
    inflationDest: null,
    flags: 0,
    homeDomain: "",
    thresholds: Uint8Array.of(1, 0, 0, 0),
    signers: [],
    ext: xdr.AccountEntryExt.v0()
  })
