import { assert, describe, it } from "@effect/vitest"
import { Keypair, Networks } from "@stellar/stellar-sdk"
import { receiptText } from "../../src/cli/ReceiptText.ts"
import type { Receipt } from "../../src/client/Receipt.ts"

const [source, destination] = [Keypair.random().publicKey(), Keypair.random().publicKey()]

/** The receipt of an account whose lumens carried this memo. */
const receiptWith = (memo: Receipt["closed"]["memo"]): Receipt => ({
  networkPassphrase: Networks.TESTNET,
  source,
  destination,
  closed: {
    hash: "61".repeat(32),
    ledger: 52,
    closedAt: null,
    mergedInto: destination,
    paidTo: destination,
    receivedLumens: "99.9999900",
    memo
  },
  transactions: []
})

describe("the receipt on a terminal", () => {
  it("shows the memo in quotes, with what is invisible in it", () => {
    const textOf = (value: string) => receiptText(receiptWith({ type: "text", value })).join("\n")
    assert.match(textOf("deposit 7 "), /memo +"deposit 7 " \(text\)/)
    assert.match(textOf("47\u200b11"), /memo +"47\\u200b11" \(text\)/)
    assert.notInclude(receiptText(receiptWith(null)).join("\n"), "memo")
  })
})
