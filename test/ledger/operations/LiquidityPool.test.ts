import { assert, describe, it } from "@effect/vitest"
import type { Keypair, xdr } from "@stellar/stellar-sdk"
import { HeaderFlag } from "../../../src/ledger/Header.ts"
import { int64Max } from "../../../src/ledger/Int64.ts"
import {
  assetOf,
  deposit,
  pay,
  poolOf,
  price,
  setLineFlags,
  setOptions,
  shareOf,
  trust,
  trustPool,
  withdraw,
  xlm
} from "../support/Bodies.ts"
import { baseFee, baseReserve, codeAt, World } from "../support/World.ts"

/** An account with 10,000 of USD and EUR, and trustlines to the pools of both and of USD and XLM. */
const pools = () => {
  const world = new World()
  const [issuer, holder] = [world.account(), world.account()]
  const [usd, eur] = [assetOf(issuer), assetOf(issuer, "EUR")]
  world.succeed(issuer, [setOptions({ setFlags: 2 })])
  world.succeed(issuer, [[holder, trust(usd)], [holder, trust(eur)], pay(holder, usd, 10_000n), pay(holder, eur, 10_000n)])
  world.succeed(holder, [trustPool(usd, eur), trustPool(xlm, usd)])
  return { world, issuer, holder, usd, eur }
}

const sharesOf = (world: World, holder: Keypair, left: xdr.Asset, right: xdr.Asset): bigint =>
  world.line(holder, shareOf(left, right))?.balance ?? 0n

