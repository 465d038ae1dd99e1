import { assert, describe, it } from "@effect/vitest"
import { Keypair, xdr } from "@stellar/stellar-sdk"
import { native } from "../../../src/ledger/Asset.ts"
import { AccountFlag, withFields } from "../../../src/ledger/entries/Account.ts"
import { TrustlineFlag } from "../../../src/ledger/entries/Trustline.ts"
import { ledgersPerDay } from "../../../src/ledger/Header.ts"
import { int64Max } from "../../../src/ledger/Int64.ts"
import { addressVal as valOf, asBool, asI128, bool, i128, i128Max } from "../../../src/ledger/soroban/Values.ts"
import { accountKey, keyOfInstance } from "../../../src/xdr/LedgerKeys.ts"
import { codesOf } from "../support/World.ts"
import {
  assertHeld,
  balanceEntryKey,
  type Held,
  hold,
  holderVal,
  issued,
  lineOf,
  refusalText,
  somewhere,
  through,
  trustLine
} from "./support/AssetWorld.ts"
import { addressVal, ample, ContractWorld } from "./support/ContractWorld.ts"

const tooLarge = "HostError: Error(Contract, #12): the amount is too large for an i64"
const deauthorized = "HostError: Error(Contract, #11): balance is deauthorized"
const tooLittle = "HostError: Error(Contract, #10): balance is not sufficient to spend"
const lineMissing = "HostError: Error(Contract, #13): trustline entry is missing for account"

