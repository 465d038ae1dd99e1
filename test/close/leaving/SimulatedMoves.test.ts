import { assert, describe, it } from "@effect/vitest"
import { Address, Keypair, type xdr } from "@stellar/stellar-sdk"
import { tokenMoves, unreadBalance } from "../../../src/close/leaving/simulation/SimulatedMoves.ts"
import { AccountAddress, ContractAddress } from "../../../src/domain/Address.ts"
import { newEntry } from "../../../src/ledger/entries/LedgerEntry.ts"
import { contractData } from "../../../src/ledger/soroban/ContractEntries.ts"
import { addressOf, addressVal, i128, u32, variant } from "../../../src/ledger/soroban/Values.ts"

const [user, other] = [1, 2].map(() => AccountAddress.make(Keypair.random().publicKey())) as [AccountAddress, AccountAddress]
const token = ContractAddress.make(Address.contract(Buffer.alloc(32, 7)).toString())

const balance = (val: xdr.ScVal, owner = user): xdr.LedgerEntry =>
  newEntry(contractData(addressOf(token), variant("Balance", addressVal(addressOf(owner))), "persistent", val))

const [known, unknown] = [i128(5n), u32(5)]

type Change = Parameters<typeof unreadBalance>[0][number]

const change = (before: xdr.LedgerEntry | null, after: xdr.LedgerEntry | null): Change => ({ before, after }) as Change

describe("a balance of an unknown form", () => {
  it("is unread where a call makes it, removes it or changes it", () => {
    for (
      const one of [
        change(null, balance(unknown)),
        change(balance(unknown), null),
        change(balance(unknown), balance(u32(6))),
        change(balance(known), balance(unknown)),
        change(balance(unknown), balance(known))
      ]
    ) assert.strictEqual(unreadBalance([one], user), token)
  })

  it("is no matter where it stays the same, or is another's", () => {
    assert.isNull(unreadBalance([change(balance(unknown), balance(unknown))], user))
    assert.isNull(unreadBalance([change(null, balance(unknown, other))], user))
    assert.isNull(unreadBalance([change(null, balance(known))], user))
  })

  it("counts as none among what a call moves", () => {
    assert.deepStrictEqual(tokenMoves([change(balance(known), balance(unknown))]), [{ owner: user, thing: token, amount: -5n }])
    assert.deepStrictEqual(tokenMoves([change(null, balance(unknown))]), [])
  })
})
