import { assert, describe, it } from "@effect/vitest"
import { Address, Keypair, xdr } from "@stellar/stellar-sdk"
import { Either, Schema } from "effect"
import { randomBytes } from "node:crypto"
import { NewerXdr } from "../../src/chain/xdr/KnownXdr.ts"
import { LedgerEntryDataText, ScValText, TransactionResultText } from "../../src/chain/xdr/XdrText.ts"
import { muxedContractsIn } from "../../src/chain/xdr/XdrWalk.ts"

const contract = randomBytes(32)
const plain = xdr.ScVal.scvAddress(xdr.ScAddress.scAddressTypeContract(new xdr.ContractId(contract)))

/** The value of an address of arm 5: an id, then a contract. */
const muxed = Buffer.concat([Buffer.from([0, 0, 0, 18, 0, 0, 0, 5]), Buffer.from("00000000000004d2", "hex"), contract])
/** The value of an address of an unknown arm. */
const unknown = Buffer.from([0, 0, 0, 18, 0, 0, 0, 9, 1, 2, 3, 4])

const vectorOf = (...values: ReadonlyArray<Uint8Array>): Buffer => {
  const count = Buffer.alloc(4)
  count.writeUInt32BE(values.length)
  return Buffer.concat([Buffer.from([0, 0, 0, 16, 0, 0, 0, 1]), count, ...values])
}

const five = xdr.ScVal.scvU32(5)

const entryOf = (value: Uint8Array): string => {
  const whole = Buffer.from(
    xdr.LedgerEntryData.contractData(
      new xdr.ContractDataEntry({
        ext: xdr.ExtensionPoint.v0(),
        contract: new Address(Keypair.random().publicKey()).toScAddress(),
        key: xdr.ScVal.scvSymbol("Balance"),
        durability: xdr.ContractDataDurability.persistent,
        val: five
      })
    ).toXdr()
  )
  return Buffer.concat([whole.subarray(0, -8), value]).toString("base64")
}

const value = Schema.decodeUnknownEither(ScValText)
const entry = Schema.decodeUnknownEither(LedgerEntryDataText)
const text = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64")

describe("XDR newer than the SDK", () => {
  it("has the address of a contract with an id read as that of the contract, wherever it stands", () => {
    assert.throws(() => xdr.ScVal.fromXdr(muxed))
    assert.deepStrictEqual(muxedContractsIn(xdr.ScVal, vectorOf(five.toXdr(), muxed, muxed)), [24, 72])
    assert.deepStrictEqual(Either.getOrThrow(value(text(muxed))), plain)
    const read = Either.getOrThrow(value(text(vectorOf(muxed, five.toXdr(), muxed))))
    assert.deepStrictEqual(read, xdr.ScVal.scvVec([plain, five, plain]))
    const stored = Either.getOrThrow(entry(entryOf(vectorOf(muxed))))
    const data = stored instanceof NewerXdr || stored.type !== "contractData" ? assert.fail("another entry") : stored.contractData
    assert.deepStrictEqual(data.val, xdr.ScVal.scvVec([plain]))
  })

  it("is an error value where an arm of a value is unknown, and told as newer where one of an entry is", () => {
    assert.strictEqual(Either.getOrThrow(value(text(vectorOf(five.toXdr(), unknown)))).type, "scvError")
    assert.instanceOf(Either.getOrThrow(entry(entryOf(vectorOf(unknown, muxed)))), NewerXdr)
  })

  it("is told as newer where a result code is unknown, a negative one too; a value has no negative arms", () => {
    const resultOf = (code: number): string => {
      const result = new xdr.TransactionResult({
        feeCharged: 0n,
        result: xdr.TransactionResultResult.txBadAuth(),
        ext: xdr.TransactionResultExt.v0()
      })
      const bytes = Buffer.from(result.toXdr())
      bytes.writeInt32BE(code, 8)
      return text(bytes)
    }
    const read = Schema.decodeUnknownEither(TransactionResultText)
    for (const code of [-99, -255, 99]) assert.instanceOf(Either.getOrThrow(read(resultOf(code))), NewerXdr, `${code}`)
    for (const code of [-256, 256, -2147483648]) assert.isTrue(Either.isLeft(read(resultOf(code))), `${code}`)
    assert.isTrue(Either.isLeft(value(text(Buffer.from([255, 255, 255, 250])))))
  })

  it("is nothing where it ends too early, or has something behind it", () => {
    for (const bytes of [muxed.subarray(0, -4), Buffer.concat([muxed, Buffer.alloc(4)]), Buffer.from([0, 0])]) {
      assert.isTrue(Either.isLeft(value(text(bytes))))
      assert.isTrue(Either.isLeft(entry(entryOf(bytes))))
    }
  })
})
