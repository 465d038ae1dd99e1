import { assert, describe, it } from "@effect/vitest"
import { xdr } from "@stellar/stellar-sdk"
import { randomBytes } from "node:crypto"
import { headerBytes } from "../../src/sandbox/network/HeaderBytes.ts"
import { readLedgerHeader } from "../../src/xdr/LedgerHeader.ts"

const signature = (length: number) =>
  new xdr.LedgerCloseValueSignature({ nodeId: xdr.PublicKey.publicKeyTypeEd25519(randomBytes(32)), signature: randomBytes(length) })

const arms = {
  basic: () => xdr.StellarValueExt.stellarValueBasic(),
  signed: () => xdr.StellarValueExt.stellarValueSigned(signature(64)),
  "signed, with a signature of 61 bytes": () => xdr.StellarValueExt.stellarValueSigned(signature(61)),
  "an empty transaction set": () =>
    xdr.StellarValueExt.stellarValueEmptyTxSet(
      new xdr.StellarValueProposedValue({
        txSetHash: randomBytes(32),
        previousLedgerHash: randomBytes(32),
        previousLedgerVersion: 28,
        lcValueSignature: signature(64)
      })
    )
}

const withFlags = xdr.LedgerHeaderExt.v1(new xdr.LedgerHeaderExtensionV1({ flags: 5, ext: xdr.LedgerHeaderExtensionV1Ext.v0() }))

interface Parts {
  readonly ledgerVersion?: number
  readonly ext?: xdr.StellarValueExt
  readonly upgrades?: ReadonlyArray<number>
  readonly headerExt?: xdr.LedgerHeaderExt
}

const header = ({ ext = arms.basic(), headerExt = xdr.LedgerHeaderExt.v0(), ledgerVersion = 28, upgrades = [] }: Parts = {}) =>
  new xdr.LedgerHeader({
    ledgerVersion,
    previousLedgerHash: randomBytes(32),
    scpValue: new xdr.StellarValue({
      txSetHash: randomBytes(32),
      closeTime: 1_795_200_123n,
      upgrades: upgrades.map((length) => randomBytes(length)),
      ext
    }),
    txSetResultHash: randomBytes(32),
    bucketListHash: randomBytes(32),
    ledgerSeq: 63_800_108,
    totalCoins: 500_018_068_123_4567n,
    feePool: 87_654_321n,
    inflationSeq: 12,
    idPool: 1_234_567_890_123n,
    baseFee: 100,
    baseReserve: 5_000_000,
    maxTxSetSize: 1_000,
    skipList: [randomBytes(32), randomBytes(32), randomBytes(32), randomBytes(32)],
    ext: headerExt
  })

const fields = {
  ledgerVersion: 28,
  closeTime: 1_795_200_123n,
  ledgerSeq: 63_800_108,
  idPool: 1_234_567_890_123n,
  baseFee: 100,
  baseReserve: 5_000_000,
  flags: 0
}

const read = (bytes: Uint8Array, sequence = 63_800_108) => readLedgerHeader(Buffer.from(bytes), sequence)

describe("a ledger header", () => {
  for (const [name, arm] of Object.entries(arms)) {
    it(`is read as the SDK wrote it: ${name}`, () => {
      assert.deepStrictEqual(read(header({ ext: arm() }).toXdr()), fields)
      assert.deepStrictEqual(read(header({ ext: arm(), headerExt: withFlags }).toXdr()), { ...fields, flags: 5 })
      assert.deepStrictEqual(read(header({ ext: arm(), upgrades: [8, 1, 128, 5, 12, 3] }).toXdr()), fields)
    })
  }

  for (const [protocol, what] of [[30, "the arms of CAP-88"], [99, "an arm that nobody knows"]] as const) {
    it(`is read where the SDK throws: ${what}`, () => {
      for (const ext of [arms.signed(), arms["an empty transaction set"]()]) {
        for (const [headerExt, flags] of [[xdr.LedgerHeaderExt.v0(), 0], [withFlags, 5]] as const) {
          const bytes = headerBytes(header({ ledgerVersion: protocol, ext, headerExt }), 1_795_200_123_456n)
          assert.throws(() => xdr.LedgerHeader.fromXdr(bytes))
          assert.deepStrictEqual(read(bytes), { ...fields, ledgerVersion: protocol, flags })
        }
      }
    })
  }

  it("has the layout of CAP-88: the time in milliseconds stands before what arms 1 and 2 have", () => {
    const plain = header({ ledgerVersion: 30, ext: arms.signed() }).toXdr()
    const written = Buffer.from(headerBytes(header({ ledgerVersion: 30, ext: arms.signed() }), 1_795_200_123_456n))
    assert.strictEqual(written.length, plain.length + 8)
    assert.strictEqual(written.readUInt32BE(80), 3)
    assert.strictEqual(written.readBigUInt64BE(84), 1_795_200_123_456n)
    assert.strictEqual(
      Buffer.from(headerBytes(header({ ledgerVersion: 30, ext: arms["an empty transaction set"]() }), 1n)).readUInt32BE(80),
      4
    )
  })

  it("is none where it is of another ledger, ends too early, has more behind it, or no upgrades where they stand", () => {
    const bytes = Buffer.from(header({ ext: arms.signed() }).toXdr())
    assert.isNull(read(bytes, 63_800_109))
    for (let length = 0; length < bytes.length; length += 3) assert.isNull(read(bytes.subarray(0, length)), String(length))
    assert.isNull(read(Buffer.concat([bytes, Buffer.alloc(4)])))
    for (const count of [7, 0xffffffff]) {
      const other = Buffer.from(bytes)
      other.writeUInt32BE(count, 76)
      assert.isNull(read(other))
    }
  })
})
