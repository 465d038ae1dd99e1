import { assert, describe, it } from "@effect/vitest"
import type { xdr } from "@stellar/stellar-sdk"
import { Option } from "effect"
import { newEntry } from "../../src/ledger/entries/LedgerEntry.ts"
import { contractData } from "../../src/ledger/soroban/ContractEntries.ts"
import { addressOf, addressVal, i128, struct, symbol, u32, variant } from "../../src/ledger/soroban/Values.ts"
import { allowanceEntry } from "../../src/tokens/allowances/AllowanceEntries.ts"
import { keyOf } from "../../src/xdr/LedgerKeys.ts"
import { pool, token, user } from "../close/leaving/support/Simulating.ts"

const ledger = 100

/** The entry of an allowance with this value, expiring with a ledger, read on ledger 100. */
const answered = (value: xdr.ScVal, liveUntilLedger: number) => {
  const parties = struct({ from: addressVal(addressOf(user)), spender: addressVal(addressOf(pool)) })
  const entry = newEntry(contractData(addressOf(token), variant("Allowance", parties), "temporary", value))
  const key = keyOf(entry)
  return allowanceEntry({ key, latestLedger: ledger, live: Option.some({ key, entry, liveUntilLedger, latestLedger: ledger }) })
}

const value = (amount: xdr.ScVal, until: xdr.ScVal) => struct({ amount, live_until_ledger: until })

describe("the entry of an allowance", () => {
  it("is live up to its last ledger, by its own words and by its time to live", () => {
    assert.deepStrictEqual(answered(value(i128(7n), u32(ledger)), ledger), { _tag: "Live", amount: 7n, until: ledger })
  })

  it("is over once its time to live is past, whatever it says itself", () => {
    assert.deepStrictEqual(answered(value(i128(7n), u32(ledger + 9)), ledger - 1), { _tag: "Over" })
    assert.deepStrictEqual(answered(symbol("unreadable"), ledger - 1), { _tag: "Over" })
  })

  it("is over once its own last ledger is past, although the entry lives on", () => {
    assert.deepStrictEqual(answered(value(i128(7n), u32(ledger - 1)), ledger + 9), { _tag: "Over" })
  })

  it("is never taken for over or for nothing where its amount or its last ledger cannot be read", () => {
    assert.deepStrictEqual(answered(value(symbol("much"), u32(ledger + 9)), ledger + 9), { _tag: "Odd", amount: null })
    assert.deepStrictEqual(answered(value(i128(7n), symbol("long")), ledger + 9), { _tag: "Odd", amount: 7n })
    assert.deepStrictEqual(answered(symbol("unreadable"), ledger + 9), { _tag: "Odd", amount: null })
  })

  it("is over where nothing is left of it", () => {
    assert.deepStrictEqual(answered(value(i128(0n), u32(ledger + 9)), ledger + 9), { _tag: "Over" })
  })
})
