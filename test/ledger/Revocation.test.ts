import { assert, describe, it } from "@effect/vitest"
import type { Keypair, xdr } from "@stellar/stellar-sdk"
import { Draft } from "../../src/ledger/Draft.ts"
import { liabilitiesOf } from "../../src/ledger/entries/Account.ts"
import { isBalanceClawbackEnabled, type OperationPlace, revokedBalanceId } from "../../src/ledger/entries/ClaimableBalance.ts"
import { entrySponsor } from "../../src/ledger/entries/LedgerEntry.ts"
import { lineLiabilities, poolUseCount } from "../../src/ledger/entries/Trustline.ts"
import { brokenInvariants } from "../../src/ledger/Invariants.ts"
import { LedgerFault } from "../../src/ledger/LedgerFault.ts"
import type { LedgerState } from "../../src/ledger/LedgerState.ts"
import { pullHoldings } from "../../src/ledger/Revocation.ts"
import { keyOfPool, trustlineKey } from "../../src/xdr/LedgerKeys.ts"
import {
  assetOf,
  begin,
  claimant,
  deposit,
  end,
  pay,
  poolOf,
  price,
  sell,
  setOptions,
  shareOf,
  trust,
  trustPool,
  xlm
} from "./support/Bodies.ts"
import { baseReserve, idOf, World } from "./support/World.ts"

/** A holder of four assets of one issuer: by code, dollars are the third. */
const scene = (flags = 2) => {
  const world = new World()
  const [issuer, holder, other] = [world.account(), world.account(), world.account()]
  const [aud, eur, usd, yen] = [assetOf(issuer, "AUD"), assetOf(issuer, "EUR"), assetOf(issuer, "USD"), assetOf(issuer, "YEN")]
  const assets = [aud, eur, usd, yen]
  world.succeed(issuer, [
    setOptions({ setFlags: flags }),
    ...[holder, other].flatMap((owner) => assets.flatMap((asset) => [[owner, trust(asset)] as const, pay(owner, asset, 100_000n)]))
  ])
  return { world, issuer, holder, other, aud, eur, usd, yen, place: placeOf(other) }
}

const placeOf = (source: Keypair): OperationPlace => ({ transactionSource: idOf(source), transactionSequence: 77n, index: 3 })

/** The ledger without what its holder may no longer keep of an asset. */
const pulled = (world: World, holder: Keypair, asset: xdr.Asset, place: OperationPlace): LedgerState => {
  const draft = Draft.of(world.state)
  assert.isUndefined(pullHoldings(draft, idOf(holder), asset, place))
  const state = draft.toState()
  assert.deepStrictEqual(brokenInvariants(state), [])
  return state
}

/** Balances that a draft created, in order, with who pays for them. */
const createdIn = (draft: Draft) =>
  draft.changes().flatMap((change) =>
    change.type === "ledgerEntryCreated" && change.created.data.type === "claimableBalance"
      ? [{ balance: change.created.data.claimableBalance, sponsor: entrySponsor(change.created) }]
      : []
  )

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex")

describe("what a holder may no longer keep", () => {
  it("is its offers that sell or buy the asset; those of other assets and of other sellers stay", () => {
    const { eur, holder, other, place, usd, world, yen } = scene()
    world.succeed(holder, [
      sell(usd, eur, 10n, price(3, 1)),
      sell(yen, usd, 20n, price(3, 1)),
      sell(xlm, usd, 30n, price(3, 1)),
      sell(eur, yen, 40n, price(3, 1)),
      sell(xlm, eur, 50n, price(3, 1))
    ])
    world.succeed(other, [sell(usd, eur, 60n, price(4, 1))])
    const state = pulled(world, holder, usd, place)
    const after = new World()
    after.state = state
    const standing = [1n, 2n, 3n, 4n, 5n].filter((id) => after.offer(holder, id) !== undefined)
    assert.deepStrictEqual(standing, [4n, 5n])
    assert.strictEqual(after.offer(other, 6n)?.amount, 60n)
    assert.strictEqual(after.get(holder).numSubEntries, 4 + 2)
    const bound = [
      liabilitiesOf(after.get(holder)),
      ...[usd, eur, yen].map((asset) => lineLiabilities(after.line(holder, asset) ?? assert.fail("the line is missing")))
    ]
    assert.deepStrictEqual(bound.map(({ buying, selling }) => [buying, selling]), [[0n, 50n], [0n, 0n], [150n, 40n], [120n, 0n]])
  })

  it("is its shares of pools of the asset, on either side; those of other pools stay", () => {
    const { eur, holder, place, usd, world, yen } = scene()
    const pools = [[xlm, usd], [usd, yen], [xlm, eur], [eur, yen]] as const
    world.succeed(holder, pools.flatMap(([left, right]) => [trustPool(left, right), deposit(left, right, 100n, 100n)]))
    const after = new World()
    after.state = pulled(world, holder, usd, place)
    assert.deepStrictEqual(
      pools.map(([left, right]) => after.line(holder, shareOf(left, right))?.balance),
      [undefined, undefined, 100n, 100n]
    )
    assert.deepStrictEqual(
      pools.map(([left, right]) => after.pool(poolOf(left, right).value)?.totalPoolShares),
      [undefined, undefined, 100n, 100n]
    )
    const uses = [usd, yen, eur].map((asset) => poolUseCount(after.line(holder, asset) ?? assert.fail("the line is missing")))
    assert.deepStrictEqual(uses, [0, 1, 2])
    assert.deepStrictEqual([after.get(holder).numSubEntries, after.sponsorship(holder)], [4 + 4, [0, 4]])
  })

  it("is nothing where it has neither offers nor shares of the asset", () => {
    const { eur, holder, place, usd, world } = scene()
    world.succeed(holder, [sell(eur, xlm, 10n, price(3, 1)), trustPool(xlm, eur), deposit(xlm, eur, 100n, 100n)])
    const draft = Draft.of(world.state)
    assert.isUndefined(pullHoldings(draft, idOf(holder), usd, place))
    assert.deepStrictEqual(draft.changes(), [])
  })
})

