import { assert, describe, it } from "@effect/vitest"
import { Keypair, xdr } from "@stellar/stellar-sdk"
import { isPrintable } from "../../../src/ledger/entries/Text.ts"
import { idOf } from "../support/World.ts"

const owner = idOf(Keypair.random())

describe("a text", () => {
  it("is printable from the space to the tilde", () => {
    const texts = [[0x20], [0x7e], [0x1f], [0x7f], [0x80], [0x61, 0x0a], [0x0a, 0x61], []]
    const printable = texts.map((bytes) => {
      const entry = new xdr.DataEntry({
        accountId: owner,
        dataName: Uint8Array.from(bytes),
        dataValue: new Uint8Array(1),
        ext: xdr.DataEntryExt.v0()
      })
      return isPrintable(entry.dataName)
    })
    assert.deepStrictEqual(printable, [true, true, false, false, false, false, false, true])
  })
})
