import { assert, describe, it } from "@effect/vitest"
import type { Keypair, xdr } from "@stellar/stellar-sdk"
import { applyTransaction } from "../../../src/ledger/Apply.ts"
import { sameAsset } from "../../../src/ledger/Asset.ts"
import { withSponsorship } from "../../../src/ledger/entries/Account.ts"
import { uint32Max } from "../../../src/ledger/Int64.ts"
import {
  allow,
  assetOf,
  begin,
  buy,
  claim,
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
  xlm
} from "../support/Bodies.ts"
import { baseReserve, codeAt, codesOf, networkPassphrase, World } from "../support/World.ts"

const scene = (flags = 2) => {
  const world = new World()
  const [issuer, holder] = [world.account(), world.account()]
  const [usd, eur] = [assetOf(issuer), assetOf(issuer, "EUR")]
  if (flags !== 0) world.succeed(issuer, [setOptions({ setFlags: flags })])
  world.succeed(issuer, [[holder, trust(usd)], [holder, trust(eur)], pay(holder, usd, 1_000n), pay(holder, eur, 1_000n)])
  return { world, issuer, holder, usd, eur }
}

const balancesOf = (world: World): ReadonlyArray<xdr.ClaimableBalanceEntry> =>
  Array.from(world.state.entries()).flatMap(({ data }) => (data.type === "claimableBalance" ? [data.claimableBalance] : []))

describe("set trustline flags", () => {
  it("malformed", () => {
    const { holder, issuer, usd, world } = scene()
    const bodies: ReadonlyArray<readonly [Keypair, xdr.OperationBody]> = [
      [issuer, setLineFlags(holder, xlm, 1, 0)],
      [issuer, setLineFlags(holder, assetOf(issuer, "A B"), 1, 0)],
      [holder, setLineFlags(holder, usd, 1, 0)],
      [issuer, setLineFlags(issuer, usd, 1, 0)],
      [issuer, setLineFlags(holder, usd, 1, 1)],
      [issuer, setLineFlags(holder, usd, 3, 0)],
      [issuer, setLineFlags(holder, usd, 4, 0)],
      [issuer, setLineFlags(holder, usd, 8, 0)],
      [issuer, setLineFlags(holder, usd, 0, 8)]
    ]
    for (const [who, body] of bodies) assert.deepStrictEqual(world.check(who, [body]), ["txFailed", "setTrustLineFlagsMalformed"])
  })

  it("no trust line, invalid state", () => {
    const { holder, issuer, usd, world } = scene()
    assert.strictEqual(codeAt(world.apply(issuer, [setLineFlags(world.account(), usd, 1, 0)])), "setTrustLineFlagsNoTrustLine")
    assert.strictEqual(codeAt(world.apply(issuer, [setLineFlags(holder, usd, 2, 0)])), "setTrustLineFlagsInvalidState")
    world.succeed(issuer, [setLineFlags(holder, usd, 2, 1)])
  })

  const moves: ReadonlyArray<readonly [string, number, number, number, string]> = [
    ["authorized to maintain", 1, 2, 1, "setTrustLineFlagsCantRevoke"],
    ["authorized to nothing", 1, 0, 1, "setTrustLineFlagsCantRevoke"],
    ["maintain to authorized", 2, 1, 2, "setTrustLineFlagsSuccess"],
    ["nothing to authorized", 0, 1, 0, "setTrustLineFlagsSuccess"],
    ["nothing to maintain", 0, 2, 0, "setTrustLineFlagsSuccess"]
  ]
  for (const [name, from, set, clear, code] of moves) {
    it(`without the right to revoke: ${name}`, () => {
      const { holder, issuer, usd, world } = scene()
      if (from !== 1) world.succeed(issuer, [setLineFlags(holder, usd, from, 1)])
      world.succeed(issuer, [setOptions({ clearFlags: 2 })])
      assert.strictEqual(codeAt(world.apply(issuer, [setLineFlags(holder, usd, set, clear)])), code)
    })
  }

  it("clawback can be cleared", () => {
    const { holder, issuer, usd, world } = scene(10)
    assert.strictEqual(world.line(holder, usd)?.flags, 5)
    world.succeed(issuer, [setLineFlags(holder, usd, 0, 4)])
    assert.strictEqual(world.line(holder, usd)?.flags, 1)
  })
})

