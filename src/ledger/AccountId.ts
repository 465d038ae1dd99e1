import { xdr } from "@stellar/stellar-sdk"
import { sameBytes } from "./Int64.ts"

/** Bytes as a short map key. */
export const bytesId = (bytes: Uint8Array): string => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("hex")

/** An account as a short map key. */
export const accountId = (account: xdr.PublicKey): string => bytesId(account.ed25519.value)

export const sameAccount = (left: xdr.PublicKey, right: xdr.PublicKey): boolean => sameBytes(left.ed25519.value, right.ed25519.value)

/** The account behind an address, its multiplexing id dropped. */
export const accountOf = (address: xdr.MuxedAccount): xdr.PublicKey =>
  xdr.PublicKey.publicKeyTypeEd25519(address.type === "keyTypeEd25519" ? address.ed25519 : address.med25519.ed25519)