describe("liquidity pool deposit", () => {
  it("malformed", () => {
    const { eur, holder, usd, world } = pools()
    const bodies = [
      deposit(usd, eur, 0n, 1n),
      deposit(usd, eur, 1n, 0n),
      deposit(usd, eur, 1n, 1n, price(0, 1)),
      deposit(usd, eur, 1n, 1n, price(1, 0)),
      deposit(usd, eur, 1n, 1n, price(1, 1), price(-1, 1)),
      deposit(usd, eur, 1n, 1n, price(2, 1), price(1, 1)),
      deposit(usd, eur, 1n, 1n, price(3, 2), price(4, 3))
    ]
    for (const body of bodies) assert.deepStrictEqual(world.check(holder, [body]), ["txFailed", "liquidityPoolDepositMalformed"])
    assert.isNull(world.check(holder, [deposit(usd, eur, 1n, 1n, price(3, 2), price(3, 2))]))
  })

  it("no trust, underfunded, bad price, line full, not authorized", () => {
    const { eur, holder, issuer, usd, world } = pools()
    assert.strictEqual(codeAt(world.apply(issuer, [deposit(usd, eur, 1n, 1n)])), "liquidityPoolDepositNoTrust")
    for (const body of [deposit(usd, eur, 10_001n, 1n), deposit(usd, eur, 1n, 10_001n)]) {
      assert.strictEqual(codeAt(world.apply(holder, [body])), "liquidityPoolDepositUnderfunded")
    }
    assert.strictEqual(codeAt(world.apply(holder, [deposit(usd, eur, 10n, 10n, price(2, 1))])), "liquidityPoolDepositBadPrice")
    world.succeed(holder, [trustPool(usd, eur, 9n)])
    assert.strictEqual(codeAt(world.apply(holder, [deposit(usd, eur, 10n, 10n)])), "liquidityPoolDepositLineFull")
    for (const asset of [eur, usd]) {
      world.succeed(issuer, [setLineFlags(holder, asset, 2, 1)])
      assert.strictEqual(codeAt(world.apply(holder, [deposit(usd, eur, 5n, 5n)])), "liquidityPoolDepositNotAuthorized")
      world.succeed(issuer, [setLineFlags(holder, asset, 1, 2)])
    }
  })

  const prices: ReadonlyArray<readonly [string, xdr.Price, xdr.Price, string]> = [
    ["exactly three halves", price(3, 2), price(3, 2), "liquidityPoolDepositSuccess"],
    ["a little more", price(31, 20), price(2, 1), "liquidityPoolDepositBadPrice"],
    ["a little less", price(1, 1), price(29, 20), "liquidityPoolDepositBadPrice"]
  ]
  for (const [name, least, most, code] of prices) {
    it(`three against two, where the price may be ${name}`, () => {
      const { eur, holder, usd, world } = pools()
      assert.strictEqual(codeAt(world.apply(holder, [deposit(usd, eur, 30n, 20n, least, most)])), code)
    })
  }

  it("shares of the first deposit are the geometric mean, rounded down, and fill the line at most", () => {
    for (const [a, b, shares] of [[1n, 1n, 1n], [1n, 2n, 1n], [2n, 2n, 2n], [5n, 6n, 5n], [10_000n, 10_000n, 10_000n]] as const) {
      const { eur, holder, usd, world } = pools()
      world.succeed(holder, [trustPool(usd, eur, shares), deposit(usd, eur, a, b)])
      assert.strictEqual(sharesOf(world, holder, usd, eur), shares)
    }
  })

  it("the first deposit sets the price, later ones follow it", () => {
    const { eur, holder, issuer, usd, world } = pools()
    world.succeed(holder, [deposit(usd, eur, 400n, 100n)])
    assert.strictEqual(sharesOf(world, holder, usd, eur), 200n)
    world.succeed(issuer, [trustPool(usd, eur), deposit(usd, eur, 1_000n, 10n)])
    const pool = world.pool(poolOf(usd, eur).value)
    assert.deepStrictEqual([pool?.reserveA, pool?.reserveB, pool?.totalPoolShares], [440n, 110n, 220n])
  })

  it("a deposit worth no share is a bad price", () => {
    const { eur, holder, usd, world } = pools()
    world.succeed(holder, [deposit(usd, eur, 9_000n, 1n)])
    assert.strictEqual(codeAt(world.apply(holder, [deposit(usd, eur, 1n, 1n)])), "liquidityPoolDepositBadPrice")
  })

  const seventh = int64Max / 7n
  for (const [name, a, b] of [["one", seventh, 1_000_000_000n], ["the other", 1_000_000_000n, seventh]] as const) {
    it(`pool full: ${name} reserve at the largest amount`, () => {
      const { eur, issuer, usd, world } = pools()
      world.succeed(issuer, [trustPool(usd, eur), deposit(usd, eur, a, b), deposit(usd, eur, 6n * a, 6n * b)])
      const pool = world.pool(poolOf(usd, eur).value)
      assert.deepStrictEqual([pool?.reserveA, pool?.reserveB], [7n * a, 7n * b])
      assert.strictEqual(codeAt(world.apply(issuer, [deposit(usd, eur, a, b)])), "liquidityPoolDepositPoolFull")
    })
  }

  it("pool full: both reserves and the shares at the largest amount", () => {
    const { eur, holder, issuer, usd, world } = pools()
    world.succeed(issuer, [trustPool(usd, eur), ...[seventh, 6n * seventh].map((amount) => deposit(usd, eur, amount, amount))])
    assert.strictEqual(sharesOf(world, issuer, usd, eur), int64Max)
    assert.strictEqual(codeAt(world.apply(holder, [deposit(usd, eur, 10n, 10n)])), "liquidityPoolDepositPoolFull")
  })

  it("native reserve stays", () => {
    const { holder, usd, world } = pools()
    world.setBalance(holder, 8n * baseReserve + baseFee + 99n)
    assert.strictEqual(codeAt(world.apply(holder, [deposit(xlm, usd, 100n, 100n)])), "liquidityPoolDepositUnderfunded")
    world.setBalance(holder, 8n * baseReserve + baseFee + 100n)
    world.succeed(holder, [deposit(xlm, usd, 100n, 100n)])
  })
})