describe("the balances that shares become", () => {
  it("come pool by pool in the order of pool ids, the first asset of a pool before the second", () => {
    const { aud, eur, holder, place, usd, world, yen } = scene()
    const pools = [[xlm, usd], [aud, usd], [eur, usd], [usd, yen]] as const
    for (const [left, right] of pools) world.succeed(holder, [trustPool(left, right), deposit(left, right, 100n, 100n)])
    const draft = Draft.of(world.state)
    assert.isUndefined(pullHoldings(draft, idOf(holder), usd, place))
    const expected = pools
      .map(([left, right]) => ({ pool: poolOf(left, right), assets: [left, right] }))
      .toSorted((left, right) => (hex(left.pool.value) < hex(right.pool.value) ? -1 : 1))
      .flatMap(({ assets, pool }) => assets.map((asset) => revokedBalanceId(place, pool, asset)))
    assert.deepStrictEqual(
      createdIn(draft).map(({ balance }) => hex(balance.balanceId.v0.value)),
      expected.map((id) => hex(id.v0.value))
    )
    const given = draft.holdingsOf(idOf(holder)).filter((id) => id.includes(":pool:"))
    assert.deepStrictEqual(given, [], "no share is left")
  })

  it("are a part of the reserves, rounded down, which the pool no longer has", () => {
    const { holder, other, place, usd, world, yen } = scene()
    world.succeed(other, [trustPool(usd, yen), deposit(usd, yen, 7n, 7_000n)])
    world.succeed(holder, [trustPool(usd, yen), deposit(usd, yen, 3n, 3_000n)])
    const before = world.pool(poolOf(usd, yen).value)
    assert.deepStrictEqual([before?.reserveA, before?.reserveB, before?.totalPoolShares], [10n, 9_978n, 315n])
    assert.strictEqual(world.line(holder, shareOf(usd, yen))?.balance, 94n)
    const draft = Draft.of(world.state)
    assert.isUndefined(pullHoldings(draft, idOf(holder), usd, place))
    assert.deepStrictEqual(createdIn(draft).map(({ balance }) => balance.amount), [2n, 2_977n])
    const after = new World()
    after.state = draft.toState()
    assert.deepStrictEqual(brokenInvariants(after.state), [])
    const left = after.pool(poolOf(usd, yen).value)
    assert.deepStrictEqual([left?.reserveA, left?.reserveB, left?.totalPoolShares], [8n, 7_001n, 221n])
    assert.strictEqual(left?.poolSharesTrustLineCount, 1n)
    assert.deepStrictEqual([after.line(holder, usd)?.balance, after.line(holder, yen)?.balance], [99_997n, 97_022n])
  })

  it("are not made of an asset of which the shares stand for less than one unit", () => {
    const { holder, other, place, usd, world, yen } = scene()
    world.succeed(other, [trustPool(usd, yen), deposit(usd, yen, 1n, 10_000n)])
    world.succeed(holder, [trustPool(usd, yen), deposit(usd, yen, 1n, 100n)])
    assert.strictEqual(world.line(holder, shareOf(usd, yen))?.balance, 1n)
    const draft = Draft.of(world.state)
    assert.isUndefined(pullHoldings(draft, idOf(holder), usd, place))
    const created = createdIn(draft).map(({ balance }) => [balance.amount, hex(balance.balanceId.v0.value)])
    assert.deepStrictEqual(created, [[100n, hex(revokedBalanceId(place, poolOf(usd, yen), yen).v0.value)]])
    const after = new World()
    after.state = draft.toState()
    const left = after.pool(poolOf(usd, yen).value)
    assert.deepStrictEqual([left?.reserveA, left?.reserveB, left?.totalPoolShares], [2n, 10_000n, 100n])
    assert.deepStrictEqual(after.sponsorship(holder), [0, 1])
  })

  it("can be claimed by the holder at any time, and clawed back where its line can", () => {
    const { holder, place, usd, world } = scene(10)
    world.succeed(holder, [trustPool(xlm, usd), deposit(xlm, usd, 70n, 90n)])
    const draft = Draft.of(world.state)
    assert.isUndefined(pullHoldings(draft, idOf(holder), usd, place))
    const created = createdIn(draft).map(({ balance, sponsor }) => ({
      amount: balance.amount,
      asset: balance.asset.toXdr("base64"),
      claimants: balance.claimants.map((each) => each.toXdr("base64")),
      mayBeClawedBack: isBalanceClawbackEnabled(balance),
      sponsor: sponsor?.toXdr("base64")
    }))
    const whose = { claimants: [claimant(holder).toXdr("base64")], sponsor: idOf(holder).toXdr("base64") }
    assert.deepStrictEqual(created, [
      { amount: 70n, asset: xlm.toXdr("base64"), mayBeClawedBack: false, ...whose },
      { amount: 90n, asset: usd.toXdr("base64"), mayBeClawedBack: true, ...whose }
    ])
  })

  it("are paid for by the account that paid for the share line", () => {
    const { holder, other, place, usd, world, yen } = scene()
    world.succeed(holder, [[other, begin(holder)], trustPool(usd, yen), end(), deposit(usd, yen, 10n, 10n)])
    assert.deepStrictEqual([world.sponsorship(other), world.sponsorship(holder)], [[0, 2], [2, 0]])
    const draft = Draft.of(world.state)
    assert.isUndefined(pullHoldings(draft, idOf(holder), usd, place))
    const payers = createdIn(draft).map(({ sponsor }) => sponsor?.toXdr("base64"))
    assert.deepStrictEqual(payers, [idOf(other).toXdr("base64"), idOf(other).toXdr("base64")])
    const after = new World()
    after.state = draft.toState()
    assert.deepStrictEqual([after.sponsorship(other), after.sponsorship(holder)], [[0, 2], [0, 0]])
    assert.strictEqual(after.get(holder).numSubEntries, 4)
  })

  it("are paid for by whoever pays for the holder's future reserves, one by one, as far as the lumens go", () => {
    const { eur, holder, place, usd, world, yen } = scene()
    world.succeed(holder, [trustPool(usd, yen), deposit(usd, yen, 10n, 10n), trustPool(eur, usd), deposit(eur, usd, 10n, 10n)])
    const payer = world.account()
    const ended = [2n, 3n, 5n, 6n].map((units) => {
      world.setBalance(payer, units * baseReserve)
      const draft = Draft.of(world.state)
      draft.openSponsorship(idOf(holder), idOf(payer))
      return [pullHoldings(draft, idOf(holder), usd, place), createdIn(draft).length] as const
    })
    assert.deepStrictEqual(ended, [["lowReserve", 0], ["lowReserve", 1], ["lowReserve", 3], [undefined, 4]])
  })
})

describe("a ledger that no protocol makes", () => {
  const withShares = () => {
    const made = scene()
    made.world.succeed(made.holder, [trustPool(made.usd, made.yen), deposit(made.usd, made.yen, 10n, 10n)])
    return made
  }

  it("has shares of a pool that is missing", () => {
    const { holder, place, usd, world, yen } = withShares()
    const draft = Draft.of(world.state.delete([keyOfPool(poolOf(usd, yen))]))
    assert.throws(() => pullHoldings(draft, idOf(holder), usd, place), LedgerFault, /^the pool is missing$/)
  })

  it("has shares without the line of an asset of the pool", () => {
    const { holder, place, usd, world, yen } = withShares()
    const line = world.line(holder, yen) ?? assert.fail("the line is missing")
    const draft = Draft.of(world.state.delete([trustlineKey(holder.publicKey(), line.asset)]))
    assert.throws(() => pullHoldings(draft, idOf(holder), usd, place), LedgerFault, /^the trustline is missing$/)
  })
})
