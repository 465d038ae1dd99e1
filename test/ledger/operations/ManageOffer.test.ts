import { assert, describe, it } from "@effect/vitest"
import { Keypair, type xdr } from "@stellar/stellar-sdk"
import type { AppliedTransaction } from "../../../src/ledger/Apply.ts"
import { toTrustlineAsset } from "../../../src/ledger/Asset.ts"
import type { Header } from "../../../src/ledger/Header.ts"
import { int64Max } from "../../../src/ledger/Int64.ts"
import { trustlineKey } from "../../../src/xdr/LedgerKeys.ts"
import {
  assetOf,
  begin,
  buy,
  end,
  pay,
  price,
  sell,
  sellPassive,
  setData,
  setLineFlags,
  setOptions,
  trust,
  xlm
} from "../support/Bodies.ts"
import { baseFee, baseReserve, codeAt, codesOf, World } from "../support/World.ts"

const market = (header: Partial<Header> = {}) => {
  const world = new World(header)
  const issuer = world.account()
  const [maker, taker] = [world.account(), world.account()]
  const usd = assetOf(issuer)
  world.succeed(issuer, [[maker, trust(usd)], [taker, trust(usd)], pay(maker, usd, 10_000n), pay(taker, usd, 10_000n)])
  return { world, issuer, maker, taker, usd }
}

/** The sold and bought amounts of every claimed offer, and the result of the operation's own offer. */
const tradesOf = (applied: AppliedTransaction, index = 0) => {
  const result = applied.result.result
  const operation = result.type === "txSuccess" ? result.results[index] : undefined
  const value = operation?.type === "opInner" ? operation.tr.value : undefined
  const success = value?.type === "manageSellOfferSuccess" || value?.type === "manageBuyOfferSuccess"
    ? value.success
    : assert.fail(codesOf(applied).join())
  return {
    claimed: success.offersClaimed.map((
      atom
    ) => (atom.type === "claimAtomTypeOrderBook" ? [atom.orderBook.offerId, atom.orderBook.amountSold, atom.orderBook.amountBought] : [])),
    own: success.offer.type
  }
}

