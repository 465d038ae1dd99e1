import { StrKey, xdr } from "@stellar/stellar-sdk"
import { AccountAddress } from "../domain/Address.ts"

/** The address of an account as XDR names it without a multiplexing id. */
export const toMuxed = (address: AccountAddress): xdr.MuxedAccount =>
  xdr.MuxedAccount.keyTypeEd25519(StrKey.decodeEd25519PublicKey(address))

/** The address behind a plain account; null for a multiplexed one, which the service never builds. */
export const fromMuxed = (account: xdr.MuxedAccount): AccountAddress | null =>
  account.type === "keyTypeEd25519" ? AccountAddress.make(StrKey.encodeEd25519PublicKey(account.ed25519.value)) : null
