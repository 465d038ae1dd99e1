import { assert, describe, it } from "@effect/vitest"
import type { Keypair, xdr } from "@stellar/stellar-sdk"
import { assetOf, deposit, pay, price, sell, strictSend, trust, trustPool, xlm } from "../support/Bodies.ts"
import { baseReserve, codeAt, World } from "../support/World.ts"

const lots = 1_000_000_000n

const rich = 20_000n * baseReserve

/** The pool converts dollars into lumens after this many offers of the book were crossed in vain. The book converts lumens into euros. */
const market = (walked: number) => {
  const world = new World()
  const [issuer, first, second, third, sender] = [
    world.account(rich),
    world.account(rich),
    world.account(rich),
    world.account(rich),
    world.account(rich)
  ]
  const [usd, eur] = [assetOf(issuer), assetOf(issuer, "EUR")]
  const makers = [first, second, third]
  world.succeed(
    issuer,
    [...makers, sender].flatMap((holder) => [usd, eur].flatMap((asset) => [[holder, trust(asset)] as const, pay(holder, asset, lots)]))
  )
  world.succeed(third, [trustPool(xlm, usd), deposit(xlm, usd, 1_000_000n, 900_000n)])
  offers(world, first, walked, xlm, usd)
  return { world, sender, second, usd, eur }
}

/** Puts this many offers of one unit at a price of one into the book. */
const offers = (world: World, maker: Keypair, count: number, selling: xdr.Asset, buying: xdr.Asset): void => {
  for (let left = count; left > 0; left -= 100) {
    world.succeed(maker, Array.from({ length: Math.min(left, 100) }, () => sell(selling, buying, 1n, price(1, 1))))
  }
}

describe("a walk through the book that is given up for the pool", () => {
  // 600 abandoned offers and one pool leave 399 of the thousand.
  it("counts towards the thousand of what the payment meets, in every later hop", () => {
    const { eur, second, sender, usd, world } = market(600)
    offers(world, second, 398, eur, xlm)
    world.succeed(second, [sell(eur, xlm, 10_000n, price(2, 1))])
    // The pool gives 664 lumens for the 600 dollars: 398 offers and a part of the last.
    const pays = strictSend(sender, usd, 600n, eur, 1n, [xlm])
    const within = world.state
    world.succeed(sender, [pays])
    world.state = within
    offers(world, second, 1, eur, xlm)
    assert.strictEqual(codeAt(world.apply(sender, [pays])), "opExceededWorkLimit")
  })

  it("leaves nothing for the pool once the thousand are walked", () => {
    const { second, sender, usd, world } = market(600)
    offers(world, second, 399, xlm, usd)
    // Each of 999 offers gives a lumen for a dollar, and the pool gives more for all of them.
    const within = world.state
    world.succeed(sender, [strictSend(sender, usd, 999n, xlm, 1n)])
    world.state = within
    offers(world, second, 1, xlm, usd)
    assert.strictEqual(codeAt(world.apply(sender, [strictSend(sender, usd, 1_000n, xlm, 1n)])), "opExceededWorkLimit")
  })
})
