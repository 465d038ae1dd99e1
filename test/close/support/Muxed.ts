import { StrKey } from "@stellar/stellar-sdk"

/** The muxed address (M...) of an id behind an account. */
export const muxedOf = (account: string, id: bigint): string => {
  const bytes = Buffer.alloc(40)
  bytes.set(StrKey.decodeEd25519PublicKey(account))
  bytes.writeBigUInt64BE(id, 32)
  return StrKey.encodeMed25519PublicKey(bytes)
}

/** The account of an address, the id of a muxed one dropped. */
export const baseOf = (address: string): string =>
  address.startsWith("M") ? StrKey.encodeEd25519PublicKey(StrKey.decodeMed25519PublicKey(address).subarray(0, 32)) : address
