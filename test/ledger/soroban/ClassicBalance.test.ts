import { assert, describe, it } from "@effect/vitest"
import { Keypair, xdr } from "@stellar/stellar-sdk"
import { native } from "../../../src/ledger/Asset.ts"
import { withFields, withLiabilities, withSponsorship } from "../../../src/ledger/entries/Account.ts"
import { int64Max } from "../../../src/ledger/Int64.ts"
import { asI128, i128 } from "../../../src/ledger/soroban/Values.ts"
import { issued, lineOf, refusalText, trustLine } from "./support/AssetWorld.ts"
import { addressVal, baseReserve, ContractWorld } from "./support/ContractWorld.ts"

const outOfRange = "HostError: Error(Contract, #10): resulting balance is not within the allowed range"
const unreadable = "HostError: Error(Storage, InternalError): the balance is outside its range"
const accountMissing = "HostError: Error(Contract, #6): account entry is missing"
const tooLittle = "HostError: Error(Contract, #14): transfer amount is below minimum balance for new account"

describe("lumens of an account", () => {
  const setUp = () => {
    const world = new ContractWorld()
    const [alice, bob] = [world.account(), world.account()]
    const contract = world.asset(native)
    return {
      world,
      alice,
      bob,
      edit: (change: (account: xdr.AccountEntry) => xdr.AccountEntry) => world.edit(alice, change),
      read: () => refusalText(world, bob, contract, "balance", addressVal(alice)),
      transfer: (from: Keypair, to: Keypair, amount: bigint) =>
        refusalText(world, bob, contract, "transfer", addressVal(from), addressVal(to), i128(amount)),
      send: (from: Keypair, to: Keypair, amount: bigint) =>
        world.call(from, contract, "transfer", addressVal(from), addressVal(to), i128(amount)),
      balanceOf: (who: Keypair) => asI128(world.read(bob, contract, "balance", addressVal(who)))
    }
  }

  it("are kept down to the reserve of what it owns and sponsors, less what others sponsor", () => {
    const { alice, bob, edit, transfer } = setUp()
    const keeps = (reserves: bigint, change: (account: xdr.AccountEntry) => xdr.AccountEntry) => {
      edit((account) => withFields(change(account), { balance: 20n * baseReserve }))
      const most = (20n - reserves) * baseReserve
      assert.deepStrictEqual([transfer(alice, bob, most), transfer(alice, bob, most + 1n)], ["success", outOfRange])
    }
    keeps(2n, (account) => account)
    keeps(5n, (account) => withFields(account, { numSubEntries: 3 }))
    keeps(9n, (account) => withSponsorship(account, { numSponsored: 0, numSponsoring: 4 }))
    keeps(3n, (account) => withSponsorship(account, { numSponsored: 2, numSponsoring: 0 }))
    keeps(4n, (account) => withSponsorship(account, { numSponsored: 2, numSponsoring: 1 }))
  })

  it("are kept for offers that sell them", () => {
    const { alice, bob, edit, transfer } = setUp()
    const liabilities = new xdr.Liabilities({ buying: 0n, selling: 30n })
    edit((account) => withLiabilities(withFields(account, { balance: 2n * baseReserve + 100n }), liabilities))
    assert.deepStrictEqual([transfer(alice, bob, 70n), transfer(alice, bob, 71n)], ["success", outOfRange])
  })

  it("are taken up to what offers that buy them leave room for", () => {
    const { alice, bob, edit, transfer } = setUp()
    const liabilities = new xdr.Liabilities({ buying: 30n, selling: 0n })
    edit((account) => withLiabilities(withFields(account, { balance: int64Max - 100n }), liabilities))
    assert.deepStrictEqual([transfer(bob, alice, 70n), transfer(bob, alice, 71n)], ["success", outOfRange])
  })

  it("go from one balance to the other", () => {
    const { alice, balanceOf, bob, send, world } = setUp()
    const [before, others] = [balanceOf(alice), balanceOf(bob)]
    const { feeCharged } = send(alice, bob, 70n)
    assert.strictEqual(before - balanceOf(alice), 70n + feeCharged)
    assert.strictEqual(balanceOf(bob) - others, 70n)
    assert.strictEqual(world.entry(alice).numSubEntries, 0)
  })

  it("cannot be read where they lie outside of these bounds", () => {
    const { edit, read } = setUp()
    const at = (balance: bigint) => {
      edit((account) => withFields(account, { balance }))
      return read()
    }
    edit((account) => withLiabilities(account, new xdr.Liabilities({ buying: 30n, selling: 20n })))
    assert.strictEqual(at(2n * baseReserve + 19n), unreadable)
    assert.strictEqual(at(2n * baseReserve + 20n), "success")
    assert.strictEqual(at(int64Max - 30n), "success")
    assert.strictEqual(at(int64Max - 29n), unreadable)
  })

  it("neither leave a missing account nor can be read there", () => {
    const { bob, transfer, world } = setUp()
    const missing = Keypair.random()
    assert.strictEqual(refusalText(world, bob, world.asset(native), "balance", addressVal(missing)), accountMissing)
    assert.strictEqual(transfer(missing, bob, 1n), accountMissing)
    assert.strictEqual(transfer(missing, bob, 0n), accountMissing)
  })

  it("make the account that receives two reserves, and nothing less", () => {
    const { alice, send, transfer, world } = setUp()
    const missing = Keypair.random()
    assert.strictEqual(transfer(alice, missing, 0n), accountMissing)
    assert.strictEqual(transfer(alice, missing, 1n), tooLittle)
    assert.strictEqual(transfer(alice, missing, 2n * baseReserve - 1n), tooLittle)
    send(alice, missing, 2n * baseReserve)
    const { balance, flags, numSubEntries, seqNum, thresholds } = world.entry(missing)
    assert.deepStrictEqual(
      [balance, seqNum, numSubEntries, flags, [...thresholds.value]],
      [2n * baseReserve, BigInt(world.ledgerSeq) << 32n, 0, 0, [1, 0, 0, 0]]
    )
  })
})

