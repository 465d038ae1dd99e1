import { assert, describe, it } from "@effect/vitest"
import { Keypair, type xdr } from "@stellar/stellar-sdk"
import type { AppliedTransaction } from "../../../src/ledger/Apply.ts"
import { type Header, HeaderFlag } from "../../../src/ledger/Header.ts"
import { int64Max } from "../../../src/ledger/Int64.ts"
import {
  assetOf,
  deposit,
  merge,
  pay,
  poolOf,
  price,
  sell,
  setLineFlags,
  setOptions,
  strictReceive,
  strictSend,
  trust,
  trustPool,
  xlm
} from "../support/Bodies.ts"
import { baseFee, baseReserve, codeAt, codesOf, World } from "../support/World.ts"

const lots = 1_000_000n

/** A maker with plenty of three assets, an account to convert for, and a destination. */
const market = (header: Partial<Header> = {}) => {
  const world = new World(header)
  const [issuer, maker, sender, receiver] = [world.account(), world.account(), world.account(), world.account()]
  const [usd, eur, gbp] = [assetOf(issuer), assetOf(issuer, "EUR"), assetOf(issuer, "GBP")]
  world.setBalance(issuer, 10_000n * baseReserve)
  const lines = [usd, eur, gbp]
  world.succeed(
    issuer,
    [maker, sender].flatMap((holder) => lines.flatMap((asset) => [[holder, trust(asset)] as const, pay(holder, asset, lots)]))
  )
  return { world, issuer, maker, sender, receiver, usd, eur, gbp }
}

const claimsOf = (applied: AppliedTransaction): ReadonlyArray<ReadonlyArray<bigint | string>> => {
  const result = applied.result.result
  const operation = result.type === "txSuccess" ? result.results[0] : undefined
  const value = operation?.type === "opInner" ? operation.tr.value : undefined
  if (value?.type !== "pathPaymentStrictSendSuccess" && value?.type !== "pathPaymentStrictReceiveSuccess") {
    return assert.fail(codesOf(applied).join())
  }
  return value.success.offers.map((atom) => {
    switch (atom.type) {
      case "claimAtomTypeOrderBook":
        return [atom.orderBook.offerId, atom.orderBook.amountSold, atom.orderBook.amountBought]
      case "claimAtomTypeLiquidityPool":
        return ["pool", atom.liquidityPool.amountSold, atom.liquidityPool.amountBought]
      default:
        return []
    }
  })
}

