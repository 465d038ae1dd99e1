import { xdr } from "@stellar/stellar-sdk"
import { xdrBytes } from "../../xdr/XdrBytes.ts"

/** From this protocol on values carry milliseconds, in arms that the SDK cannot write (CAP-88). */
const millisecondsProtocol = 30

/** Where `scpValue.ext` begins in a header whose value has no upgrades: version, two hashes, time, their count. */
const extAt = 4 + 32 + 32 + 8 + 4

/** An arm that no protocol has. */
const unknownArm = 77

const uint32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

const uint64 = (value: bigint): Buffer => {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64BE(value)
  return bytes
}

/**
 * The XDR of a header, whose value's arm is the one its protocol has: up to 29 the SDK's own; in 30 those of CAP-88, which are the same with
 * `closeTimeMs` in front (3 for 1, 4 for 2); in anything newer one that no one knows.
 */
export const headerBytes = (header: xdr.LedgerHeader, closeTimeMs: bigint): Uint8Array => {
  const plain = Buffer.from(xdrBytes(header))
  if (header.ledgerVersion < millisecondsProtocol) return plain
  const arm = plain.readUInt32BE(extAt)
  const written = header.ledgerVersion === millisecondsProtocol ? arm + 2 : unknownArm
  return Buffer.concat([plain.subarray(0, extAt), uint32(written), uint64(closeTimeMs), plain.subarray(extAt + 4)])
}

const noExtension = xdrBytes(xdr.LedgerHeaderHistoryEntryExt.v0())

/** The XDR of a `LedgerHeaderHistoryEntry`. */
export const historyEntryBytes = (hash: Uint8Array, header: Uint8Array): Uint8Array => Buffer.concat([hash, header, noExtension])