describe("create offer: what is refused", () => {
  const stranger = Keypair.random()
  const rows: ReadonlyArray<readonly [string, (usd: xdr.Asset) => xdr.OperationBody]> = [
    ["same asset twice", (usd) => sell(usd, usd, 1n, price(1, 1))],
    ["bad code of what is sold", (usd) => sell(assetOf(stranger, "A B"), usd, 1n, price(1, 1))],
    ["bad code of what is bought", (usd) => sell(usd, assetOf(stranger, "A B"), 1n, price(1, 1))],
    ["negative amount", (usd) => sell(usd, xlm, -1n, price(1, 1))],
    ["price 0/1", (usd) => sell(usd, xlm, 1n, price(0, 1))],
    ["price 1/0", (usd) => sell(usd, xlm, 1n, price(1, 0))],
    ["price -1/-1", (usd) => sell(usd, xlm, 1n, price(-1, -1))],
    ["negative offerID", (usd) => sell(usd, xlm, 1n, price(1, 1), -1n)],
    ["delete without an id", (usd) => sell(usd, xlm, 0n, price(1, 1))],
    ["passive of nothing", (usd) => sellPassive(usd, xlm, 0n, price(1, 1))]
  ]
  for (const [name, body] of rows) {
    it(name, () => {
      const { maker, usd, world } = market()
      assert.deepStrictEqual(world.check(maker, [body(usd)]), ["txFailed", "manageSellOfferMalformed"])
    })
  }

  it("manage buy offer failure modes", () => {
    const { issuer, maker, usd, world } = market()
    const eur = assetOf(issuer, "EUR")
    const at = price(1, 1)
    assert.deepStrictEqual(world.check(maker, [buy(usd, usd, 1n, at)]), ["txFailed", "manageBuyOfferMalformed"])
    assert.strictEqual(codeAt(world.apply(maker, [buy(eur, usd, 1n, at)])), "manageBuyOfferSellNoTrust")
    assert.strictEqual(codeAt(world.apply(maker, [buy(usd, eur, 1n, at)])), "manageBuyOfferBuyNoTrust")
    assert.strictEqual(codeAt(world.apply(maker, [buy(usd, xlm, 10_001n, at)])), "manageBuyOfferUnderfunded")
    assert.strictEqual(codeAt(world.apply(maker, [buy(usd, xlm, 5_001n, price(2, 1))])), "manageBuyOfferUnderfunded", "at two dollars each")
    assert.strictEqual(codeAt(world.apply(maker, [buy(usd, xlm, 0n, at, 7n)])), "manageBuyOfferNotFound")
  })

  for (const [ledgerVersion, code] of [[28, "manageBuyOfferSuccess"], [29, "manageBuyOfferUnderfunded"]] as const) {
    it(`what a manage buy offer asks for binds what it will bind, protocol ${ledgerVersion}`, () => {
      const { issuer, usd, world } = market({ ledgerVersion })
      const poor = world.account()
      world.succeed(poor, [trust(usd), [issuer, pay(poor, usd, 3n)]])
      assert.strictEqual(codeAt(world.apply(poor, [buy(usd, xlm, 4n, price(100, 101))])), code)
    })
  }

  it("which of several reasons counts: no funds before no authorization, no room before no funds, and any room at all", () => {
    const { issuer, maker, usd, world } = market()
    const eur = assetOf(issuer, "EUR")
    world.succeed(issuer, [setOptions({ setFlags: 2 }), [maker, trust(eur, 100n)], setLineFlags(maker, eur, 2, 1)])
    assert.strictEqual(codeAt(world.apply(maker, [sell(eur, usd, 1n, price(1, 1))])), "manageSellOfferUnderfunded")
    world.succeed(issuer, [setLineFlags(maker, eur, 1, 2), pay(maker, eur, 100n)])
    assert.strictEqual(codeAt(world.apply(maker, [sell(usd, eur, 10_001n, price(1, 1))])), "manageSellOfferLineFull")
    assert.strictEqual(codeAt(world.apply(maker, [sell(usd, eur, 1n, price(1, 100))])), "manageSellOfferLineFull", "even if none is bound")
  })

  it("without trust, funds, authorization, room or reserve", () => {
    const { issuer, maker, usd, world } = market()
    const eur = assetOf(issuer, "EUR")
    const at = price(1, 1)
    assert.strictEqual(codeAt(world.apply(maker, [sell(eur, usd, 1n, at)])), "manageSellOfferSellNoTrust")
    assert.strictEqual(codeAt(world.apply(maker, [sell(usd, eur, 1n, at)])), "manageSellOfferBuyNoTrust")
    world.succeed(maker, [trust(eur, 100n)])
    assert.strictEqual(codeAt(world.apply(maker, [sell(eur, usd, 1n, at)])), "manageSellOfferUnderfunded", "an empty line")
    assert.strictEqual(codeAt(world.apply(maker, [sell(usd, eur, 101n, at)])), "manageSellOfferLineFull")
    world.succeed(maker, [sell(usd, eur, 100n, at), sell(usd, eur, 0n, at, 1n)])
    assert.strictEqual(codeAt(world.apply(maker, [sell(usd, xlm, 10_001n, at)])), "manageSellOfferUnderfunded")
    world.succeed(issuer, [setOptions({ setFlags: 2 })])
    world.succeed(issuer, [setLineFlags(maker, eur, 2, 1)])
    assert.strictEqual(codeAt(world.apply(maker, [sell(usd, eur, 1n, at)])), "manageSellOfferBuyNotAuthorized")
    world.succeed(issuer, [setLineFlags(maker, usd, 2, 1)])
    assert.strictEqual(codeAt(world.apply(maker, [sell(usd, xlm, 1n, at)])), "manageSellOfferSellNotAuthorized")
    world.succeed(issuer, [setLineFlags(maker, usd, 1, 2)])
    world.setBalance(maker, 5n * baseReserve + baseFee - 1n)
    assert.strictEqual(codeAt(world.apply(maker, [sell(usd, xlm, 1n, at)])), "manageSellOfferLowReserve")
    world.setBalance(maker, 0n)
    assert.strictEqual(codeAt(world.apply(issuer, [[maker, sell(xlm, usd, 1n, at)]])), "manageSellOfferLowReserve", "not even a lumen")
  })
})

