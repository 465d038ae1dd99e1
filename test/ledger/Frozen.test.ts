import { assert, describe, it } from "@effect/vitest"
import { type Keypair, xdr } from "@stellar/stellar-sdk"
import { toTrustlineAsset } from "../../src/ledger/Asset.ts"
import { newEntry } from "../../src/ledger/entries/LedgerEntry.ts"
import { readTransaction } from "../../src/ledger/Transaction.ts"
import { accountKey, trustlineKey } from "../../src/xdr/LedgerKeys.ts"
import {
  allow,
  assetOf,
  begin,
  buy,
  claim,
  claimant,
  clawBack,
  createAccount,
  deposit,
  end,
  merge,
  pay,
  price,
  revoke,
  revokeSigner,
  sell,
  sellPassive,
  setApart,
  setData,
  setLineFlags,
  shareOf,
  signerKeyOf,
  strictReceive,
  strictSend,
  trust,
  trustPool,
  withdraw,
  xlm
} from "./support/Bodies.ts"
import { freeze, freezeBytes } from "./support/Freezing.ts"
import { baseFee, codeAt, codesOf, feeBump, networkPassphrase, World } from "./support/World.ts"

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

  it("those that the fields of an operation name, and no others", () => {
    const { holder, issuer, other, usd, world } = scene()
    const eur = assetOf(issuer, "EUR")
    const key = {
      other: accountKey(other.publicKey()),
      holderUsd: trustlineKey(holder.publicKey(), toTrustlineAsset(usd)),
      holderEur: trustlineKey(holder.publicKey(), toTrustlineAsset(eur)),
      holderShares: trustlineKey(holder.publicKey(), shareOf(usd, eur)),
      otherUsd: trustlineKey(other.publicKey(), toTrustlineAsset(usd)),
      otherEur: trustlineKey(other.publicKey(), toTrustlineAsset(eur))
    } as const
    const names = ["other", "holderUsd", "holderEur", "holderShares", "otherUsd", "otherEur"] as const
    const rows: ReadonlyArray<readonly [source: Keypair, body: xdr.OperationBody, ...frozen: ReadonlyArray<(typeof names)[number]>]> = [
      [holder, merge(other), "other"],
      [holder, createAccount(other, 1n), "other"],
      [holder, pay(other, xlm, 1n), "other"],
      [holder, pay(other, usd, 1n), "holderUsd", "otherUsd"],
      [holder, strictSend(other, usd, 1n, eur, 1n), "holderUsd", "otherEur"],
      [holder, strictSend(other, usd, 1n, xlm, 1n), "other", "holderUsd"],
      [holder, strictReceive(other, usd, 1n, eur, 1n), "holderUsd", "otherEur"],
      [holder, strictReceive(other, usd, 1n, xlm, 1n), "other", "holderUsd"],
      [holder, sell(usd, eur, 1n, price(1, 1)), "holderUsd", "holderEur"],
      [holder, buy(usd, eur, 1n, price(1, 1)), "holderUsd", "holderEur"],
      [holder, sellPassive(usd, eur, 1n, price(1, 1)), "holderUsd", "holderEur"],
      [holder, trust(usd), "holderUsd"],
      [holder, trustPool(usd, eur)],
      [holder, setApart(usd, 1n, claimant(other)), "holderUsd"],
      [holder, setApart(xlm, 1n, claimant(other))],
      [holder, deposit(usd, eur, 1n, 1n)],
      [holder, setData("a", "1")],
      [holder, revoke(key.otherUsd), "otherUsd"],
      [holder, revokeSigner(other, signerKeyOf(holder)), "other"],
      [issuer, allow(other, "USD", 1), "otherUsd"],
      [issuer, setLineFlags(other, usd, 1, 0), "otherUsd"],
      [issuer, clawBack(other, usd, 1n), "otherUsd"]
    ]
    for (const [source, body, ...frozen] of rows) {
      const touched = names.filter((name) => {
        freeze(world, key[name])
        return world.check(source, [body]) !== null
      })
      assert.deepStrictEqual(touched, frozen, JSON.stringify(body.toJson()))
    }
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
    const { holder, issuer, other, usd, world } = scene()
    const eur = assetOf(issuer, "EUR")
    world.succeed(issuer, [[holder, trust(eur)], pay(holder, eur, 1_000n)])
    world.succeed(holder, [trustPool(usd, eur), deposit(usd, eur, 100n, 100n)])
    world.succeed(other, [setApart(usd, 5n, claimant(holder))])
    const balance = Array.from(world.state.entries()).find(({ data }) => data.type === "claimableBalance")
    const id = balance?.data.type === "claimableBalance" ? balance.data.claimableBalance.balanceId : assert.fail("no balance")
    const codes = (pair: Keypair, asset: xdr.Asset) => {
      freeze(world, trustlineKey(pair.publicKey(), toTrustlineAsset(asset)))
      return [deposit(usd, eur, 1n, 1n), withdraw(usd, eur, 1n), claim(id)].map((body) => codeAt(world.apply(holder, [body])))
    }
    const [deposited, withdrawn] = ["liquidityPoolDepositTrustlineFrozen", "liquidityPoolWithdrawTrustlineFrozen"]
    assert.deepStrictEqual(codes(holder, usd), [deposited, withdrawn, "claimClaimableBalanceTrustlineFrozen"])
    assert.deepStrictEqual(codes(holder, eur), [deposited, withdrawn, "claimClaimableBalanceSuccess"])
    assert.deepStrictEqual(codes(other, usd).slice(0, 2), ["liquidityPoolDepositSuccess", "liquidityPoolWithdrawSuccess"])
  })

  it("a frozen maker's offers are deleted when met, and passed over", () => {
    for (
      const [name, body] of [
        ["path payment", (usd: xdr.Asset, taker: Keypair) => strictSend(taker, xlm, 5n, usd, 5n)],
        ["offer", (usd: xdr.Asset) => buy(xlm, usd, 5n, price(1, 1))]
      ] as const
    ) {
      const { holder, lineOf, other, usd, world } = scene()
      const taker = world.account()
      world.succeed(holder, [sell(usd, xlm, 10n, price(1, 2))])
      world.succeed(other, [sell(usd, xlm, 10n, price(1, 1))])
      world.succeed(taker, [trust(usd)])
      freeze(world, lineOf(holder))
      world.succeed(taker, [body(usd, taker)])
      assert.deepStrictEqual([world.offer(holder, 1n), world.offer(other, 2n)?.amount], [undefined, 5n], name)
      assert.strictEqual(world.get(holder).numSubEntries, 1)
    }
  })
})