describe("pathpayment strict send: constraints", () => {
  it("malformed: amounts, assets, path", () => {
    const { gbp, issuer, receiver, sender, usd, world } = market()
    const bad = assetOf(issuer, "A B")
    const bodies = [
      strictSend(receiver, usd, 0n, xlm, 1n),
      strictSend(receiver, usd, 1n, xlm, 0n),
      strictSend(receiver, usd, -1n, xlm, 1n),
      strictSend(receiver, bad, 1n, xlm, 1n),
      strictSend(receiver, usd, 1n, bad, 1n),
      strictSend(receiver, usd, 1n, gbp, 1n, [bad])
    ]
    for (const body of bodies) assert.deepStrictEqual(world.check(sender, [body]), ["txFailed", "pathPaymentStrictSendMalformed"])
  })

  it("source and destination", () => {
    const { issuer, receiver, sender, usd, world } = market()
    assert.strictEqual(codeAt(world.apply(sender, [strictSend(Keypair.random(), usd, 1n, xlm, 1n)])), "pathPaymentStrictSendNoDestination")
    assert.strictEqual(codeAt(world.apply(receiver, [strictSend(sender, usd, 1n, usd, 1n)])), "pathPaymentStrictSendSrcNoTrust")
    assert.strictEqual(codeAt(world.apply(sender, [strictSend(receiver, usd, lots + 1n, usd, 1n)])), "pathPaymentStrictSendUnderfunded")
    assert.strictEqual(codeAt(world.apply(sender, [strictSend(receiver, usd, 1n, usd, 1n)])), "pathPaymentStrictSendNoTrust")
    world.succeed(receiver, [trust(usd, 10n)])
    assert.strictEqual(codeAt(world.apply(sender, [strictSend(receiver, usd, 11n, usd, 1n)])), "pathPaymentStrictSendLineFull")
    world.succeed(issuer, [setOptions({ setFlags: 3 })])
    world.succeed(issuer, [setLineFlags(receiver, usd, 0, 1)])
    assert.strictEqual(codeAt(world.apply(sender, [strictSend(receiver, usd, 1n, usd, 1n)])), "pathPaymentStrictSendNotAuthorized")
    world.succeed(issuer, [setLineFlags(sender, usd, 2, 1)])
    assert.strictEqual(codeAt(world.apply(sender, [strictSend(receiver, usd, 1n, usd, 1n)])), "pathPaymentStrictSendSrcNotAuthorized")
  })

  it("too few offers, and under destination minimum", () => {
    const { maker, receiver, sender, usd, world } = market()
    assert.strictEqual(codeAt(world.apply(sender, [strictSend(receiver, usd, 10n, xlm, 1n)])), "pathPaymentStrictSendTooFewOffers")
    world.succeed(maker, [sell(xlm, usd, 100n, price(1, 2))])
    assert.strictEqual(codeAt(world.apply(sender, [strictSend(receiver, usd, 51n, xlm, 1n)])), "pathPaymentStrictSendTooFewOffers")
    assert.strictEqual(codeAt(world.apply(sender, [strictSend(receiver, usd, 50n, xlm, 101n)])), "pathPaymentStrictSendUnderDestmin")
    world.succeed(sender, [strictSend(receiver, usd, 50n, xlm, 100n)])
  })

  it("destination is issuer: simple works without the account, complex does not", () => {
    const { eur, issuer, maker, receiver, sender, usd, world } = market()
    world.succeed(maker, [sell(eur, usd, 100n, price(1, 1))])
    world.succeed(issuer, [merge(receiver)])
    world.succeed(sender, [strictSend(issuer, usd, 10n, usd, 10n)])
    for (const way of [strictSend(issuer, usd, 10n, eur, 10n), strictSend(issuer, usd, 10n, usd, 10n, [usd])]) {
      assert.strictEqual(codeAt(world.apply(sender, [way])), "pathPaymentStrictSendNoDestination")
    }
    world.succeed(sender, [strictSend(sender, usd, 10n, eur, 10n)])
  })
})

