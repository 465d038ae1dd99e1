import type { xdr } from "@stellar/stellar-sdk"

/** ASCII without control characters: what home domains and data names may hold. */
export const isPrintable = (text: xdr.XdrString): boolean => text.bytes.every((byte) => byte >= 0x20 && byte < 0x7f)