describe("what the ledger keeps for a contract", () => {
  it("is read as nothing where there is no entry, and none is made", () => {
    const { alice, contract, world } = issued()
    assert.strictEqual(asI128(world.read(alice, contract, "balance", holderVal)), 0n)
    world.call(alice, contract, "balance", holderVal)
    assertHeld(world, contract, somewhere, undefined)
  })

  it("lives thirty days on from a reading, if it would live less than 29", () => {
    const { alice, contract, world } = issued()
    const key = balanceEntryKey(contract, somewhere)
    hold(world, contract, somewhere, { amount: 60n })
    const lifeAfterReading = (days: number, ledgers: number) => {
      world.liveUntil(key, world.ledgerSeq + 1 + days * ledgersPerDay + ledgers)
      const body = xdr.OperationBody.invokeHostFunction(world.operation(contract, "balance", [holderVal]))
      const applied = world.submit(world.envelope(alice, body, ample([keyOfInstance(contract), key], [])))
      assert.deepStrictEqual(codesOf(applied), ["txSuccess", "invokeHostFunctionSuccess"])
      return (world.lifeOf(key) ?? 0) - world.ledgerSeq
    }
    assert.strictEqual(lifeAfterReading(29, 0), 30 * ledgersPerDay)
    assert.strictEqual(lifeAfterReading(29, 1), 29 * ledgersPerDay + 1)
  })

  it("grows to the largest number there is, and no further", () => {
    const { contract, issuer, world } = issued()
    hold(world, contract, somewhere, { amount: i128Max - 5n })
    const text = (amount: bigint) => refusalText(world, issuer, contract, "mint", holderVal, i128(amount))
    assert.strictEqual(text(6n), "HostError: Error(Contract, #12): balance overflow")
    assert.strictEqual(text(7n), "HostError: Error(Contract, #12): balance overflow")
    world.call(issuer, contract, "mint", holderVal, i128(5n))
    assertHeld(world, contract, somewhere, { amount: i128Max })
  })

  it("adds what comes in, for good", () => {
    const { contract, issuer, world } = issued()
    world.call(issuer, contract, "mint", holderVal, i128(60n))
    world.call(issuer, contract, "transfer", addressVal(issuer), holderVal, i128(5n))
    assertHeld(world, contract, somewhere, { amount: 65n })
  })

  it("is spent by its contract down to nothing, and the entry stays", () => {
    const { alice, asset, contract, vault, world } = issued()
    trustLine(world, alice, asset)
    hold(world, contract, vault, { amount: 60n })
    const run = (amount: bigint) => through(contract, "transfer", valOf(vault), addressVal(alice), i128(amount))
    assert.strictEqual(refusalText(world, alice, vault, "run", ...run(61n)), tooLittle)
    world.call(alice, vault, "run", ...run(20n))
    assertHeld(world, contract, vault, { amount: 40n })
    assert.strictEqual(world.lifeOf(balanceEntryKey(contract, vault)), 1_001_000, "longer than thirty days anyway")
    world.call(alice, vault, "run", ...run(40n))
    assertHeld(world, contract, vault, { amount: 0n })
    assert.strictEqual(lineOf(world, alice, asset).balance, 60n)
  })

  it("is nothing to spend where there is no entry", () => {
    const { alice, asset, contract, vault, world } = issued()
    trustLine(world, alice, asset)
    const run = (amount: bigint) => through(contract, "transfer", valOf(vault), addressVal(alice), i128(amount))
    assert.strictEqual(refusalText(world, alice, vault, "run", ...run(1n)), tooLittle)
    world.call(alice, vault, "run", ...run(0n))
    assertHeld(world, contract, vault, undefined)
  })

  it("lives thirty days on from a change", () => {
    const { alice, asset, contract, vault, world } = issued()
    trustLine(world, alice, asset)
    hold(world, contract, vault, { amount: 60n })
    const key = balanceEntryKey(contract, vault)
    world.liveUntil(key, world.ledgerSeq + 1_000)
    world.call(alice, vault, "run", ...through(contract, "burn", valOf(vault), i128(1n)))
    assertHeld(world, contract, vault, { amount: 59n })
    assert.strictEqual(world.lifeOf(key), world.ledgerSeq + 30 * ledgersPerDay)
  })

  it("keeps its authorization and whether it can be clawed back", () => {
    const { contract, issuer, world } = issued(AccountFlag.clawbackEnabled | AccountFlag.authRevocable)
    hold(world, contract, somewhere, { amount: 60n })
    world.call(issuer, contract, "mint", holderVal, i128(5n))
    assertHeld(world, contract, somewhere, { amount: 65n, authorized: true, clawback: false })
  })

  it("begins with what the issuer's flags say of it", () => {
    const kept = (flags: number, held: Held) => {
      const { contract, issuer, world } = issued(flags)
      world.call(issuer, contract, "mint", holderVal, i128(5n))
      assertHeld(world, contract, somewhere, held)
    }
    kept(AccountFlag.authRevocable, { amount: 5n, authorized: true, clawback: false })
    kept(AccountFlag.authRevocable | AccountFlag.clawbackEnabled, { amount: 5n, authorized: true, clawback: true })
  })

  it("begins authorized and safe from clawback for the native asset, which has no issuer", () => {
    const world = new ContractWorld()
    const alice = world.account()
    const contract = world.asset(native)
    assert.isTrue(asBool(world.read(alice, contract, "authorized", holderVal)))
    world.call(alice, contract, "transfer", addressVal(alice), holderVal, i128(5n))
    assertHeld(world, contract, somewhere, { amount: 5n, authorized: true, clawback: false })
  })
})