describe("an issued asset on a trustline", () => {
  const setUp = (line: Parameters<typeof trustLine>[3]) => {
    const parts = issued()
    const { alice, asset, contract, issuer, world } = parts
    trustLine(world, alice, asset, line)
    return {
      ...parts,
      read: () => refusalText(world, issuer, contract, "balance", addressVal(alice)),
      burn: (amount: bigint) => refusalText(world, issuer, contract, "burn", addressVal(alice), i128(amount)),
      mint: (amount: bigint) => refusalText(world, issuer, contract, "mint", addressVal(alice), i128(amount))
    }
  }

  it("stays above what offers sell and below limit and what offers buy", () => {
    const { burn, mint } = setUp({ balance: 50n, limit: 100n, selling: 20n, buying: 10n })
    assert.deepStrictEqual([burn(30n), burn(31n)], ["success", outOfRange])
    assert.deepStrictEqual([mint(40n), mint(41n)], ["success", outOfRange])
  })

  it("uses the line to its ends without offers", () => {
    const { burn, mint } = setUp({ balance: 50n, limit: 100n })
    assert.deepStrictEqual([burn(50n), burn(51n)], ["success", outOfRange])
    assert.deepStrictEqual([mint(50n), mint(51n)], ["success", outOfRange])
  })

  it("goes on and off the line", () => {
    const { alice, asset, contract, issuer, world } = setUp({ balance: 50n, limit: 100n, flags: 1 })
    world.call(issuer, contract, "mint", addressVal(alice), i128(20n))
    world.call(alice, contract, "burn", addressVal(alice), i128(30n))
    const { balance, flags, limit } = lineOf(world, alice, asset)
    assert.deepStrictEqual([balance, limit, flags], [40n, 100n, 1])
  })

  it("cannot be read where it lies outside of these bounds", () => {
    const offers = { limit: 100n, selling: 20n, buying: 10n }
    assert.strictEqual(setUp({ ...offers, balance: 19n }).read(), unreadable)
    assert.strictEqual(setUp({ ...offers, balance: 20n }).read(), "success")
    assert.strictEqual(setUp({ ...offers, balance: 90n }).read(), "success")
    assert.strictEqual(setUp({ ...offers, balance: 91n }).read(), unreadable)
  })
})
