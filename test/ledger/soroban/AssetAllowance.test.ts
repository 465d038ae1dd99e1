import { assert, describe, it } from "@effect/vitest"
import type { xdr } from "@stellar/stellar-sdk"
import { allowanceKey } from "../../../src/ledger/soroban/AssetAllowance.ts"
import { testNetworkSettings } from "../../../src/ledger/soroban/Settings.ts"
import { addressVal as valOf, asI128, i128, struct, u32 } from "../../../src/ledger/soroban/Values.ts"
import { keyOfContractData, keyText } from "../../../src/xdr/LedgerKeys.ts"
import { issued, lineOf, refusalText, through, trustLine } from "./support/AssetWorld.ts"
import { addressIn, addressVal } from "./support/ContractWorld.ts"

const { maxEntryTtl, minTemporaryTtl } = testNetworkSettings

/** Alice has 100 units, and approves what Bob may spend. */
const setUp = () => {
  const parts = issued()
  const { alice, asset, bob, contract, world } = parts
  trustLine(world, alice, asset, { balance: 100n })
  trustLine(world, bob, asset)
  const key = keyOfContractData(contract, allowanceKey(addressIn(alice), addressIn(bob)), "temporary")
  const grant = (amount: bigint, until: number) => [addressVal(alice), addressVal(bob), i128(amount), u32(until)] as const
  const spending = (amount: bigint) => [addressVal(bob), addressVal(alice), addressVal(bob), i128(amount)] as const
  return {
    ...parts,
    key,
    approve: (amount: bigint, until: number) => world.call(alice, contract, "approve", ...grant(amount, until)),
    tryApprove: (amount: bigint, until: number) => refusalText(world, alice, contract, "approve", ...grant(amount, until)),
    spending,
    spend: (amount: bigint) => world.call(bob, contract, "transfer_from", ...spending(amount)),
    trySpend: (amount: bigint) => refusalText(world, bob, contract, "transfer_from", ...spending(amount)),
    tryBurn: (amount: bigint) => refusalText(world, bob, contract, "burn_from", addressVal(bob), addressVal(alice), i128(amount)),
    allowed: () => asI128(world.read(bob, contract, "allowance", addressVal(alice), addressVal(bob))),
    assertKept: (amount: bigint, until: number) =>
      assert.deepStrictEqual(world.valueOf(key)?.toJson(), struct({ amount: i128(amount), live_until_ledger: u32(until) }).toJson())
  }
}

const tooLate = "HostError: Error(Contract, #9): live_until is greater than max"
const tooEarly = "HostError: Error(Contract, #9): live_until must be >= ledger sequence"
const tooMuch = "HostError: Error(Contract, #9): not enough allowance to spend"

describe("the last ledger of an allowance", () => {
  it("may be the last in which any entry may live, and none after it", () => {
    const { tryApprove, world } = setUp()
    const last = world.ledgerSeq + maxEntryTtl - 1
    assert.strictEqual(tryApprove(1n, last), "success")
    assert.strictEqual(tryApprove(1n, last + 1), tooLate)
    assert.strictEqual(tryApprove(0n, last + 1), tooLate, "nothing is approved no longer than something")
  })

  it("may be the one that runs, and for nothing an earlier one", () => {
    const { tryApprove, world } = setUp()
    assert.strictEqual(tryApprove(1n, world.ledgerSeq), "success")
    assert.strictEqual(tryApprove(1n, world.ledgerSeq - 1), tooEarly)
    assert.strictEqual(tryApprove(0n, world.ledgerSeq - 1), "success")
  })

  it("is the last in which its entry lives, unless entries live longer anyway", () => {
    const { approve, assertKept, key, world } = setUp()
    const until = world.ledgerSeq + 1_000
    approve(30n, until)
    assertKept(30n, until)
    assert.strictEqual(world.lifeOf(key), until)

    const short = setUp()
    short.approve(30n, short.world.ledgerSeq + 50)
    assert.strictEqual(short.world.lifeOf(short.key), short.world.ledgerSeq + minTemporaryTtl - 1)
  })

  it("can be put off, which lengthens the entry's life; put forward, that stays", () => {
    const { approve, assertKept, key, world } = setUp()
    const start = world.ledgerSeq
    approve(30n, start + 1_000)
    approve(30n, start + 2_000)
    assert.strictEqual(world.lifeOf(key), start + 2_000)
    approve(20n, start + 1_500)
    assertKept(20n, start + 1_500)
    assert.strictEqual(world.lifeOf(key), start + 2_000)
  })

  it("ends the allowance even while the entry lives on", () => {
    const { allowed, approve, spend, trySpend, world } = setUp()
    const until = world.ledgerSeq + 5
    approve(30n, until)
    world.next(until - world.ledgerSeq - 1)
    spend(10n)
    assert.strictEqual(world.ledgerSeq, until)
    assert.strictEqual(allowed(), 20n)
    assert.strictEqual(trySpend(20n), "success")
    world.next()
    assert.strictEqual(allowed(), 0n)
    assert.strictEqual(trySpend(1n), tooMuch)
    assert.strictEqual(trySpend(0n), "success")
  })
})