describe("allow trust: authorized to maintain liabilities", () => {
  it("malformed, no trust line, can't revoke", () => {
    const { holder, issuer, world } = scene(0)
    assert.deepStrictEqual(world.check(issuer, [allow(holder, "USD", 3)]), ["txFailed", "allowTrustMalformed"])
    assert.deepStrictEqual(world.check(issuer, [allow(holder, "U D", 1)]), ["txFailed", "allowTrustMalformed"])
    assert.deepStrictEqual(world.check(issuer, [allow(issuer, "USD", 1)]), ["txFailed", "allowTrustMalformed"])
    assert.strictEqual(codeAt(world.apply(issuer, [allow(world.account(), "USD", 1)])), "allowTrustNoTrustLine")
    for (const authorize of [0, 2]) {
      assert.strictEqual(codeAt(world.apply(issuer, [allow(holder, "USD", authorize)])), "allowTrustCantRevoke")
    }
    const stranger = world.account()
    assert.strictEqual(codeAt(world.apply(issuer, [allow(stranger, "USD", 0)])), "allowTrustCantRevoke", "before the line is looked for")
    assert.strictEqual(codeAt(world.apply(issuer, [allow(stranger, "USD", 2)])), "allowTrustNoTrustLine")
    world.succeed(issuer, [allow(holder, "USD", 1)])
  })

  it("without the right to revoke, a line that only maintains liabilities stays as it is", () => {
    const { holder, issuer, usd, world } = scene()
    world.succeed(issuer, [allow(holder, "USD", 2), setOptions({ clearFlags: 2 }), allow(holder, "USD", 2)])
    assert.strictEqual(world.line(holder, usd)?.flags, 2)
  })

  it("keeps the clawback flag", () => {
    const { holder, issuer, usd, world } = scene(10)
    for (const authorize of [2, 0, 1]) {
      world.succeed(issuer, [allow(holder, "USD", authorize)])
      assert.strictEqual(world.line(holder, usd)?.flags, 4 | authorize)
    }
  })

  it("keeps offers at maintain, pulls them at nothing", () => {
    const { holder, issuer, usd, world } = scene()
    world.succeed(holder, [sell(usd, xlm, 10n, price(1, 1)), buy(xlm, usd, 10n, price(1, 2))])
    world.succeed(issuer, [allow(holder, "USD", 2)])
    assert.isDefined(world.offer(holder, 1n))
    assert.strictEqual(codeAt(world.apply(holder, [sell(usd, xlm, 10n, price(1, 1))])), "manageSellOfferSellNotAuthorized")
    world.succeed(issuer, [allow(holder, "USD", 0)])
    assert.deepStrictEqual([world.offer(holder, 1n), world.offer(holder, 2n), world.get(holder).numSubEntries], [undefined, undefined, 2])
    world.succeed(issuer, [allow(holder, "USD", 1)])
    world.succeed(holder, [sell(usd, xlm, 10n, price(1, 1))])
  })

  it("a maker at maintain liabilities is still traded with", () => {
    const { holder, issuer, usd, world } = scene()
    world.succeed(holder, [sell(usd, xlm, 10n, price(1, 1))])
    world.succeed(issuer, [allow(holder, "USD", 2)])
    const taker = world.account()
    world.succeed(taker, [trust(usd), buy(xlm, usd, 10n, price(1, 1))])
    assert.strictEqual(world.line(taker, usd)?.balance, 10n)
  })
})