describe("authorization of a contract", () => {
  const authorized = ({ alice, contract, world }: ReturnType<typeof issued>) => asBool(world.read(alice, contract, "authorized", holderVal))

  it("is given before it holds anything, unless the issuer has to give it", () => {
    const free = issued()
    assert.isTrue(authorized(free))
    const strict = issued(AccountFlag.authRequired)
    assert.isFalse(authorized(strict))
    assert.strictEqual(refusalText(strict.world, strict.issuer, strict.contract, "mint", holderVal, i128(1n)), deauthorized)
  })

  it("is what its own entry says, whatever the issuer's flags", () => {
    const strict = issued(AccountFlag.authRequired)
    hold(strict.world, strict.contract, somewhere, { amount: 1n })
    assert.isTrue(authorized(strict))
    const free = issued()
    hold(free.world, free.contract, somewhere, { amount: 1n, authorized: false })
    assert.isFalse(authorized(free))
  })

  it("makes an entry of nothing where there is none", () => {
    const flags = AccountFlag.authRequired | AccountFlag.authRevocable
    const made = (authorize: boolean, extra: number, held: Held) => {
      const { contract, issuer, world } = issued(flags | extra)
      world.call(issuer, contract, "set_authorized", holderVal, bool(authorize))
      assertHeld(world, contract, somewhere, held)
      assert.strictEqual(world.lifeOf(balanceEntryKey(contract, somewhere)), world.ledgerSeq + 30 * ledgersPerDay)
    }
    made(true, 0, { amount: 0n, authorized: true })
    made(false, 0, { amount: 0n, authorized: false })
    made(true, AccountFlag.clawbackEnabled, { amount: 0n, authorized: true, clawback: true })
  })

  it("is taken away and given back, and the amount stays", () => {
    const { alice, asset, contract, issuer, vault, world } = issued(AccountFlag.authRevocable)
    trustLine(world, alice, asset, { balance: 10n })
    hold(world, contract, vault, { amount: 60n, clawback: true })
    world.call(issuer, contract, "set_authorized", valOf(vault), bool(false))
    assertHeld(world, contract, vault, { amount: 60n, authorized: false, clawback: true })
    const spend = through(contract, "transfer", valOf(vault), addressVal(alice), i128(1n))
    assert.strictEqual(refusalText(world, alice, vault, "run", ...spend), deauthorized)
    assert.strictEqual(refusalText(world, alice, contract, "transfer", addressVal(alice), valOf(vault), i128(1n)), deauthorized)
    world.call(issuer, contract, "set_authorized", valOf(vault), bool(true))
    assertHeld(world, contract, vault, { amount: 60n, authorized: true, clawback: true })
    assert.strictEqual(refusalText(world, alice, vault, "run", ...spend), "success")
  })

  it("is not taken away by an issuer who did not reserve that", () => {
    const { contract, issuer, world } = issued(AccountFlag.authRequired)
    const text = (authorize: boolean) => refusalText(world, issuer, contract, "set_authorized", holderVal, bool(authorize))
    assert.strictEqual(text(false), "HostError: Error(Contract, #2): issuer does not have AUTH_REVOCABLE set")
    assert.strictEqual(text(true), "success")
  })

  it("cannot be looked up once the issuer is gone", () => {
    const { alice, contract, issuer, world } = issued()
    world.state = world.state.delete([accountKey(issuer.publicKey())])
    assert.strictEqual(
      refusalText(world, alice, contract, "authorized", holderVal),
      "HostError: Error(Storage, MissingValue): trying to get non-existing value for account"
    )
  })
})

describe("clawback from a contract", () => {
  const flags = AccountFlag.clawbackEnabled | AccountFlag.authRevocable

  it("takes up to all of it, frozen or not", () => {
    const { contract, issuer, world } = issued(flags)
    hold(world, contract, somewhere, { amount: 60n, authorized: false, clawback: true })
    const text = (amount: bigint) => refusalText(world, issuer, contract, "clawback", holderVal, i128(amount))
    assert.strictEqual(text(61n), tooLittle)
    world.call(issuer, contract, "clawback", holderVal, i128(25n))
    assertHeld(world, contract, somewhere, { amount: 35n, authorized: false, clawback: true })
    world.call(issuer, contract, "clawback", holderVal, i128(35n))
    assertHeld(world, contract, somewhere, { amount: 0n, authorized: false, clawback: true })
  })

  it("needs an entry that allows it, even for nothing", () => {
    const { contract, issuer, world } = issued(flags)
    const text = (amount: bigint) => refusalText(world, issuer, contract, "clawback", holderVal, i128(amount))
    const refused = "HostError: Error(Contract, #10): balance isn't clawbackable"
    assert.strictEqual(text(0n), refused)
    hold(world, contract, somewhere, { amount: 60n })
    assert.strictEqual(text(0n), refused)
    assert.strictEqual(text(1n), refused)
  })
})

