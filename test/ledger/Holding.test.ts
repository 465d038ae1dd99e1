import { assert, describe, it } from "@effect/vitest"
import { xdr } from "@stellar/stellar-sdk"
import { toTrustlineAsset } from "../../src/ledger/Asset.ts"
import { Draft } from "../../src/ledger/Draft.ts"
import { withLiabilities } from "../../src/ledger/entries/Account.ts"
import { withLine, withLineLiabilities } from "../../src/ledger/entries/Trustline.ts"
import { addUnauthorized, type Holding, lineHolding, loadHolding, peekHolding } from "../../src/ledger/Holding.ts"
import { int64Max } from "../../src/ledger/Int64.ts"
import { LedgerFault } from "../../src/ledger/LedgerFault.ts"
import { loadTrustline } from "../../src/ledger/Loaded.ts"
import { assetOf, trust, xlm } from "./support/Bodies.ts"
import { baseReserve, idOf, World } from "./support/World.ts"

const reserve = 2n * baseReserve

/** An account of so many lumens, bound by offers as given. */
const lumens = (balance: bigint, buying = 0n, selling = 0n) => {
  const world = new World()
  const owner = world.account(balance)
  world.edit(owner, (account) => withLiabilities(account, new xdr.Liabilities({ buying, selling })))
  return loadHolding(Draft.of(world.state), idOf(owner), xlm) ?? assert.fail("there is none")
}

/** The trustline of an account with such fields. */
const line = ({ balance = 0n, buying = 0n, flags = 1, limit = 100n, selling = 0n }) => {
  const world = new World()
  const [issuer, owner] = [world.account(), world.account()]
  const usd = assetOf(issuer)
  world.succeed(owner, [trust(usd)])
  const draft = Draft.of(world.state)
  const loaded = loadTrustline(draft, idOf(owner), toTrustlineAsset(usd)) ?? assert.fail("there is none")
  loaded.set(withLineLiabilities(withLine(loaded.current, { balance, limit, flags }), new xdr.Liabilities({ buying, selling })))
  return { loaded, holding: lineHolding(loaded) }
}

type Adding = "add" | "addBuyingLiabilities" | "addSellingLiabilities"

/** The amounts that may be added and the next ones that may not, each to a holding that is made anew. */
const bounds = (make: () => Holding, adding: Adding, taken: ReadonlyArray<bigint>, refused: ReadonlyArray<bigint>): void => {
  const adds = (amount: bigint) => make()[adding](amount)
  assert.deepStrictEqual([taken.map(adds), refused.map(adds)], [taken.map(() => true), refused.map(() => false)], adding)
}

describe("lumens", () => {
  it("may be added up to the largest amount less what offers buy, and taken down to reserve and what offers sell", () => {
    const make = () => lumens(reserve + 50n, 10n, 20n)
    bounds(make, "add", [0n, -30n, int64Max - reserve - 60n], [-31n, int64Max - reserve - 59n])
    const short = () => lumens(reserve - 1n, 0n, 20n)
    bounds(short, "add", [0n, 1n], [-1n])
  })

  it("may be bound by offers as far as they go", () => {
    const make = () => lumens(reserve + 50n, 10n, 20n)
    bounds(make, "addBuyingLiabilities", [0n, -10n, int64Max - reserve - 60n], [-11n, int64Max - reserve - 59n])
    bounds(make, "addSellingLiabilities", [0n, -20n, 30n], [-21n, 31n])
    bounds(() => lumens(reserve, 0n, 0n), "addSellingLiabilities", [0n], [1n, -1n])
    bounds(() => lumens(reserve - 1n, 0n, 5n), "addSellingLiabilities", [0n], [1n, -1n])
  })

  it("are what they were, and what is added", () => {
    const holding = lumens(reserve + 50n, 10n, 20n)
    assert.deepStrictEqual([holding.balance(), holding.available(), holding.room()], [reserve + 50n, 30n, int64Max - reserve - 60n])
    assert.deepStrictEqual([holding.authorized, holding.maintainable, holding.clawbackEnabled], [true, true, false])
    holding.add(5n)
    holding.addBuyingLiabilities(3n)
    holding.addSellingLiabilities(4n)
    assert.deepStrictEqual([holding.balance(), holding.available(), holding.room()], [reserve + 55n, 31n, int64Max - reserve - 68n])
  })
})

