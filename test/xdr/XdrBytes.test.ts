import { assert, describe, it } from "@effect/vitest"
import { xdr } from "@stellar/stellar-sdk"
import { readdirSync, readFileSync } from "node:fs"
import { keyOfEntryData, keyText } from "../../src/xdr/LedgerKeys.ts"
import { xdrBase64, xdrBytes, xdrHex, xdrLength } from "../../src/xdr/XdrBytes.ts"

const recorded = new URL("../recorded/", import.meta.url)

/** All base64 strings of all recordings. */
const texts = (): ReadonlySet<string> => {
  const found = new Set<string>()
  for (const file of readdirSync(recorded, { recursive: true, encoding: "utf8" })) {
    if (!file.endsWith(".json")) continue
    JSON.parse(readFileSync(new URL(file, recorded), "utf8"), (_, value: unknown) => {
      if (typeof value === "string" && value.length % 4 === 0 && /^AAAA[\w+/]+=*$/.test(value)) found.add(value)
      return value
    })
  }
  return found
}

const types: Readonly<Record<string, { validateXdr(bytes: Uint8Array): boolean; fromXdr(bytes: Uint8Array): xdr.XdrValue }>> = {
  ledgerKey: xdr.LedgerKey,
  ledgerEntry: xdr.LedgerEntry,
  ledgerEntryData: xdr.LedgerEntryData,
  scVal: xdr.ScVal,
  envelope: xdr.TransactionEnvelope,
  result: xdr.TransactionResult,
  event: xdr.DiagnosticEvent,
  resources: xdr.SorobanTransactionData
}

const sameAsTheirs = (value: xdr.XdrValue): void => {
  const theirs = value.toXdr()
  assert.strictEqual(Buffer.compare(xdrBytes(value), theirs), 0)
  assert.strictEqual(xdrBase64(value), value.toXdr("base64"))
  assert.strictEqual(xdrHex(value), Buffer.from(theirs).toString("hex"))
  assert.strictEqual(xdrLength(value), theirs.length)
}

const messageOf = (make: () => unknown): string => {
  try {
    make()
    return "made"
  } catch (error) {
    return String(error)
  }
}

const nested = (depth: number): xdr.ScVal => {
  let value: xdr.ScVal = xdr.ScVal.scvVoid()
  for (let level = 0; level < depth; level++) value = xdr.ScVal.scvVec([value])
  return value
}

describe("XDR of values", () => {
  it("is what the SDK makes of every value of the recordings", () => {
    const read: Record<string, number> = {}
    for (const text of texts()) {
      const bytes = Buffer.from(text, "base64")
      for (const [name, type] of Object.entries(types)) {
        if (!type.validateXdr(bytes)) continue
        const value = type.fromXdr(bytes)
        read[name] = (read[name] ?? 0) + 1
        sameAsTheirs(value)
        if (value instanceof xdr.LedgerEntry) {
          assert.strictEqual(keyText(keyOfEntryData(value.data)), keyOfEntryData(value.data).toXdr("base64"))
        }
        break
      }
    }
    assert.deepStrictEqual(read, {
      ledgerKey: 697,
      ledgerEntry: 696,
      ledgerEntryData: 901,
      scVal: 683,
      envelope: 199,
      result: 128,
      event: 426,
      resources: 112
    })
  })

  it("is whole for a value larger than what is kept to write in", () => {
    sameAsTheirs(xdr.ScVal.scvBytes(new Uint8Array(262_144)))
    sameAsTheirs(xdr.ScVal.scvBytes(new Uint8Array(262_135).fill(7)))
    sameAsTheirs(xdr.ScVal.scvVec(Array.from({ length: 22_000 }, (_, at) => xdr.ScVal.scvI64(-BigInt(at)))))
  })

  it("fails as the SDK's does, and the next value is none the worse", () => {
    const wrong = [
      nested(2_000),
      xdr.ScVal.scvI64(1n << 63n),
      xdr.ScVal.scvU32(-1),
      xdr.ScVal.scvVec([xdr.ScVal.scvSymbol("a"), xdr.ScVal.scvSymbol("a".repeat(33))])
    ]
    for (const value of wrong) {
      const theirs = messageOf(() => value.toXdr())
      assert.notStrictEqual(theirs, "made")
      for (const ours of [xdrBytes, xdrBase64, xdrHex, xdrLength]) assert.strictEqual(messageOf(() => ours(value)), theirs)
      sameAsTheirs(nested(300))
    }
  })

  it("belongs to whoever asked: the next value does not change it", () => {
    const first = xdrBytes(xdr.ScVal.scvU32(1))
    xdrBytes(xdr.ScVal.scvU32(2))
    assert.strictEqual(Object.getPrototypeOf(first), Uint8Array.prototype)
    assert.strictEqual(first.buffer.byteLength, first.length)
    assert.deepStrictEqual(first, xdr.ScVal.scvU32(1).toXdr())
  })
})