describe("pathpayment strict send: trades", () => {
  it("to self: the conversion of a close", () => {
    const { maker, sender, usd, world } = market()
    world.succeed(maker, [sell(xlm, usd, lots, price(1, 1))])
    const before = world.get(sender).balance
    world.succeed(sender, [strictSend(sender, usd, lots, xlm, lots)])
    assert.strictEqual(world.get(sender).balance, before + lots - baseFee)
    world.succeed(sender, [trust(usd, 0n)])
  })

  it("through intermediate assets nobody holds a line for", () => {
    const { eur, gbp, maker, receiver, sender, usd, world } = market()
    const trader = world.account()
    world.succeed(maker, [sell(eur, usd, 100n, price(1, 1)), sell(gbp, eur, 100n, price(2, 1)), sell(xlm, gbp, 100n, price(1, 2))])
    world.succeed(trader, [trust(usd)])
    world.succeed(sender, [pay(trader, usd, 40n)])
    const applied = world.succeed(trader, [strictSend(receiver, usd, 40n, xlm, 40n, [eur, gbp])])
    assert.deepStrictEqual(claimsOf(applied), [[1n, 40n, 40n], [2n, 20n, 40n], [3n, 40n, 20n]])
  })

  it("the same asset twice in a row is no hop", () => {
    const { maker, receiver, sender, usd, world } = market()
    world.succeed(maker, [sell(xlm, usd, 100n, price(1, 1))])
    assert.deepStrictEqual(claimsOf(world.succeed(sender, [strictSend(receiver, usd, 10n, xlm, 10n, [usd, usd, xlm, xlm])])), [[
      1n,
      10n,
      10n
    ]])
  })

  const own: ReadonlyArray<readonly [string, number, string]> = [
    ["crosses own offer first", 0, "pathPaymentStrictSendOfferCrossSelf"],
    ["crosses own offer middle", 1, "pathPaymentStrictSendOfferCrossSelf"],
    ["crosses own offer last", 2, "pathPaymentStrictSendOfferCrossSelf"],
    ["does not cross own offer if better available", 3, "pathPaymentStrictSendSuccess"]
  ]
  for (const [name, place, code] of own) {
    it(name, () => {
      const { maker, receiver, sender, usd, world } = market()
      const prices = [1, 2, 3]
      for (const [at, each] of [0, 1, 2].entries()) {
        if (at === place) world.succeed(sender, [sell(xlm, usd, 10n, price(each + 1, 10))])
        else world.succeed(maker, [sell(xlm, usd, 10n, price(prices[at]!, 10))])
      }
      if (place === 3) world.succeed(sender, [sell(xlm, usd, 10n, price(4, 10))])
      assert.strictEqual(codeAt(world.apply(sender, [strictSend(receiver, usd, 6n, xlm, 1n)])), code)
    })
  }

  it("rounding: send some receive nothing", () => {
    const { eur, gbp, maker, receiver, sender, usd, world } = market()
    world.succeed(maker, [sell(eur, usd, 100n, price(2, 1)), sell(xlm, eur, 100n, price(1, 1)), sell(gbp, xlm, 100n, price(1, 1))])
    const applied = world.apply(sender, [strictSend(receiver, usd, 1n, xlm, 1n, [eur])])
    assert.strictEqual(codeAt(applied), "pathPaymentStrictSendUnderDestmin")
  })

  it("an offer that leaves its maker better than 1 % is still taken", () => {
    const { maker, receiver, sender, usd, world } = market()
    world.succeed(maker, [sell(xlm, usd, 100n, price(2, 3))])
    assert.deepStrictEqual(claimsOf(world.succeed(sender, [strictSend(receiver, usd, 1n, xlm, 1n)])), [[1n, 1n, 1n]])
  })

  it("a hop that can give no more than the largest amount leaves some unsent", () => {
    const { issuer, maker, receiver, sender, usd, world } = market()
    const own = assetOf(sender, "OWN")
    const most = 4_294_967_298n
    world.succeed(receiver, [trust(usd)])
    world.succeed(issuer, [trust(own), sell(usd, own, int64Max, price(1, 2_147_483_647))])
    world.succeed(maker, [trust(own, 10n), sell(usd, own, 1_000n, price(1, 100))])
    const send = (amount: bigint) => strictSend(receiver, own, amount, usd, int64Max)
    assert.strictEqual(codeAt(world.apply(sender, [send(most + 11n)])), "pathPaymentStrictSendTooFewOffers")
    assert.deepStrictEqual(claimsOf(world.succeed(sender, [send(most + 10n)])), [[1n, int64Max - 1n, most], [2n, 1n, 10n]])
  })

  it("the budget of 1000 offers spans all hops", () => {
    const { eur, maker, receiver, sender, usd, world } = market()
    const second = world.account(10_000n * baseReserve)
    world.setBalance(maker, 10_000n * baseReserve)
    world.succeed(second, [trust(eur)])
    const hops = [[maker, eur, usd], [second, xlm, eur]] as const
    for (const [who, selling, buying] of hops) {
      for (let batch = 0; batch < 6; batch++) world.succeed(who, Array.from({ length: 84 }, () => sell(selling, buying, 1n, price(1, 1))))
    }
    assert.strictEqual(codeAt(world.apply(sender, [strictSend(receiver, usd, 501n, xlm, 1n, [eur])])), "opExceededWorkLimit")
    assert.strictEqual(claimsOf(world.succeed(sender, [strictSend(receiver, usd, 500n, xlm, 500n, [eur])])).length, 1_000)
  })
})