describe("liquidity pool withdraw", () => {
  it("malformed", () => {
    const { eur, holder, usd, world } = pools()
    for (const body of [withdraw(usd, eur, 0n), withdraw(usd, eur, -1n), withdraw(usd, eur, 1n, -1n), withdraw(usd, eur, 1n, 0n, -1n)]) {
      assert.deepStrictEqual(world.check(holder, [body]), ["txFailed", "liquidityPoolWithdrawMalformed"])
    }
  })

  it("no trust", () => {
    const { eur, issuer, usd, world } = pools()
    assert.strictEqual(codeAt(world.apply(issuer, [withdraw(usd, eur, 1n)])), "liquidityPoolWithdrawNoTrust")
  })

  it("underfunded", () => {
    const { eur, holder, usd, world } = pools()
    world.succeed(holder, [deposit(usd, eur, 100n, 100n)])
    assert.strictEqual(codeAt(world.apply(holder, [withdraw(usd, eur, 101n)])), "liquidityPoolWithdrawUnderfunded")
  })

  it("under minimum, first and second asset", () => {
    const { eur, holder, usd, world } = pools()
    world.succeed(holder, [deposit(usd, eur, 100n, 100n)])
    assert.strictEqual(codeAt(world.apply(holder, [withdraw(usd, eur, 50n, 51n, 50n)])), "liquidityPoolWithdrawUnderMinimum")
    assert.strictEqual(codeAt(world.apply(holder, [withdraw(usd, eur, 50n, 50n, 51n)])), "liquidityPoolWithdrawUnderMinimum")
    world.succeed(holder, [withdraw(usd, eur, 50n, 50n, 50n)])
  })

  it("line full on first and second asset, and on native", () => {
    const { eur, holder, usd, world } = pools()
    world.succeed(holder, [deposit(usd, eur, 100n, 100n), deposit(xlm, usd, 100n, 100n)])
    for (const asset of [eur, usd]) {
      const balance = world.line(holder, asset)?.balance ?? 0n
      world.succeed(holder, [trust(asset, balance)])
      assert.strictEqual(codeAt(world.apply(holder, [withdraw(usd, eur, 50n)])), "liquidityPoolWithdrawLineFull")
      world.succeed(holder, [trust(asset)])
    }
    world.setBalance(holder, int64Max - 49n + baseFee)
    assert.strictEqual(codeAt(world.apply(holder, [withdraw(xlm, usd, 50n)])), "liquidityPoolWithdrawLineFull")
    world.setBalance(holder, int64Max - 50n + baseFee)
    world.succeed(holder, [withdraw(xlm, usd, 50n)])
  })

  it("works with maintain-liabilities", () => {
    const { eur, holder, issuer, usd, world } = pools()
    world.succeed(holder, [deposit(usd, eur, 100n, 100n)])
    world.succeed(issuer, [setLineFlags(holder, usd, 2, 1), setLineFlags(holder, eur, 2, 1)])
    world.succeed(holder, [withdraw(usd, eur, 100n)])
    assert.strictEqual(codeAt(world.apply(holder, [pay(issuer, usd, 1n)])), "paymentSrcNotAuthorized", "what came out is stuck")
  })

  it("90 and 24 of 46 shares: two shares give 3 and 1", () => {
    const { eur, holder, usd, world } = pools()
    world.succeed(holder, [deposit(usd, eur, 24n, 90n)])
    const pool = world.pool(poolOf(usd, eur).value)
    assert.deepStrictEqual([pool?.reserveA, pool?.reserveB, pool?.totalPoolShares], [24n, 90n, 46n])
    world.succeed(holder, [withdraw(usd, eur, 2n, 1n, 3n)])
    const after = world.pool(poolOf(usd, eur).value)
    assert.deepStrictEqual([after?.reserveA, after?.reserveB, after?.totalPoolShares], [23n, 87n, 44n])
  })

  it("a side may come out as nothing", () => {
    const { eur, holder, usd, world } = pools()
    world.succeed(holder, [deposit(usd, eur, 1n, 9_000n)])
    world.succeed(holder, [withdraw(usd, eur, 1n)])
    assert.deepStrictEqual([world.line(holder, eur)?.balance, world.line(holder, usd)?.balance], [9_999n, 1_095n])
  })

  it("withdraw all, then delete every line", () => {
    const { eur, holder, issuer, usd, world } = pools()
    world.succeed(holder, [deposit(usd, eur, 100n, 100n)])
    world.succeed(holder, [
      withdraw(usd, eur, 100n),
      trustPool(usd, eur, 0n),
      trustPool(xlm, usd, 0n),
      pay(issuer, usd, 10_000n),
      trust(usd, 0n),
      pay(issuer, eur, 10_000n),
      trust(eur, 0n)
    ])
    assert.strictEqual(world.get(holder).numSubEntries, 0)
  })
})

describe("switched off by header flags", () => {
  it("deposit and withdraw answer opNotSupported, at check and in a ledger", () => {
    const { eur, holder, usd, world } = pools()
    world.succeed(holder, [deposit(usd, eur, 100n, 100n)])
    world.state = world.state.at({ flags: HeaderFlag.disablePoolDeposit | HeaderFlag.disablePoolWithdrawal })
    for (const body of [deposit(usd, eur, 1n, 1n), withdraw(usd, eur, 1n)]) {
      assert.deepStrictEqual(world.check(holder, [body]), ["txFailed", "opNotSupported"])
      assert.strictEqual(codeAt(world.apply(holder, [body])), "opNotSupported")
    }
  })
})