describe("amounts of accounts", () => {
  it("reach the largest that an account can hold", () => {
    const { alice, asset, bob, contract, issuer, world } = issued()
    trustLine(world, alice, asset)
    trustLine(world, bob, asset)
    const mint = (amount: bigint) => refusalText(world, issuer, contract, "mint", addressVal(alice), i128(amount))
    assert.strictEqual(mint(int64Max + 1n), tooLarge)
    world.call(issuer, contract, "mint", addressVal(alice), i128(int64Max))
    assert.strictEqual(lineOf(world, alice, asset).balance, int64Max)
    const burn = (amount: bigint) => refusalText(world, alice, contract, "burn", addressVal(alice), i128(amount))
    assert.strictEqual(burn(int64Max + 1n), tooLarge)
    world.call(alice, contract, "transfer", addressVal(alice), addressVal(bob), i128(int64Max))
    assert.deepStrictEqual([lineOf(world, alice, asset).balance, lineOf(world, bob, asset).balance], [0n, int64Max])
  })

  it("bind the issuer too, though it has no balance to change", () => {
    const { alice, contract, issuer, vault, world } = issued()
    hold(world, contract, vault, { amount: int64Max + 1n })
    const text = (amount: bigint) =>
      refusalText(world, alice, vault, "run", ...through(contract, "transfer", valOf(vault), addressVal(issuer), i128(amount)))
    assert.strictEqual(text(int64Max), "success")
    assert.strictEqual(text(int64Max + 1n), tooLarge)
  })

  it("need a trustline", () => {
    const { alice, bob, contract, issuer, world } = issued(AccountFlag.clawbackEnabled | AccountFlag.authRevocable)
    const text = (source: Keypair, fn: string, ...args: ReadonlyArray<xdr.ScVal>) => refusalText(world, source, contract, fn, ...args)
    assert.strictEqual(text(bob, "balance", addressVal(alice)), lineMissing)
    assert.strictEqual(text(bob, "authorized", addressVal(alice)), lineMissing)
    assert.strictEqual(text(issuer, "mint", addressVal(alice), i128(1n)), lineMissing)
    assert.strictEqual(text(alice, "burn", addressVal(alice), i128(1n)), lineMissing)
    assert.strictEqual(text(issuer, "clawback", addressVal(alice), i128(1n)), lineMissing)
    assert.strictEqual(text(issuer, "set_authorized", addressVal(alice), bool(true)), lineMissing)
  })
})

