import { assert, describe, it } from "@effect/vitest"
import { type Keypair, xdr } from "@stellar/stellar-sdk"
import { toTrustlineAsset } from "../../src/ledger/Asset.ts"
import { newEntry } from "../../src/ledger/entries/LedgerEntry.ts"
import { readTransaction } from "../../src/ledger/Transaction.ts"
import { accountKey, trustlineKey } from "../../src/xdr/LedgerKeys.ts"
import {
  assetOf,
  begin,
  claim,
  claimant,
  createAccount,
  deposit,
  end,
  merge,
  pay,
  price,
  revoke,
  sell,
  setApart,
  setData,
  strictSend,
  trust,
  trustPool,
  withdraw,
  xlm
} from "./support/Bodies.ts"
import { baseFee, codeAt, codesOf, feeBump, networkPassphrase, World } from "./support/World.ts"

const freezeBytes = (world: World, ...keys: ReadonlyArray<Uint8Array>): void =>
  world.put(
    newEntry(
      xdr.LedgerEntryData.configSetting(xdr.ConfigSettingEntry.configSettingFrozenLedgerKeys(new xdr.FrozenLedgerKeys({ keys: [...keys] })))
    )
  )

const freeze = (world: World, ...keys: ReadonlyArray<xdr.LedgerKey>): void => freezeBytes(world, ...keys.map((key) => key.toXdr()))

const bypass = (world: World, hash: Uint8Array): void =>
  world.put(
    newEntry(
      xdr.LedgerEntryData.configSetting(
        xdr.ConfigSettingEntry.configSettingFreezeBypassTxs(new xdr.FreezeBypassTxs({ txHashes: [hash] }))
      )
    )
  )

const scene = () => {
  const world = new World()
  const [issuer, holder, other] = [world.account(), world.account(), world.account()]
  const usd = assetOf(issuer)
  world.succeed(issuer, [[holder, trust(usd)], [other, trust(usd)], pay(holder, usd, 1_000n), pay(other, usd, 1_000n)])
  const lineOf = (pair: Keypair) => trustlineKey(pair.publicKey(), toTrustlineAsset(usd))
  return { world, issuer, holder, other, usd, lineOf }
}

describe("frozen ledger keys: transactions that name one", () => {
  it("source account, of the transaction and of an operation", () => {
    const { holder, other, world } = scene()
    freeze(world, accountKey(holder.publicKey()))
    assert.deepStrictEqual(world.check(holder, [setData("a", "1")]), ["txFrozenKeyAccessed"])
    assert.deepStrictEqual(world.check(other, [[holder, setData("a", "1")]]), ["txFrozenKeyAccessed"])
    assert.deepStrictEqual(codesOf(world.apply(holder, [setData("a", "1")])), ["txFrozenKeyAccessed"])
  })

  it("beside a key of an unknown kind", () => {
    const { holder, other, world } = scene()
    freezeBytes(world, Buffer.from([0, 0, 0, 77]), accountKey(holder.publicKey()).toXdr())
    assert.deepStrictEqual(world.check(holder, [setData("a", "1")]), ["txFrozenKeyAccessed"])
    world.succeed(other, [setData("a", "1")])
  })

  it("AccountMergeOp destination, create account and native payments to it", () => {
    const { holder, other, usd, world } = scene()
    freeze(world, accountKey(holder.publicKey()))
    for (const body of [merge(holder), createAccount(holder, 1n), pay(holder, xlm, 1n), strictSend(holder, usd, 1n, xlm, 1n)]) {
      assert.deepStrictEqual(world.check(other, [body]), ["txFrozenKeyAccessed"])
    }
    assert.isNull(world.check(other, [pay(holder, usd, 1n)]), "its trustline is another entry")
  })

  it("source trustline: payments, offers, lines", () => {
    const { holder, issuer, lineOf, other, usd, world } = scene()
    freeze(world, lineOf(holder))
    for (const body of [pay(issuer, usd, 1n), sell(usd, xlm, 1n, price(1, 1)), trust(usd, 0n), setApart(usd, 1n, claimant(issuer))]) {
      assert.deepStrictEqual(world.check(holder, [body]), ["txFrozenKeyAccessed"])
    }
    assert.deepStrictEqual(world.check(other, [pay(holder, usd, 1n)]), ["txFrozenKeyAccessed"])
    assert.isNull(world.check(holder, [pay(issuer, xlm, 1n)]))
  })

  it("revoke keys, while sponsor counters of a frozen account still change", () => {
    const { holder, lineOf, other, world } = scene()
    world.succeed(other, [begin(holder), [holder, setData("a", "1")], [holder, end()]])
    freeze(world, accountKey(other.publicKey()))
    world.succeed(holder, [setData("a", null)])
    assert.deepStrictEqual(world.sponsorship(other), [0, 0])
    freeze(world, lineOf(holder))
    assert.deepStrictEqual(world.check(holder, [revoke(lineOf(holder))]), ["txFrozenKeyAccessed"])
  })

  it("fee source of a fee bump", () => {
    const { holder, other, world } = scene()
    freeze(world, accountKey(other.publicKey()))
    assert.deepStrictEqual(world.checkEnvelope(feeBump(other, 2n * baseFee, world.envelope(holder, [setData("a", "1")]))), [
      "txFrozenKeyAccessed"
    ])
  })

  it("a hash on the bypass list goes through", () => {
    const { holder, world } = scene()
    freeze(world, accountKey(holder.publicKey()))
    const envelope = world.envelope(holder, [setData("a", "1")])
    bypass(world, readTransaction(envelope, networkPassphrase).hash)
    assert.isNull(world.checkEnvelope(envelope))
    assert.deepStrictEqual(codesOf(world.submit(envelope)), ["txSuccess", "manageDataSuccess"])
  })
})

describe("frozen ledger keys: found while applying", () => {
  it("claim, deposit and withdraw", () => {
    const { holder, lineOf, other, usd, world } = scene()
    world.succeed(holder, [trustPool(xlm, usd), deposit(xlm, usd, 100n, 100n)])
    world.succeed(other, [setApart(usd, 5n, claimant(holder))])
    const balance = Array.from(world.state.entries()).find(({ data }) => data.type === "claimableBalance")
    const id = balance?.data.type === "claimableBalance" ? balance.data.claimableBalance.balanceId : assert.fail("no balance")
    freeze(world, lineOf(holder))
    assert.strictEqual(codeAt(world.apply(holder, [claim(id)])), "claimClaimableBalanceTrustlineFrozen")
    assert.strictEqual(codeAt(world.apply(holder, [deposit(xlm, usd, 1n, 1n)])), "liquidityPoolDepositTrustlineFrozen")
    assert.strictEqual(codeAt(world.apply(holder, [withdraw(xlm, usd, 1n)])), "liquidityPoolWithdrawTrustlineFrozen")
  })

  it("a frozen maker's offers are deleted when met, and passed over", () => {
    const { holder, lineOf, other, usd, world } = scene()
    const taker = world.account()
    world.succeed(holder, [sell(usd, xlm, 10n, price(1, 2))])
    world.succeed(other, [sell(usd, xlm, 10n, price(1, 1))])
    world.succeed(taker, [trust(usd)])
    freeze(world, lineOf(holder))
    world.succeed(taker, [strictSend(taker, xlm, 5n, usd, 5n)])
    assert.deepStrictEqual([world.offer(holder, 1n), world.offer(other, 2n)?.amount], [undefined, 5n])
    assert.strictEqual(world.get(holder).numSubEntries, 1)
  })
})