describe("pathpayment strict receive", () => {
  it("malformed and over sendmax", () => {
    const { maker, receiver, sender, usd, world } = market()
    assert.deepStrictEqual(world.check(sender, [strictReceive(receiver, usd, 0n, xlm, 1n)]), [
      "txFailed",
      "pathPaymentStrictReceiveMalformed"
    ])
    world.succeed(maker, [sell(xlm, usd, 100n, price(1, 2))])
    assert.strictEqual(codeAt(world.apply(sender, [strictReceive(receiver, usd, 24n, xlm, 50n)])), "pathPaymentStrictReceiveOverSendmax")
    assert.strictEqual(codeAt(world.apply(sender, [strictReceive(receiver, usd, lots, xlm, 101n)])), "pathPaymentStrictReceiveTooFewOffers")
    assert.deepStrictEqual(claimsOf(world.succeed(sender, [strictReceive(receiver, usd, 25n, xlm, 50n)])), [[1n, 50n, 25n]])
  })

  it("source and destination: the destination's reasons come first", () => {
    const { issuer, receiver, sender, usd, world } = market()
    const [over, one] = [strictReceive(receiver, usd, 2n * lots, usd, lots + 1n), strictReceive(receiver, usd, 1n, usd, 1n)]
    const codes = () => [over, one].map((body) => codeAt(world.apply(sender, [body])).replace("pathPaymentStrictReceive", ""))
    const stranger = strictReceive(Keypair.random(), usd, 1n, xlm, 1n)
    assert.strictEqual(codeAt(world.apply(sender, [stranger])), "pathPaymentStrictReceiveNoDestination")
    assert.deepStrictEqual(codes(), ["NoTrust", "NoTrust"])
    world.succeed(receiver, [trust(usd, 1n)])
    assert.deepStrictEqual(codes(), ["LineFull", "Success"])
    world.succeed(receiver, [trust(usd)])
    assert.deepStrictEqual(codes(), ["Underfunded", "Success"])
    world.succeed(issuer, [setOptions({ setFlags: 2 }), setLineFlags(receiver, usd, 2, 1)])
    assert.deepStrictEqual(codes(), ["NotAuthorized", "NotAuthorized"])
    world.succeed(issuer, [setLineFlags(receiver, usd, 1, 2), setLineFlags(sender, usd, 2, 1)])
    assert.deepStrictEqual(codes(), ["SrcNotAuthorized", "SrcNotAuthorized"])
  })

  it("a hop that can take no more than the largest amount gives too little", () => {
    const { issuer, receiver, world } = market()
    const eur = assetOf(receiver, "EUR")
    const makers = [world.account(), world.account()]
    const most = 4_294_967_298n
    for (const maker of makers) world.succeed(maker, [trust(eur), sell(xlm, eur, most, price(2_147_483_647, 1))])
    const receive = (amount: bigint) => strictReceive(issuer, eur, int64Max, xlm, amount)
    assert.strictEqual(codeAt(world.apply(receiver, [receive(most + 1n)])), "pathPaymentStrictReceiveTooFewOffers")
    world.succeed(receiver, [receive(most)])
  })

  it("claims are listed in the order of the path though walked backwards", () => {
    const { eur, maker, receiver, sender, usd, world } = market()
    world.succeed(maker, [sell(eur, usd, 100n, price(1, 1)), sell(xlm, eur, 100n, price(1, 1))])
    assert.deepStrictEqual(claimsOf(world.succeed(sender, [strictReceive(receiver, usd, 10n, xlm, 10n, [eur])])).map(([id]) => id), [
      1n,
      2n
    ])
  })

  it("crosses own offer", () => {
    const { receiver, sender, usd, world } = market()
    world.succeed(sender, [sell(xlm, usd, 100n, price(1, 1))])
    assert.strictEqual(codeAt(world.apply(sender, [strictReceive(receiver, usd, 10n, xlm, 10n)])), "pathPaymentStrictReceiveOfferCrossSelf")
  })
})