describe("authorization of an account", () => {
  it("is what its trustline says in full", () => {
    const { alice, asset, contract, issuer, world } = issued()
    const authorized = (who: Keypair) => asBool(world.read(alice, contract, "authorized", addressVal(who)))
    assert.isTrue(authorized(issuer))
    trustLine(world, alice, asset, { balance: 10n, flags: TrustlineFlag.maintainLiabilities })
    assert.isFalse(authorized(alice))
    const text = (fn: string, ...args: ReadonlyArray<xdr.ScVal>) => refusalText(world, alice, contract, fn, ...args)
    assert.strictEqual(text("burn", addressVal(alice), i128(1n)), deauthorized)
    assert.strictEqual(text("mint", addressVal(alice), i128(1n)), deauthorized)
    trustLine(world, alice, asset, { balance: 10n })
    assert.isTrue(authorized(alice))
    assert.strictEqual(text("burn", addressVal(alice), i128(1n)), "success")
  })

  it("is nothing that the native asset needs, not even of a missing account", () => {
    const world = new ContractWorld()
    const alice = world.account()
    assert.isTrue(asBool(world.read(alice, world.asset(native), "authorized", addressVal(Keypair.random()))))
  })

  it("changes only the flags of authorization", () => {
    const { alice, asset, contract, issuer, world } = issued(AccountFlag.authRevocable)
    const { authorized, clawbackEnabled, maintainLiabilities } = TrustlineFlag
    trustLine(world, alice, asset, { balance: 10n, flags: authorized | clawbackEnabled })
    const flagsAfter = (authorize: boolean) => {
      world.call(issuer, contract, "set_authorized", addressVal(alice), bool(authorize))
      return lineOf(world, alice, asset).flags
    }
    assert.strictEqual(flagsAfter(true), authorized | clawbackEnabled)
    assert.strictEqual(flagsAfter(false), maintainLiabilities | clawbackEnabled)
    assert.strictEqual(flagsAfter(false), maintainLiabilities | clawbackEnabled)
    assert.strictEqual(flagsAfter(true), authorized | clawbackEnabled)
  })

  it("cannot be taken from a trustline that never had it", () => {
    const { alice, asset, contract, issuer, world } = issued(AccountFlag.authRevocable | AccountFlag.authRequired)
    trustLine(world, alice, asset, { flags: 0 })
    world.call(issuer, contract, "set_authorized", addressVal(alice), bool(false))
    assert.strictEqual(lineOf(world, alice, asset).flags, 0)
    world.call(issuer, contract, "set_authorized", addressVal(alice), bool(true))
    assert.strictEqual(lineOf(world, alice, asset).flags, TrustlineFlag.authorized)
  })

  it("is not the issuer's to have, nor to take away without the flag", () => {
    const { alice, asset, contract, issuer, world } = issued(AccountFlag.authRevocable)
    trustLine(world, alice, asset)
    const text = (who: Keypair, authorize: boolean) =>
      refusalText(world, issuer, contract, "set_authorized", addressVal(who), bool(authorize))
    assert.strictEqual(text(issuer, true), "HostError: Error(Contract, #2): expected trustline asset")
    assert.strictEqual(text(issuer, false), "HostError: Error(Contract, #2): expected trustline asset")
    world.edit(issuer, (account) => withFields(account, { flags: AccountFlag.authRequired }))
    assert.strictEqual(text(alice, false), "HostError: Error(Contract, #2): issuer does not have AUTH_REVOCABLE set")
    assert.strictEqual(text(alice, true), "success")
  })
})

describe("clawback from an account", () => {
  it("needs a trustline that allows it", () => {
    const { alice, asset, bob, contract, issuer, world } = issued(AccountFlag.clawbackEnabled | AccountFlag.authRevocable)
    trustLine(world, alice, asset, { balance: 10n, flags: TrustlineFlag.maintainLiabilities | TrustlineFlag.clawbackEnabled })
    trustLine(world, bob, asset, { balance: 10n })
    const text = (who: Keypair, amount: bigint) => refusalText(world, issuer, contract, "clawback", addressVal(who), i128(amount))
    assert.strictEqual(text(alice, 10n), "success")
    assert.strictEqual(text(alice, 11n), "HostError: Error(Contract, #10): resulting balance is not within the allowed range")
    assert.strictEqual(text(alice, int64Max + 1n), tooLarge)
    assert.strictEqual(text(bob, 0n), "HostError: Error(Contract, #10): trustline isn't clawbackable")
    assert.strictEqual(text(issuer, 1n), "HostError: Error(Contract, #2): cannot clawback from issuer")
  })

  it("is impossible for the native asset", () => {
    const world = new ContractWorld()
    const alice = world.account()
    assert.strictEqual(
      refusalText(world, alice, world.asset(native), "clawback", addressVal(alice), i128(1n)),
      "HostError: Error(Contract, #2): cannot clawback native asset"
    )
  })
})
