import { assert, describe, it } from "@effect/vitest"
import type { Keypair, xdr } from "@stellar/stellar-sdk"
import { assetOf, deposit, pay, price, sell, strictSend, trust, trustPool, XLM } from "../support/Bodies.ts"
import { codeAt, RESERVE, World } from "../support/World.ts"

const LOTS = 1_000_000_000n

const RICH = 20_000n * RESERVE

/** Dollars are converted into lumens by the pool, after so many offers of the book were walked in vain, and lumens into euros by the book. */
const market = (walked: number) => {
  const world = new World()
  const [issuer, first, second, third, sender] = [
    world.account(RICH),
    world.account(RICH),
    world.account(RICH),
    world.account(RICH),
    world.account(RICH)
  ]
  const [usd, eur] = [assetOf(issuer), assetOf(issuer, "EUR")]
  const makers = [first, second, third]
  world.succeed(
    issuer,
    [...makers, sender].flatMap((holder) => [usd, eur].flatMap((asset) => [[holder, trust(asset)] as const, pay(holder, asset, LOTS)]))
  )
  world.succeed(third, [trustPool(XLM, usd), deposit(XLM, usd, 1_000_000n, 900_000n)])
  offers(world, first, walked, XLM, usd)
  return { world, sender, second, usd, eur }
}

/** Puts so many offers of one unit at a price of one into the book. */
const offers = (world: World, maker: Keypair, count: number, selling: xdr.Asset, buying: xdr.Asset): void => {
  for (let left = count; left > 0; left -= 100) {
    world.succeed(maker, Array.from({ length: Math.min(left, 100) }, () => sell(selling, buying, 1n, price(1, 1))))
  }
}

describe("a walk through the book that is given up for the pool", () => {
  // 600 offers walked in vain and one pool leave 399 of the thousand.
  it("counts towards the thousand of what the payment meets, in every later hop", () => {
    const { eur, second, sender, usd, world } = market(600)
    offers(world, second, 398, eur, XLM)
    world.succeed(second, [sell(eur, XLM, 10_000n, price(2, 1))])
    // The pool gives 664 lumens for the 600 dollars: 398 offers and the last, which is met in part.
    const pays = strictSend(sender, usd, 600n, eur, 1n, [XLM])
    const within = world.state
    world.succeed(sender, [pays])
    world.state = within
    offers(world, second, 1, eur, XLM)
    assert.strictEqual(codeAt(world.apply(sender, [pays])), "opExceededWorkLimit")
  })

  it("leaves nothing for the pool once the thousand are walked", () => {
    const { second, sender, usd, world } = market(600)
    offers(world, second, 399, XLM, usd)
    // Of 999 offers each gives a lumen for a dollar, and the pool more for all of them.
    const within = world.state
    world.succeed(sender, [strictSend(sender, usd, 999n, XLM, 1n)])
    world.state = within
    offers(world, second, 1, XLM, usd)
    assert.strictEqual(codeAt(world.apply(sender, [strictSend(sender, usd, 1_000n, XLM, 1n)])), "opExceededWorkLimit")
  })
})