describe("trades with pools", () => {
  const withPool = (reserveXlm = 10_000n, reserveUsd = 10_000n, header: Partial<Header> = {}) => {
    const made = market(header)
    made.world.succeed(made.maker, [trustPool(xlm, made.usd), deposit(xlm, made.usd, reserveXlm, reserveUsd)])
    return made
  }
  const reserves = (world: World, usd: xdr.Asset) => {
    const pool = world.pool(poolOf(xlm, usd).value)
    return [pool?.reserveA, pool?.reserveB]
  }

  it("pays by its formula, strict send and strict receive", () => {
    const { receiver, sender, usd, world } = withPool()
    assert.deepStrictEqual(claimsOf(world.succeed(sender, [strictSend(receiver, usd, 100n, xlm, 1n)])), [["pool", 98n, 100n]])
    assert.deepStrictEqual(reserves(world, usd), [9_902n, 10_100n])
    assert.deepStrictEqual(claimsOf(world.succeed(sender, [strictReceive(receiver, usd, 200n, xlm, 98n)])), [["pool", 98n, 102n]])
  })

  const choices: ReadonlyArray<readonly [string, xdr.Price, "pool" | bigint]> = [
    ["chooses best price: the book when it is strictly better", price(100, 99), 1n],
    ["chooses best price: the pool when they are equal", price(100, 98), "pool"],
    ["chooses best price: the pool when it is better", price(100, 97), "pool"]
  ]
  for (const [name, at, winner] of choices) {
    it(name, () => {
      const { maker, receiver, sender, usd, world } = withPool()
      world.succeed(maker, [sell(xlm, usd, 1_000n, at)])
      const claims = claimsOf(world.succeed(sender, [strictSend(receiver, usd, 100n, xlm, 1n)]))
      assert.strictEqual(claims[0]?.[0], winner)
      assert.strictEqual(claims.length, 1, "one or the other, never both")
    })
  }

  it("the pool when the book cannot do the whole hop", () => {
    const { maker, receiver, sender, usd, world } = withPool()
    world.succeed(maker, [sell(xlm, usd, 50n, price(1, 2))])
    assert.strictEqual(claimsOf(world.succeed(sender, [strictSend(receiver, usd, 100n, xlm, 1n)]))[0]?.[0], "pool")
    assert.strictEqual(world.offer(maker, 1n)?.amount, 50n, "an abandoned book keeps its offers")
  })

  it("no pool gives all that it has", () => {
    const { receiver, sender, usd, world } = withPool()
    const all = strictReceive(receiver, usd, lots, xlm, 10_000n)
    assert.strictEqual(codeAt(world.apply(sender, [all])), "pathPaymentStrictReceiveTooFewOffers")
  })

  it("its own deposit is traded with", () => {
    const { maker, usd, world } = withPool()
    world.succeed(maker, [strictSend(maker, usd, 100n, xlm, 1n)])
  })

  it("empty pool, a pool that yields nothing, and one that is switched off", () => {
    const { eur, maker, receiver, sender, usd, world } = withPool(1_000n, 1_000_000n)
    world.succeed(maker, [trustPool(xlm, eur)])
    assert.strictEqual(codeAt(world.apply(sender, [strictSend(receiver, eur, 1n, xlm, 1n)])), "pathPaymentStrictSendTooFewOffers")
    assert.strictEqual(codeAt(world.apply(sender, [strictSend(receiver, usd, 1n, xlm, 1n)])), "pathPaymentStrictSendTooFewOffers")
    world.succeed(sender, [strictSend(receiver, usd, 10_000n, xlm, 1n)])
    world.state = world.state.at({ flags: HeaderFlag.disablePoolTrading })
    assert.strictEqual(codeAt(world.apply(sender, [strictSend(receiver, usd, 10_000n, xlm, 1n)])), "pathPaymentStrictSendTooFewOffers")
  })

  it("same pair twice on a path pays the fee twice", () => {
    const { receiver, sender, usd, world } = withPool()
    const applied = world.succeed(sender, [strictSend(receiver, xlm, 1_000n, xlm, 1n, [usd])])
    assert.deepStrictEqual(claimsOf(applied), [["pool", 906n, 1_000n], ["pool", 993n, 906n]])
  })

  const pooled = [[28, "opExceededWorkLimit"], [29, "pathPaymentStrictSendSuccess"], [30, "pathPaymentStrictSendSuccess"]] as const
  for (const [ledgerVersion, code] of pooled) {
    it(`a hop through a pool behind one over 1000 offers, protocol ${ledgerVersion}`, () => {
      const { eur, maker, sender, usd, world } = withPool(500_000n, 500_000n, { ledgerVersion })
      const second = world.account(10_000n * baseReserve)
      world.setBalance(maker, 10_000n * baseReserve)
      world.succeed(second, [trust(eur), trust(usd), [maker, pay(second, eur, 1_000n)]])
      for (const who of [maker, second]) {
        for (let batch = 0; batch < 5; batch++) world.succeed(who, Array.from({ length: 100 }, () => sell(eur, usd, 1n, price(1, 1))))
      }
      assert.strictEqual(codeAt(world.apply(sender, [strictSend(sender, xlm, 1_006n, eur, 1n, [usd])])), code)
    })
  }

  it("a pool is the last of the thousand, and not one more", () => {
    const { eur, maker, sender, usd, world } = withPool(500_000n, 500_000n)
    const second = world.account(10_000n * baseReserve)
    world.setBalance(maker, 10_000n * baseReserve)
    world.succeed(second, [trust(eur), trust(usd), [maker, pay(second, usd, 1_000n)]])
    for (const [who, last] of [[maker, 100], [second, 99]] as const) {
      for (const count of [100, 100, 100, 100, last]) {
        world.succeed(who, Array.from({ length: count }, () => sell(usd, eur, 1n, price(1, 1))))
      }
    }
    const pays = strictSend(sender, eur, 999n, xlm, 1n, [usd])
    const within = world.state
    world.succeed(sender, [pays])
    world.state = within
    world.succeed(maker, [sell(usd, eur, 1n, price(1, 1))])
    assert.strictEqual(codeAt(world.apply(sender, [strictSend(sender, eur, 1_000n, xlm, 1n, [usd])])), "opExceededWorkLimit")
  })

  it("max offers to cross: work on an abandoned book counts", () => {
    const { maker, receiver, sender, usd, world } = withPool(1_000_000n, 900_000n)
    world.setBalance(maker, 10_000n * baseReserve)
    const makers = [maker, world.account(10_000n * baseReserve)]
    for (let batch = 0; batch < 10; batch++) {
      world.succeed(makers[batch < 5 ? 0 : 1]!, [
        ...(batch === 5 ? [trust(usd)] : []),
        ...Array.from({ length: 99 }, () => sell(xlm, usd, 1n, price(1, 1)))
      ])
    }
    for (const who of makers) world.succeed(who, Array.from({ length: 5 }, () => sell(xlm, usd, 1n, price(1, 1))))
    assert.strictEqual(codeAt(world.apply(sender, [strictSend(receiver, usd, 1_001n, xlm, 1n)])), "opExceededWorkLimit")
    world.succeed(sender, [strictSend(receiver, usd, 999n, xlm, 1n)])
  })
})
