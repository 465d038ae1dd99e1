import { assert, describe, it } from "@effect/vitest"
import { Keypair, xdr } from "@stellar/stellar-sdk"
import { Either, Schema } from "effect"
import { NewerXdr } from "../../src/chain/xdr/KnownXdr.ts"
import { LedgerEntryDataText } from "../../src/chain/xdr/XdrText.ts"
import { keyOfEntryData, keyText } from "../../src/xdr/LedgerKeys.ts"
import { xdrBase64 } from "../../src/xdr/XdrBytes.ts"

const decode = Schema.decodeUnknownEither(LedgerEntryDataText)

const accountId = xdr.PublicKey.publicKeyTypeEd25519(Keypair.random().rawPublicKey())

const data = (name: string, bytes: number) =>
  xdr.LedgerEntryData.data(
    new xdr.DataEntry({
      accountId,
      dataName: name,
      dataValue: Buffer.alloc(bytes, 9),
      ext: xdr.DataEntryExt.v0()
    })
  )

const readWhole = (text: string): xdr.LedgerEntryData => {
  const read = Either.getOrThrow(decode(text))
  return read instanceof NewerXdr ? assert.fail("an unknown arm") : read
}

describe("texts of entries", () => {
  it("are what they say, however often and between whatever others they are read", () => {
    const all = Array.from({ length: 4_500 }, (_, index) => data(`n${index}`, 1).toXdr("base64"))
    const first = all[0] ?? ""
    for (const text of [...all, ...all.slice(-100), first, first]) {
      const read = readWhole(text)
      const theirs = xdr.LedgerEntryData.fromXdr(Buffer.from(text, "base64"))
      assert.strictEqual(keyText(keyOfEntryData(read)), keyText(keyOfEntryData(theirs)))
      assert.strictEqual(xdrBase64(read), text)
    }
    assert.strictEqual(Either.getOrThrow(decode(first)), Either.getOrThrow(decode(first)))
  })

  it("are refused each time where they are none", () => {
    const text = data("a", 5).toXdr("base64")
    const wrong = [text.slice(4), `${text}AAAA`, `${text.slice(0, -4)}!!!!`, ""]
    for (const one of [...wrong, ...wrong]) assert.isTrue(Either.isLeft(decode(one)), one)
    assert.isTrue(Either.isRight(decode(text)))
  })
})
