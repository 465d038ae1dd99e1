import { assert, describe, it } from "@effect/vitest"
import { Keypair, xdr } from "@stellar/stellar-sdk"
import { native } from "../../../src/ledger/Asset.ts"
import { AccountFlag, withFields, withLiabilities, withSponsorship } from "../../../src/ledger/entries/Account.ts"
import { TrustlineFlag } from "../../../src/ledger/entries/Trustline.ts"
import { int64Max } from "../../../src/ledger/Int64.ts"
import { addressVal as valOf, voidVal } from "../../../src/ledger/soroban/Values.ts"
import { accountKey } from "../../../src/xdr/LedgerKeys.ts"
import { holderVal, issued, lineOf, refusalText, signersOf, through, trustLine } from "./support/AssetWorld.ts"
import { addressVal, baseReserve } from "./support/ContractWorld.ts"

const tooPoor = "HostError: Error(Contract, #14): account has insufficient reserve for new trustline"
const tooMany = "HostError: Error(Contract, #15): account has reached maximum number of sub-entries"

describe("trust", () => {
  it("makes a line as the issuer's flags have it", () => {
    const made = (flags: number) => {
      const { alice, asset, contract, world } = issued(flags)
      world.call(alice, contract, "trust", addressVal(alice))
      const line = lineOf(world, alice, asset)
      assert.deepStrictEqual([line.balance, line.limit, line.ext.type], [0n, int64Max, "v0"])
      return line.flags
    }
    assert.strictEqual(made(0), TrustlineFlag.authorized)
    assert.strictEqual(made(AccountFlag.authRevocable), TrustlineFlag.authorized)
    assert.strictEqual(made(AccountFlag.authRequired), 0)
    assert.strictEqual(
      made(AccountFlag.clawbackEnabled | AccountFlag.authRevocable),
      TrustlineFlag.authorized | TrustlineFlag.clawbackEnabled
    )
    assert.strictEqual(made(AccountFlag.authRequired | AccountFlag.clawbackEnabled), TrustlineFlag.clawbackEnabled)
  })

  it("needs the agreement of the account where it makes a line, whoever calls", () => {
    const { alice, asset, bob, contract, world } = issued()
    const agreeing = () => signersOf(world.succeedSimulating(bob, contract, "trust", addressVal(alice)))
    assert.deepStrictEqual(agreeing(), [alice.publicKey()])
    trustLine(world, alice, asset, { balance: 5n, limit: 10n, flags: 0 })
    assert.deepStrictEqual(agreeing(), [])
  })

  it("leaves a line that is there as it is", () => {
    const { alice, asset, bob, contract, world } = issued()
    trustLine(world, alice, asset, { balance: 5n, limit: 10n, flags: 0 })
    world.call(bob, contract, "trust", addressVal(alice))
    const { balance, flags, limit } = lineOf(world, alice, asset)
    assert.deepStrictEqual([balance, limit, flags], [5n, 10n, 0])
    assert.strictEqual(world.entry(alice).numSubEntries, 1)
  })

  it("does nothing for a contract, of any asset", () => {
    const { alice, contract, vault, world } = issued()
    assert.deepStrictEqual(world.read(alice, contract, "trust", holderVal), voidVal)
    assert.deepStrictEqual(world.succeedSimulating(alice, contract, "trust", valOf(vault)).auth, [])
    assert.deepStrictEqual(world.read(alice, vault, "run", ...through(contract, "trust", valOf(vault))), voidVal)
    assert.deepStrictEqual(world.read(alice, world.asset(native), "trust", holderVal), voidVal)
  })

  it("is refused for the native asset, and for the issuer", () => {
    const { alice, contract, issuer, world } = issued()
    assert.strictEqual(
      refusalText(world, alice, world.asset(native), "trust", addressVal(alice)),
      "HostError: Error(Contract, #2): trust operation is not supported for native asset"
    )
    assert.strictEqual(
      refusalText(world, issuer, contract, "trust", addressVal(issuer)),
      "HostError: Error(Contract, #2): cannot create trustline for issuer"
    )
  })

  it("needs the account and its issuer to be there", () => {
    const { alice, contract, issuer, world } = issued()
    assert.strictEqual(
      refusalText(world, alice, contract, "trust", addressVal(Keypair.random())),
      "HostError: Error(Contract, #6): account entry is missing"
    )
    world.state = world.state.delete([accountKey(issuer.publicKey())])
    assert.strictEqual(
      refusalText(world, alice, contract, "trust", addressVal(alice)),
      "HostError: Error(Storage, MissingValue): trying to get non-existing value for account"
    )
  })

  it("takes a reserve of what is not reserved yet", () => {
    const { alice, contract, world } = issued()
    const text = (change: (account: xdr.AccountEntry) => xdr.AccountEntry) => {
      world.edit(alice, change)
      return refusalText(world, alice, contract, "trust", addressVal(alice))
    }
    assert.strictEqual(text((account) => withFields(account, { balance: 3n * baseReserve })), "success")
    assert.strictEqual(text((account) => withFields(account, { balance: 3n * baseReserve - 1n })), tooPoor)
    assert.strictEqual(text((account) => withFields(account, { balance: 5n * baseReserve, numSubEntries: 2 })), "success")
    assert.strictEqual(text((account) => withFields(account, { balance: 5n * baseReserve - 1n, numSubEntries: 2 })), tooPoor)
    assert.strictEqual(text((account) => withSponsorship(account, { numSponsored: 1, numSponsoring: 0 })), "success")
    assert.strictEqual(text((account) => withSponsorship(account, { numSponsored: 1, numSponsoring: 1 })), tooPoor)
    const liabilities = new xdr.Liabilities({ buying: 0n, selling: 10n })
    assert.strictEqual(text((account) => withLiabilities(withFields(account, { balance: 5n * baseReserve + 10n }), liabilities)), "success")
    assert.strictEqual(text((account) => withFields(account, { balance: 5n * baseReserve + 9n })), tooPoor)
  })

  it("makes the thousandth sub-entry of an account, and no more", () => {
    const { alice, contract, world } = issued()
    const text = (numSubEntries: number, balance: bigint) => {
      world.edit(alice, (account) => withFields(account, { balance, numSubEntries }))
      return refusalText(world, alice, contract, "trust", addressVal(alice))
    }
    assert.strictEqual(text(999, 10n ** 12n), "success")
    assert.strictEqual(text(1_000, 10n ** 12n), tooMany)
    assert.strictEqual(text(1_000, 0n), tooMany, "noticed before the reserve")
  })
})
