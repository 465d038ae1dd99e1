import { assert, describe, it } from "@effect/vitest"
import { Keypair, type xdr } from "@stellar/stellar-sdk"
import {
  assetOf,
  begin,
  buy,
  deposit,
  end,
  merge,
  pay,
  poolOf,
  price,
  sell,
  setLineFlags,
  setOptions,
  shareOf,
  trust,
  trustPool,
  withdraw,
  xlm
} from "../support/Bodies.ts"
import { baseFee, baseReserve, codeAt, codesOf, World } from "../support/World.ts"

const pair = () => {
  const world = new World()
  const issuer = world.account()
  return { world, issuer, holder: world.account(), usd: assetOf(issuer) }
}

describe("change trust", () => {
  it("basic: the limit may not fall below the balance, and a line with a balance may not go", () => {
    const { holder, issuer, usd, world } = pair()
    world.succeed(holder, [trust(usd, 100n)])
    world.succeed(issuer, [pay(holder, usd, 90n)])
    for (const limit of [89n, 0n]) assert.strictEqual(codeAt(world.apply(holder, [trust(usd, limit)])), "changeTrustInvalidLimit")
    world.succeed(holder, [trust(usd, 90n)])
    world.succeed(holder, [pay(issuer, usd, 90n), trust(usd, 0n)])
    assert.isUndefined(world.line(holder, usd))
    assert.strictEqual(codeAt(world.apply(holder, [trust(usd, 0n)])), "changeTrustInvalidLimit")
  })

  it("issuer does not exist: new trust line", () => {
    const { holder, world } = pair()
    assert.strictEqual(codeAt(world.apply(holder, [trust(assetOf(Keypair.random()))])), "changeTrustNoIssuer")
  })

  it("issuer does not exist: edit existing and delete", () => {
    const { holder, issuer, usd, world } = pair()
    world.succeed(holder, [trust(usd, 100n)])
    world.succeed(issuer, [merge(holder)])
    assert.strictEqual(codeAt(world.apply(holder, [trust(usd, 99n)])), "changeTrustNoIssuer")
    world.succeed(holder, [trust(usd, 0n)])
  })

  const malformed: ReadonlyArray<readonly [string, (issuer: Keypair) => xdr.OperationBody]> = [
    ["trusting self", (issuer) => trust(assetOf(issuer))],
    ["native", () => trust(xlm)],
    ["negative limit", () => trust(assetOf(Keypair.random()), -1n)],
    ["bad asset code", () => trust(assetOf(Keypair.random(), "A B"))],
    ["pool of one asset twice", (issuer) => trustPool(assetOf(issuer), assetOf(issuer))]
  ]
  for (const [name, body] of malformed) {
    it(name, () => {
      const { issuer, world } = pair()
      assert.deepStrictEqual(world.check(issuer, [body(issuer)]), ["txFailed", "changeTrustMalformed"])
    })
  }

  it("cannot reduce limit below buying liabilities or delete", () => {
    const { holder, usd, world } = pair()
    world.succeed(holder, [trust(usd, 1_000n), buy(xlm, usd, 500n, price(1, 1))])
    for (const limit of [499n, 0n]) assert.strictEqual(codeAt(world.apply(holder, [trust(usd, limit)])), "changeTrustInvalidLimit")
    world.succeed(holder, [trust(usd, 500n)])
  })

  it("low reserve", () => {
    const { holder, usd, world } = pair()
    world.setBalance(holder, 3n * baseReserve + baseFee - 1n)
    assert.strictEqual(codeAt(world.apply(holder, [trust(usd)])), "changeTrustLowReserve")
    world.setBalance(holder, 3n * baseReserve + baseFee)
    world.succeed(holder, [trust(usd)])
  })

  it("sponsorship", () => {
    const { holder, issuer, usd, world } = pair()
    world.setBalance(holder, 2n * baseReserve)
    world.succeed(issuer, [begin(holder), [holder, trust(usd)], [holder, end()]])
    assert.deepStrictEqual([world.sponsorship(holder), world.sponsorship(issuer)], [[1, 0], [0, 1]])
    world.succeed(issuer, [[holder, trust(usd, 0n)]])
    assert.deepStrictEqual([world.sponsorship(holder), world.sponsorship(issuer)], [[0, 0], [0, 0]])
  })

  it("create and delete trustline in same tx", () => {
    const { holder, usd, world } = pair()
    const before = world.get(holder).numSubEntries
    world.succeed(holder, [trust(usd), trust(usd, 0n)])
    assert.strictEqual(world.get(holder).numSubEntries, before)
  })

  it("flags come from the issuer", () => {
    const { holder, issuer, usd, world } = pair()
    world.succeed(issuer, [setOptions({ setFlags: 1 | 2 | 8 })])
    world.succeed(holder, [trust(usd)])
    assert.strictEqual(world.line(holder, usd)?.flags, 4)
    world.succeed(issuer, [setOptions({ clearFlags: 1 | 8 })])
    const other = world.account()
    world.succeed(other, [trust(usd)])
    assert.strictEqual(world.line(other, usd)?.flags, 1)
  })
})