describe("a trustline", () => {
  it("holds from what its offers sell up to its limit less what they buy", () => {
    const make = () => line({ balance: 50n, buying: 10n, selling: 20n }).holding
    bounds(make, "add", [0n, -30n, 40n], [-31n, 41n])
    bounds(make, "addBuyingLiabilities", [0n, -10n, 40n], [-11n, 41n])
    bounds(make, "addSellingLiabilities", [0n, -20n, 30n], [-21n, 31n])
  })

  it("is what it was, and what is added", () => {
    const { holding } = line({ balance: 50n, buying: 10n, selling: 20n })
    assert.deepStrictEqual([holding.balance(), holding.available(), holding.room()], [50n, 30n, 40n])
    holding.add(5n)
    holding.addBuyingLiabilities(3n)
    holding.addSellingLiabilities(4n)
    assert.deepStrictEqual([holding.balance(), holding.available(), holding.room()], [55n, 31n, 32n])
  })

  it("tells its flags", () => {
    const told = [0, 1, 2, 5, 6].map((flags) => {
      const { authorized, clawbackEnabled, maintainable } = line({ flags }).holding
      return [authorized, maintainable, clawbackEnabled]
    })
    assert.deepStrictEqual(told, [
      [false, false, false],
      [true, true, false],
      [false, true, false],
      [true, true, true],
      [false, true, true]
    ])
  })

  it("without any authorization moves nothing but what its issuer takes or gives", () => {
    const bare = () => line({ balance: 50n, flags: 4 })
    const { holding } = bare()
    for (const adding of ["add", "addBuyingLiabilities", "addSellingLiabilities"] as const) {
      assert.isTrue(holding[adding](0n))
      assert.throws(() => holding[adding](1n), LedgerFault, "the trustline is not authorized")
    }
    for (const told of ["available", "room"] as const) assert.throws(() => holding[told](), LedgerFault, "the trustline is not authorized")
    assert.deepStrictEqual([50n, 51n, -50n, -51n].map((amount) => addUnauthorized(bare().loaded, amount)), [true, false, true, false])
    const { loaded } = bare()
    assert.isTrue(addUnauthorized(loaded, -20n))
    assert.strictEqual(loaded.current.balance, 30n)
  })
})

describe("an issuer", () => {
  it("has no end of its own asset", () => {
    const world = new World()
    const issuer = world.account()
    const draft = Draft.of(world.state)
    for (const held of [loadHolding, peekHolding].map((find) => find(draft, idOf(issuer), assetOf(issuer)))) {
      const holding = held ?? assert.fail("there is none")
      assert.deepStrictEqual([holding.authorized, holding.maintainable], [true, true])
      assert.deepStrictEqual([holding.balance(), holding.available(), holding.room()], [int64Max, int64Max, int64Max])
      bounds(() => holding, "add", [int64Max, -int64Max], [])
      bounds(() => holding, "addBuyingLiabilities", [int64Max], [])
      bounds(() => holding, "addSellingLiabilities", [int64Max], [])
      assert.throws(() => holding.clawbackEnabled, LedgerFault, "an issuer cannot claw back from itself")
    }
    assert.lengthOf(draft.changes(), 0)
  })
})

describe("an account", () => {
  it("without the entry holds nothing, and neither looking at one nor adding nothing to it changes it", () => {
    const world = new World()
    const [issuer, owner, stranger] = [world.account(), world.account(), world.account()]
    const usd = assetOf(issuer)
    world.succeed(owner, [trust(usd)])
    const draft = Draft.of(world.state)
    assert.isUndefined(peekHolding(draft, idOf(stranger), usd))
    assert.isUndefined(loadHolding(draft, idOf(stranger), usd))
    assert.strictEqual(peekHolding(draft, idOf(owner), usd)?.balance(), 0n)
    assert.strictEqual(peekHolding(draft, idOf(owner), xlm)?.balance(), world.get(owner).balance)
    for (const asset of [xlm, usd]) {
      const holding = peekHolding(draft, idOf(owner), asset) ?? assert.fail("there is none")
      for (const adding of ["add", "addBuyingLiabilities", "addSellingLiabilities"] as const) assert.isTrue(holding[adding](0n))
    }
    assert.lengthOf(draft.changes(), 0)
    assert.strictEqual(loadHolding(draft, idOf(owner), usd)?.balance(), 0n)
    assert.lengthOf(draft.changes(), 2)
  })
})
