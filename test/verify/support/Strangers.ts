import { Asset, decodeAddressToMuxedAccount, Keypair, StrKey, xdr } from "@stellar/stellar-sdk"

/** An account without a part in any close. */
export const stranger = Keypair.fromRawEd25519Seed(Buffer.alloc(32, 7)).publicKey()

export const strangerId = xdr.PublicKey.publicKeyTypeEd25519(StrKey.decodeEd25519PublicKey(stranger))

export const strangerAccount = xdr.MuxedAccount.keyTypeEd25519(StrKey.decodeEd25519PublicKey(stranger))

/** A contract that no book lists. */
export const strangeContract = StrKey.encodeContract(Buffer.alloc(32, 9))

export const strangeAddress = xdr.ScAddress.scAddressTypeContract(new xdr.ContractId(Buffer.alloc(32, 9)))

export const strangerAddress = xdr.ScAddress.scAddressTypeAccount(strangerId)

/** An asset without a decision. */
export const strangeAsset = new Asset("EVIL", stranger).toXdrObject()

/** The address of an account, as part of an operation. */
export const accountNamed = (address: string): xdr.MuxedAccount => decodeAddressToMuxedAccount(address)

/** The same account as a muxed one, which an exchange may credit to a customer; with another id, where it has one. */
export const muxed = (account: xdr.MuxedAccount): xdr.MuxedAccount =>
  xdr.MuxedAccount.keyTypeMuxedEd25519(
    account.type === "keyTypeEd25519"
      ? new xdr.MuxedAccountMed25519({ id: 1n, ed25519: account.ed25519 })
      : new xdr.MuxedAccountMed25519({ id: account.med25519.id ^ 1n, ed25519: account.med25519.ed25519 })
  )

/** The account without its id; null where it has none. */
export const unmuxed = (account: xdr.MuxedAccount): xdr.MuxedAccount | null =>
  account.type === "keyTypeEd25519" ? null : xdr.MuxedAccount.keyTypeEd25519(account.med25519.ed25519)