describe("revoke from pool", () => {
  const withShares = () => {
    const made = scene()
    made.world.succeed(made.holder, [
      trustPool(made.usd, made.eur),
      deposit(made.usd, made.eur, 100n, 400n),
      trustPool(xlm, made.usd),
      deposit(xlm, made.usd, 70n, 70n)
    ])
    return made
  }

  it("shares become unconditional claimable balances the closing account sponsors", () => {
    const { eur, holder, issuer, usd, world } = withShares()
    world.succeed(issuer, [setLineFlags(holder, usd, 0, 1)])
    assert.isUndefined(world.line(holder, shareOf(usd, eur)))
    assert.isUndefined(world.pool(poolOf(usd, eur).value))
    assert.deepStrictEqual(
      balancesOf(world).map(({ amount }) => amount).toSorted(),
      [100n, 400n, 70n, 70n].toSorted()
    )
    assert.deepStrictEqual([world.sponsorship(holder), world.get(holder).numSubEntries], [[0, 4], 2])
    assert.strictEqual(codeAt(world.apply(holder, [pay(issuer, eur, 500n), merge(issuer)]), 1), "accountMergeHasSubEntries")
    const native = balancesOf(world).find(({ asset }) => asset.type === "assetTypeNative")
    world.succeed(holder, [claim(native?.balanceId ?? assert.fail("no native balance"))])
    const stuck = balancesOf(world).find(({ amount, asset }) => amount === 70n && asset.type !== "assetTypeNative")
    assert.strictEqual(
      codeAt(world.apply(holder, [claim(stuck?.balanceId ?? assert.fail("no balance"))])),
      "claimClaimableBalanceNotAuthorized"
    )
  })

  it("an empty share line leaves nothing behind", () => {
    const { eur, holder, issuer, usd, world } = scene()
    world.succeed(holder, [trustPool(usd, eur)])
    world.succeed(issuer, [setLineFlags(holder, eur, 0, 1)])
    assert.deepStrictEqual([balancesOf(world).length, world.get(holder).numSubEntries], [0, 2])
  })

  it("what comes back to its own issuer is gone", () => {
    const { holder, issuer, usd, world } = scene()
    const own = assetOf(holder, "OWN")
    world.succeed(holder, [trustPool(own, usd), deposit(own, usd, 90n, 90n)])
    world.succeed(issuer, [setLineFlags(holder, usd, 0, 1)])
    assert.deepStrictEqual(balancesOf(world).map(({ amount, asset }) => [amount, sameAsset(asset, usd)]), [[90n, true]])
    assert.deepStrictEqual([world.sponsorship(holder), world.get(holder).numSubEntries], [[0, 1], 2])
  })

  it("the line's sponsor pays for the balances, below its reserve if need be", () => {
    const { eur, holder, issuer, usd, world } = scene()
    const sponsor = world.account()
    world.succeed(holder, [[sponsor, begin(holder)], trustPool(usd, eur), end(), deposit(usd, eur, 100n, 100n)])
    world.setBalance(sponsor, baseReserve)
    world.succeed(issuer, [setLineFlags(holder, usd, 0, 1)])
    assert.deepStrictEqual([world.sponsorship(sponsor), world.sponsorship(holder)], [[0, 2], [0, 0]])
  })

  it("in a sponsorship of the payer its sponsor pays, and must be able to", () => {
    const { eur, holder, issuer, usd, world } = withShares()
    const payer = world.account(5n * baseReserve)
    const steps = [[payer, begin(holder)] as const, setLineFlags(holder, usd, 0, 1), [holder, end()] as const]
    assert.deepStrictEqual(codesOf(world.apply(issuer, steps)), [
      "txFailed",
      "beginSponsoringFutureReservesSuccess",
      "setTrustLineFlagsLowReserve",
      "endSponsoringFutureReservesSuccess"
    ])
    assert.isDefined(world.line(holder, shareOf(usd, eur)))
    world.setBalance(payer, 6n * baseReserve)
    world.succeed(issuer, steps)
    assert.deepStrictEqual([world.sponsorship(payer), world.sponsorship(holder)], [[0, 4], [0, 0]])
  })

  it("a sponsor of the payer that pays for as many as can be counted", () => {
    const world = new World({ baseReserve: 0 })
    const [issuer, holder, payer] = [world.account(), world.account(), world.account()]
    const usd = assetOf(issuer)
    world.succeed(issuer, [setOptions({ setFlags: 2 }), [holder, trust(usd)], pay(holder, usd, 10n)])
    world.succeed(holder, [trustPool(xlm, usd), deposit(xlm, usd, 10n, 10n)])
    const codes = [2, 1].map((above) => {
      world.edit(payer, (account) => withSponsorship(account, { numSponsoring: uint32Max - 3 + above }))
      const steps = [[payer, begin(holder)] as const, setLineFlags(holder, usd, 0, 1), [holder, end()] as const]
      return codeAt(applyTransaction(world.state, world.envelope(issuer, steps), { networkPassphrase, signatures: "verify" }), 1)
    })
    assert.deepStrictEqual(codes, ["opTooManySponsoring", "setTrustLineFlagsSuccess"])
  })

  it("clawback of the line passes on to the balance", () => {
    const { eur, holder, issuer, usd, world } = scene(10)
    world.succeed(holder, [trustPool(usd, eur), deposit(usd, eur, 100n, 100n)])
    world.succeed(issuer, [setLineFlags(holder, eur, 0, 4)])
    world.succeed(issuer, [setLineFlags(holder, usd, 0, 1)])
    assert.deepStrictEqual(
      balancesOf(world).map(({ ext }) => ext.type).toSorted(),
      ["v0", "v1"]
    )
  })
})