describe("an allowance of nothing", () => {
  it("leaves no entry where there was none, and announces itself all the same", () => {
    const { approve, key, world } = setUp()
    const applied = approve(0n, world.ledgerSeq + 1_000)
    assert.isUndefined(world.valueOf(key))
    assert.strictEqual(applied.receipt?.events.length, 1)
  })

  it("replaces another without lengthening its life", () => {
    const { allowed, approve, assertKept, key, world } = setUp()
    const start = world.ledgerSeq
    approve(10n, start + 1_000)
    approve(0n, start + 3_000)
    assertKept(0n, start + 3_000)
    assert.strictEqual(world.lifeOf(key), start + 1_000)
    assert.strictEqual(allowed(), 0n)
  })

  it("names a ledger that the next allowance must pass to live longer", () => {
    const { approve, assertKept, key, world } = setUp()
    const start = world.ledgerSeq
    approve(10n, start + 1_000)
    approve(0n, start + 3_000)
    approve(5n, start + 3_000)
    assertKept(5n, start + 3_000)
    assert.strictEqual(world.lifeOf(key), start + 1_000, "as the host has it")
    approve(5n, start + 3_001)
    assert.strictEqual(world.lifeOf(key), start + 3_001)
  })
})

describe("spending an allowance", () => {
  it("takes all of it, and not one unit more", () => {
    const { approve, assertKept, spend, tryBurn, trySpend, world, ...rest } = setUp()
    const until = world.ledgerSeq + 1_000
    approve(30n, until)
    assert.strictEqual(trySpend(31n), tooMuch)
    assert.strictEqual(tryBurn(31n), tooMuch)
    assert.strictEqual(tryBurn(30n), "success")
    spend(10n)
    assertKept(20n, until)
    spend(20n)
    assertKept(0n, until)
    assert.strictEqual(world.lifeOf(rest.key), until)
    assert.strictEqual(trySpend(1n), tooMuch)
    assert.strictEqual(lineOf(world, rest.alice, rest.asset).balance, 70n)
  })

  it("only reads the allowance where nothing is spent", () => {
    const { approve, bob, contract, key, spending, world } = setUp()
    approve(30n, world.ledgerSeq + 1_000)
    const texts = (keys: ReadonlyArray<xdr.LedgerKey>) => keys.map(keyText)
    const footprintOf = (amount: bigint) =>
      world.succeedSimulating(bob, contract, "transfer_from", ...spending(amount)).estimate.data.resources.footprint
    assert.include(texts(footprintOf(0n).readOnly), keyText(key))
    assert.include(texts(footprintOf(1n).readWrite), keyText(key))
  })

  it("is open to contracts, which agree by calling", () => {
    const { alice, asset, bob, contract, vault, world } = setUp()
    const until = world.ledgerSeq + 1_000
    world.call(alice, contract, "approve", addressVal(alice), valOf(vault), i128(30n), u32(until))
    world.call(bob, vault, "run", ...through(contract, "transfer_from", valOf(vault), addressVal(alice), addressVal(bob), i128(12n)))
    assert.strictEqual(lineOf(world, bob, asset).balance, 12n)
    assert.strictEqual(asI128(world.read(bob, contract, "allowance", addressVal(alice), valOf(vault))), 18n)
  })
})
