import { StrKey, xdr } from "@stellar/stellar-sdk"
import { AccountAddress } from "./Address.ts"
import { remembered } from "./Remembered.ts"

/** Addresses that are kept in both spellings: an account of a thousand lines names a few issuers over and over. */
const most = 10_000

const encode = remembered(most, (bytes) => AccountAddress.make(StrKey.encodeEd25519PublicKey(Buffer.from(bytes, "latin1"))))

const decode = remembered(most, (address) => xdr.PublicKey.publicKeyTypeEd25519(StrKey.decodeEd25519PublicKey(address)))

/** The address of an account that XDR names. */
export const addressOf = ({ ed25519: { value } }: xdr.PublicKey): AccountAddress =>
  encode(Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString("latin1"))

/** How XDR names an account. */
export const accountIdOf = (address: AccountAddress): xdr.PublicKey => decode(address)
