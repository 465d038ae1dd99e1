import { SignerKey } from "@stellar/stellar-sdk"
import * as xdr from "@stellar/stellar-sdk/xdr"
import type { AccountAddress } from "../domain/Address.ts"
import { assetNamed, dashed, native } from "../domain/Asset.ts"
import { assetIdOf, trustlineAssetOf } from "../stellar/Assets.ts"
import { addressOf, poolIdOf } from "../stellar/Names.ts"
import { accountKey, claimableBalanceKey, dataKey, offerKey, publicKeyOf, trustlineKey } from "../xdr/LedgerKeys.ts"
import { xdrHex } from "../xdr/XdrBytes.ts"

/**
 * A sponsored entry by name, as decisions and intents write it: `account:G`, `trustline:G:CODE-ISSUER`, `trustline:G:<pool id>`,
 * `offer:G:<id>`, `data_entry:G:<name>`, `signer:G:<key>`, `claimable_balance:<id>`.
 */
export type SponsorshipTarget = string

const claimable = "claimable_balance:"

/** The id of the claimable balance that a name of one has in it. */
export const balanceIn = (target: SponsorshipTarget): string => target.slice(claimable.length)

/** The owner of the entry that a name stands for; null: a claimable balance, which no one owns. */
export const ownerIn = (target: SponsorshipTarget): string | null => (target.startsWith(claimable) ? null : target.split(":")[1] ?? null)

const poolId = /^[0-9a-f]{64}$/

/** The asset of a trustline by name: `CODE-ISSUER`, `CODE:ISSUER`, or a pool id for the line of its shares. */
export const lineAsset = (name: string): xdr.TrustLineAsset =>
  poolId.test(name)
    ? xdr.TrustLineAsset.assetTypePoolShare(xdr.PoolId.fromXdr(name, "hex"))
    : trustlineAssetOf(assetNamed(name.replace("-", ":")))

const lineName = (asset: xdr.TrustLineAsset): string =>
  asset.type === "assetTypePoolShare" ? poolIdOf(asset.liquidityPoolId) : dashed(assetIdOf(asset) ?? native)

const ledgerEntry = (key: xdr.LedgerKey): xdr.RevokeSponsorshipOp => xdr.RevokeSponsorshipOp.revokeSponsorshipLedgerEntry(key)

/** The XDR of REVOKE_SPONSORSHIP for a named entry. A name of another form is a defect: names are made here or decoded by Schema. */
export const toRevocation = (target: SponsorshipTarget): xdr.RevokeSponsorshipOp => {
  const [kind = "", owner = "", ...rest] = target.split(":")
  const name = rest.join(":")
  switch (kind) {
    case "account":
      return ledgerEntry(accountKey(owner))
    case "trustline":
      return ledgerEntry(trustlineKey(owner, lineAsset(name)))
    case "offer":
      return ledgerEntry(offerKey(owner, BigInt(name)))
    case "data_entry":
      return ledgerEntry(dataKey(owner, name))
    case "signer":
      return xdr.RevokeSponsorshipOp.revokeSponsorshipSigner(
        new xdr.RevokeSponsorshipOpSigner({ accountId: publicKeyOf(owner), signerKey: SignerKey.decodeAddress(name) })
      )
    case "claimable_balance":
      return ledgerEntry(claimableBalanceKey(owner))
    default:
      throw new RangeError("no sponsored entry has this name")
  }
}

/** The name and owner of what REVOKE_SPONSORSHIP names; null for kinds of entries that are never sponsored. */
export const fromRevocation = (
  operation: xdr.RevokeSponsorshipOp
): { readonly entry: SponsorshipTarget; readonly owner: AccountAddress | null } | null => {
  if (operation.type === "revokeSponsorshipSigner") {
    const owner = addressOf(operation.signer.accountId)
    return { entry: `signer:${owner}:${SignerKey.encodeSignerKey(operation.signer.signerKey)}`, owner }
  }
  const key = operation.ledgerKey
  switch (key.type) {
    case "account": {
      const owner = addressOf(key.account.accountId)
      return { entry: `account:${owner}`, owner }
    }
    case "trustline": {
      const owner = addressOf(key.trustLine.accountId)
      return { entry: `trustline:${owner}:${lineName(key.trustLine.asset)}`, owner }
    }
    case "offer": {
      const owner = addressOf(key.offer.sellerId)
      return { entry: `offer:${owner}:${key.offer.offerId}`, owner }
    }
    case "data": {
      const owner = addressOf(key.data.accountId)
      return { entry: `data_entry:${owner}:${key.data.dataName.toString()}`, owner }
    }
    case "claimableBalance":
      return { entry: `${claimable}${xdrHex(key.claimableBalance.balanceId)}`, owner: null }
    default:
      return null
  }
}