describe("update offer", () => {
  it("cancel offer", () => {
    const { maker, usd, world } = market()
    world.succeed(maker, [sell(usd, xlm, 500n, price(2, 1))])
    const applied = world.succeed(maker, [sell(usd, xlm, 0n, price(9, 7), 1n)])
    assert.deepStrictEqual(tradesOf(applied), { claimed: [], own: "manageOfferDeleted" })
    assert.isUndefined(world.offer(maker, 1n))
  })

  it("a passive offer is cancelled with a sell offer, any offer with a buy offer", () => {
    const { maker, usd, world } = market()
    world.succeed(maker, [sellPassive(usd, xlm, 500n, price(2, 1)), sell(usd, xlm, 500n, price(2, 1))])
    world.succeed(maker, [sell(usd, xlm, 0n, price(1, 1), 1n), buy(usd, xlm, 0n, price(1, 1), 2n)])
    assert.strictEqual(world.get(maker).numSubEntries, 1)
  })

  it("a passive offer stays passive when it is changed, any other is never made passive", () => {
    const { maker, taker, usd, world } = market()
    world.succeed(maker, [sell(usd, xlm, 1_000n, price(2, 1))])
    world.succeed(taker, [sellPassive(xlm, usd, 2_000n, price(51, 100)), sell(xlm, usd, 2_000n, price(52, 100))])
    assert.deepStrictEqual([world.offer(taker, 2n)?.flags, world.offer(taker, 3n)?.flags], [1, 0])
    assert.deepStrictEqual(tradesOf(world.succeed(taker, [sell(xlm, usd, 2_000n, price(1, 2), 2n)])).claimed, [])
    assert.strictEqual(world.offer(taker, 2n)?.flags, 1)
    assert.deepStrictEqual(tradesOf(world.succeed(taker, [sell(xlm, usd, 2_000n, price(1, 2), 3n)])).claimed, [[1n, 1_000n, 2_000n]])
  })

  it("cancel offer with an unauthorized selling line and a full buying line", () => {
    const { issuer, maker, usd, world } = market()
    const eur = assetOf(issuer, "EUR")
    world.succeed(maker, [trust(eur, 500n), sell(usd, eur, 500n, price(1, 1))])
    world.succeed(issuer, [setOptions({ setFlags: 2 })])
    world.succeed(issuer, [setLineFlags(maker, usd, 2, 1), setLineFlags(maker, eur, 2, 1)])
    world.succeed(maker, [sell(usd, eur, 0n, price(1, 1), 1n)])
  })

  it("delete non existent, someone else's, and twice", () => {
    const { maker, taker, usd, world } = market()
    assert.strictEqual(codeAt(world.apply(maker, [sell(usd, xlm, 0n, price(1, 1), 1n)])), "manageSellOfferNotFound")
    world.succeed(maker, [sell(usd, xlm, 500n, price(2, 1))])
    assert.strictEqual(codeAt(world.apply(taker, [sell(usd, xlm, 0n, price(1, 1), 1n)])), "manageSellOfferNotFound")
    const twice = [sell(usd, xlm, 0n, price(1, 1), 1n), sell(usd, xlm, 0n, price(1, 1), 1n)]
    assert.deepStrictEqual(codesOf(world.apply(maker, twice)), ["txFailed", "manageSellOfferSuccess", "manageSellOfferNotFound"])
  })

  it("change price, amount and assets; the id stays", () => {
    const { issuer, maker, usd, world } = market()
    const eur = assetOf(issuer, "EUR")
    world.succeed(maker, [trust(eur), sell(usd, xlm, 500n, price(2, 1))])
    const applied = world.succeed(maker, [sell(xlm, eur, 300n, price(1, 3), 1n)])
    assert.strictEqual(tradesOf(applied).own, "manageOfferUpdated")
    assert.deepStrictEqual([world.offer(maker, 1n)?.amount, world.sellingLiabilities(maker)], [300n, 300n])
  })

  it("…releases liabilities before modify", () => {
    const { maker, usd, world } = market()
    world.succeed(maker, [buy(usd, xlm, 10_000n, price(1, 1))])
    world.succeed(maker, [buy(usd, xlm, 9_999n, price(1, 1), 1n)])
    world.succeed(maker, [sell(usd, xlm, 10_000n, price(1, 1), 1n)])
  })

  it("large offer id: erase", () => {
    const world = new World({ idPool: int64Max - 1n })
    const issuer = world.account()
    world.succeed(issuer, [sell(assetOf(issuer), xlm, 5n, price(1, 1))])
    world.succeed(issuer, [sell(assetOf(issuer), xlm, 0n, price(1, 1), int64Max)])
    assert.strictEqual(world.get(issuer).numSubEntries, 0)
  })
})

