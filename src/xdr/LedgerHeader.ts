/** The fields of a `LedgerHeader` that are used. */
export interface LedgerHeaderFields {
  readonly ledgerVersion: number
  /** Unix seconds. */
  readonly closeTime: bigint
  readonly ledgerSeq: number
  /** The last offer id given out. */
  readonly idPool: bigint
  /** Stroops per operation. */
  readonly baseFee: number
  /** Stroops per reserve unit. */
  readonly baseReserve: number
  /** `LedgerHeaderFlags`; 0 where the header has none. */
  readonly flags: number
}

/** `ledgerVersion`, `previousLedgerHash`, `scpValue.txSetHash`, then `scpValue.closeTime`; the upgrades follow. */
const closeTimeAt = 4 + 32 + 32

/** Everything behind `scpValue` up to `ext`: three hashes less one, numbers, and the skip list of four hashes. */
const tailLength = 32 + 32 + 4 + 8 + 8 + 4 + 8 + 4 + 4 + 4 + 4 * 32

/** The lengths of `ext`: without flags, and with them. */
const extensions = [4, 12] as const

const upgrades = { most: 6, longest: 128 }

/** The first byte behind `scpValue.upgrades`, where its `ext` begins; null where those are no upgrades. */
const valueExtAt = (bytes: Buffer): number | null => {
  let at = closeTimeAt + 8
  const count = bytes.readUInt32BE(at)
  if (count > upgrades.most) return null
  at += 4
  for (let left = count; left > 0; left--) {
    const length = bytes.readUInt32BE(at)
    if (length > upgrades.longest) return null
    at += 4 + length + (-length & 3)
  }
  return at
}

const flagsIn = (bytes: Buffer, extension: number): number | null => {
  const at = bytes.length - extension
  if (extension === 4) return bytes.readUInt32BE(at) === 0 ? 0 : null
  return bytes.readUInt32BE(at) === 1 && bytes.readUInt32BE(at + 8) === 0 ? bytes.readUInt32BE(at + 4) : null
}

/**
 * Reads a `LedgerHeader` that is said to be of ledger `sequence`. Null where the bytes are no header of that ledger. Fields are read from
 * both ends towards `scpValue.ext`, whose arm is skipped: the SDK throws on arms that are newer than itself (3 and 4 of CAP-88).
 */
export const readLedgerHeader = (bytes: Buffer, sequence: number): LedgerHeaderFields | null => {
  try {
    const armAt = valueExtAt(bytes)
    if (armAt === null) return null
    for (const extension of extensions) {
      const tail = bytes.length - extension - tailLength
      const flags = flagsIn(bytes, extension)
      // The arm of the value takes at least its number.
      if (tail < armAt + 4 || flags === null || bytes.readUInt32BE(tail + 64) !== sequence) continue
      return {
        ledgerVersion: bytes.readUInt32BE(0),
        closeTime: bytes.readBigUInt64BE(closeTimeAt),
        ledgerSeq: sequence,
        idPool: bytes.readBigUInt64BE(tail + 88),
        baseFee: bytes.readUInt32BE(tail + 96),
        baseReserve: bytes.readUInt32BE(tail + 100),
        flags
      }
    }
    return null
  } catch {
    // It ends too early.
    return null
  }
}