describe("change trust pool share trustline", () => {
  const withLines = () => {
    const made = pair()
    const eur = assetOf(made.issuer, "EUR")
    made.world.succeed(made.holder, [trust(made.usd), trust(eur)])
    return { ...made, eur }
  }

  it("needs both asset lines", () => {
    const { holder, issuer, usd, world } = pair()
    const eur = assetOf(issuer, "EUR")
    assert.strictEqual(codeAt(world.apply(holder, [trustPool(usd, eur)])), "changeTrustTrustLineMissing")
    world.succeed(holder, [trust(usd)])
    assert.strictEqual(codeAt(world.apply(holder, [trustPool(usd, eur)])), "changeTrustTrustLineMissing")
    world.succeed(holder, [trustPool(usd, xlm)])
  })

  it("needs the right to maintain liabilities", () => {
    const { eur, holder, issuer, usd, world } = withLines()
    world.succeed(issuer, [setOptions({ setFlags: 2 })])
    world.succeed(issuer, [setLineFlags(holder, usd, 0, 1)])
    assert.strictEqual(codeAt(world.apply(holder, [trustPool(usd, eur)])), "changeTrustNotAuthMaintainLiabilities")
    world.succeed(issuer, [setLineFlags(holder, usd, 2, 0)])
    world.succeed(holder, [trustPool(usd, eur)])
  })

  it("pool is created with the first line and erased with the last, and takes two reserves", () => {
    const { eur, holder, issuer, usd, world } = withLines()
    const before = world.get(holder).numSubEntries
    world.succeed(holder, [trustPool(usd, eur)])
    assert.strictEqual(world.get(holder).numSubEntries, before + 2)
    assert.strictEqual(world.pool(poolOf(usd, eur).value)?.poolSharesTrustLineCount, 1n)
    world.succeed(issuer, [trustPool(usd, eur)])
    assert.strictEqual(world.pool(poolOf(usd, eur).value)?.poolSharesTrustLineCount, 2n)
    world.succeed(holder, [trustPool(usd, eur, 0n)])
    world.succeed(issuer, [trustPool(usd, eur, 0n)])
    assert.isUndefined(world.pool(poolOf(usd, eur).value))
    assert.strictEqual(world.get(holder).numSubEntries, before)
  })

  it("low reserve: two units", () => {
    const { eur, holder, usd, world } = withLines()
    world.setBalance(holder, 6n * baseReserve + baseFee - 1n)
    assert.strictEqual(codeAt(world.apply(holder, [trustPool(usd, eur)])), "changeTrustLowReserve")
    world.setBalance(holder, 6n * baseReserve + baseFee)
    world.succeed(holder, [trustPool(usd, eur)])
  })

  it("an asset line in use cannot be deleted", () => {
    const { eur, holder, usd, world } = withLines()
    world.succeed(holder, [trustPool(usd, eur)])
    assert.strictEqual(codeAt(world.apply(holder, [trust(usd, 0n)])), "changeTrustCannotDelete")
    world.succeed(holder, [trustPool(usd, eur, 0n), trust(usd, 0n), trust(eur, 0n)])
    assert.isUndefined(world.line(holder, usd))
  })

  it("a share line with shares cannot be deleted", () => {
    const { eur, holder, issuer, usd, world } = withLines()
    world.succeed(issuer, [pay(holder, usd, 1_000n), pay(holder, eur, 1_000n)])
    world.succeed(holder, [trustPool(usd, eur), deposit(usd, eur, 100n, 100n)])
    assert.strictEqual(codeAt(world.apply(holder, [trustPool(usd, eur, 0n)])), "changeTrustInvalidLimit")
    const shares = world.line(holder, shareOf(usd, eur))?.balance ?? 0n
    world.succeed(holder, [withdraw(usd, eur, shares), trustPool(usd, eur, 0n)])
  })

  it("sponsored", () => {
    const { eur, holder, issuer, usd, world } = withLines()
    world.succeed(issuer, [begin(holder), [holder, trustPool(usd, eur)], [holder, end()]])
    assert.deepStrictEqual([world.sponsorship(holder), world.sponsorship(issuer)], [[2, 0], [0, 2]])
    world.succeed(holder, [trustPool(usd, eur, 0n)])
    assert.deepStrictEqual([world.sponsorship(holder), world.sponsorship(issuer)], [[0, 0], [0, 0]])
  })

  it("an asset of the source itself needs no line", () => {
    const { issuer, usd, world } = pair()
    assert.deepStrictEqual(codesOf(world.apply(issuer, [trustPool(usd, xlm), sell(usd, xlm, 1n, price(1, 1))])), [
      "txSuccess",
      "changeTrustSuccess",
      "manageSellOfferSuccess"
    ])
  })
})