describe("crossing", () => {
  it("a smaller offer is taken whole and the rest stands", () => {
    const { maker, taker, usd, world } = market()
    world.succeed(maker, [sell(usd, xlm, 100n, price(2, 1))])
    const applied = world.succeed(taker, [sell(xlm, usd, 500n, price(1, 2))])
    assert.deepStrictEqual(tradesOf(applied), { claimed: [[1n, 100n, 200n]], own: "manageOfferCreated" })
    assert.strictEqual(world.offer(taker, 2n)?.amount, 300n)
    assert.isUndefined(world.offer(maker, 1n))
  })

  it("a larger offer is taken in part", () => {
    const { maker, taker, usd, world } = market()
    world.succeed(maker, [sell(usd, xlm, 100n, price(2, 1))])
    const applied = world.succeed(taker, [sell(xlm, usd, 50n, price(1, 2))])
    assert.deepStrictEqual(tradesOf(applied), { claimed: [[1n, 25n, 50n]], own: "manageOfferDeleted" })
    assert.strictEqual(world.offer(maker, 1n)?.amount, 75n)
  })

  it("an offer to buy keeps what it did not get", () => {
    const { maker, taker, usd, world } = market()
    world.succeed(maker, [sell(usd, xlm, 100n, price(2, 1))])
    const applied = world.succeed(taker, [buy(xlm, usd, 150n, price(4, 1))])
    assert.deepStrictEqual(tradesOf(applied), { claimed: [[1n, 100n, 200n]], own: "manageOfferCreated" })
    assert.strictEqual(world.offer(taker, 2n)?.amount, 200n, "fifty dollars at four lumens")
  })

  it("an offer that found enough is over, even if rounding left it some", () => {
    const { maker, taker, usd, world } = market()
    world.succeed(maker, [sell(usd, xlm, 100n, price(1, 3))])
    assert.deepStrictEqual(tradesOf(world.succeed(taker, [buy(xlm, usd, 4n, price(1, 1))])), {
      claimed: [[1n, 3n, 1n]],
      own: "manageOfferDeleted"
    })
  })

  it("best price first, then the older offer", () => {
    const { maker, taker, usd, world } = market()
    world.succeed(maker, [sell(usd, xlm, 10n, price(3, 1)), sell(usd, xlm, 10n, price(2, 1)), sell(usd, xlm, 10n, price(2, 1))])
    const applied = world.succeed(taker, [buy(xlm, usd, 25n, price(3, 1))])
    assert.deepStrictEqual(tradesOf(applied).claimed, [[2n, 10n, 20n], [3n, 10n, 20n], [1n, 5n, 15n]])
  })

  it("stops at a worse price; a passive offer at an equal one", () => {
    const { maker, taker, usd, world } = market()
    world.succeed(maker, [sell(usd, xlm, 10n, price(2, 1))])
    assert.deepStrictEqual(tradesOf(world.succeed(taker, [sell(xlm, usd, 20n, price(51, 100))])).claimed, [])
    assert.deepStrictEqual(tradesOf(world.succeed(taker, [sellPassive(xlm, usd, 20n, price(1, 2))])).claimed, [])
    assert.deepStrictEqual(tradesOf(world.succeed(taker, [sell(xlm, usd, 20n, price(1, 2))])).claimed, [[1n, 10n, 20n]])
  })

  it("a passive offer takes a better price than its own", () => {
    const { maker, taker, usd, world } = market()
    world.succeed(maker, [sell(usd, xlm, 10n, price(2, 1))])
    assert.deepStrictEqual(tradesOf(world.succeed(taker, [sellPassive(xlm, usd, 20n, price(49, 100))])).claimed, [[1n, 10n, 20n]])
  })

  it("does not cross its own offer", () => {
    const { maker, usd, world } = market()
    world.succeed(maker, [sell(usd, xlm, 10n, price(2, 1))])
    assert.strictEqual(codeAt(world.apply(maker, [sell(xlm, usd, 20n, price(1, 2))])), "manageSellOfferCrossSelf")
    world.succeed(maker, [sell(xlm, usd, 20n, price(51, 100))])
  })

  it("rounding error beyond 1 % trades nothing and removes the smaller offer", () => {
    const { maker, taker, usd, world } = market()
    world.succeed(maker, [sell(usd, xlm, 28n, price(3, 2))])
    const applied = world.apply(taker, [sell(xlm, usd, 1n, price(2, 3))])
    assert.deepStrictEqual(tradesOf(applied).claimed, [[1n, 0n, 0n]])
    assert.strictEqual(world.offer(maker, 1n)?.amount, 28n)
    const line = world.state.get(trustlineKey(taker.publicKey(), toTrustlineAsset(usd)))
    assert.isBelow(line?.lastModifiedLedgerSeq ?? Infinity, world.header.ledgerSeq, "the line is left alone")
  })

  it("more offers than one operation may cross", () => {
    const { maker, taker, usd, world } = market()
    world.setBalance(maker, 10_000n * baseReserve)
    const makers = [maker, world.account(10_000n * baseReserve)]
    world.succeed(makers[1]!, [trust(usd)])
    world.succeed(maker, [pay(makers[1]!, usd, 1_000n)])
    for (let batch = 0; batch < 11; batch++) {
      const who = makers[batch < 9 ? 0 : 1]!
      world.succeed(who, Array.from({ length: 91 }, () => sell(usd, xlm, 1n, price(1, 1))))
    }
    assert.strictEqual(codeAt(world.apply(taker, [buy(xlm, usd, 1_001n, price(1, 1))])), "opExceededWorkLimit")
    assert.strictEqual(tradesOf(world.succeed(taker, [buy(xlm, usd, 1_000n, price(1, 1))])).claimed.length, 1_000)
  })

  it("an issuer sells what it never runs out of", () => {
    const { issuer, taker, usd, world } = market()
    world.succeed(issuer, [sell(usd, xlm, int64Max / 2n, price(1, 2))])
    world.succeed(taker, [buy(xlm, usd, 6n, price(1, 1))])
    assert.strictEqual(world.line(taker, usd)?.balance, 10_006n)
  })
})

describe("offers and sponsorship", () => {
  it("sponsorship", () => {
    const { issuer, maker, usd, world } = market()
    world.succeed(maker, [[issuer, begin(maker)], sell(usd, xlm, 10n, price(1, 1)), end()])
    assert.deepStrictEqual([world.sponsorship(maker), world.sponsorship(issuer)], [[1, 0], [0, 1]])
    world.succeed(maker, [sell(usd, xlm, 20n, price(1, 1), 1n)])
    assert.deepStrictEqual(world.sponsorship(issuer), [0, 1], "a change keeps its sponsor")
    world.succeed(maker, [sell(usd, xlm, 0n, price(1, 1), 1n)])
    assert.deepStrictEqual(world.sponsorship(issuer), [0, 0])
  })

  it("crossed sponsored offers", () => {
    const { issuer, maker, taker, usd, world } = market()
    world.succeed(maker, [[issuer, begin(maker)], sell(usd, xlm, 10n, price(1, 1)), sell(usd, xlm, 10n, price(1, 1)), end()])
    world.succeed(taker, [buy(xlm, usd, 15n, price(1, 1))])
    assert.deepStrictEqual([world.sponsorship(maker), world.sponsorship(issuer)], [[1, 0], [0, 1]])
  })

  it("pull sponsored offers when authorization is revoked", () => {
    const { issuer, maker, usd, world } = market()
    const sponsor = world.account()
    world.succeed(issuer, [setOptions({ setFlags: 2 })])
    world.succeed(maker, [[sponsor, begin(maker)], sell(usd, xlm, 10n, price(1, 1)), end(), buy(usd, xlm, 5n, price(1, 1))])
    world.succeed(issuer, [setLineFlags(maker, usd, 0, 1)])
    assert.deepStrictEqual([world.offer(maker, 1n), world.offer(maker, 2n)], [undefined, undefined])
    assert.deepStrictEqual(world.sponsorship(sponsor), [0, 0])
  })

  it("a new offer taken at once leaves no reserve behind", () => {
    const { maker, taker, usd, world } = market()
    world.succeed(maker, [sell(usd, xlm, 100n, price(1, 1))])
    world.setBalance(taker, 4n * baseReserve + 50n + baseFee)
    world.succeed(taker, [sell(xlm, usd, 50n, price(1, 1))])
    assert.strictEqual(world.get(taker).numSubEntries, 1)
    world.setBalance(taker, 3n * baseReserve + 50n + baseFee)
    assert.strictEqual(
      codeAt(world.apply(taker, [sell(xlm, usd, 50n, price(1, 1))])),
      "manageSellOfferLowReserve",
      "it is taken first all the same"
    )
  })

  it("native liabilities bind the balance", () => {
    const { maker, usd, world } = market()
    world.succeed(maker, [sell(xlm, usd, 1_000n, price(1, 1))])
    world.setBalance(maker, 4n * baseReserve + 1_000n + baseFee)
    assert.deepStrictEqual(world.check(maker, [pay(maker, xlm, 1n)]), null)
    world.setBalance(maker, 4n * baseReserve + 1_000n + baseFee - 1n)
    assert.deepStrictEqual(world.check(maker, [sell(xlm, usd, 0n, price(1, 1), 1n)]), ["txInsufficientBalance"])
    world.setBalance(maker, 5n * baseReserve + 1_000n + baseFee - 1n)
    assert.strictEqual(codeAt(world.apply(maker, [setData("a", "1")])), "manageDataLowReserve")
  })
})
