import { assert, describe, it } from "@effect/vitest"
import { xdr } from "@stellar/stellar-sdk"
import { dataKey } from "../../../src/xdr/LedgerKeys.ts"
import { assetOf, begin, end, price, sell, setData, setSigner, trust, xlm } from "../support/Bodies.ts"
import { baseFee, baseReserve, codeAt, codesOf, World } from "../support/World.ts"

const one = () => {
  const world = new World()
  return { world, account: world.account() }
}

describe("manage data", () => {
  for (const name of ["", "tab\t", "é", "\u0000"]) {
    it(`invalid name ${JSON.stringify(name)}`, () => {
      const { account, world } = one()
      assert.deepStrictEqual(world.check(account, [setData(name, "v")]), ["txFailed", "manageDataInvalidName"])
    })
  }

  it("create, change, delete", () => {
    const { account, world } = one()
    for (const value of ["one", "two"]) {
      world.succeed(account, [setData("name", value)])
      const data = world.state.get(dataKey(account.publicKey(), "name"))?.data
      assert.strictEqual(data?.type === "data" ? Buffer.from(data.data.dataValue.value).toString() : undefined, value)
    }
    assert.strictEqual(world.get(account).numSubEntries, 1)
    world.succeed(account, [setData("name", null)])
    assert.strictEqual(world.get(account).numSubEntries, 0)
  })

  it("delete what is missing, and delete twice in a transaction", () => {
    const { account, world } = one()
    assert.strictEqual(codeAt(world.apply(account, [setData("name", null)])), "manageDataNameNotFound")
    world.succeed(account, [setData("name", "v")])
    const applied = world.apply(account, [setData("name", null), setData("name", null)])
    assert.deepStrictEqual(codesOf(applied), ["txFailed", "manageDataSuccess", "manageDataNameNotFound"])
    assert.isTrue(world.hasData(account, "name"))
  })

  it("native selling liabilities", () => {
    const { account, world } = one()
    const usd = assetOf(world.account())
    world.succeed(account, [trust(usd), sell(xlm, usd, 500n, price(1, 1))])
    world.setBalance(account, 5n * baseReserve + 499n + baseFee)
    assert.strictEqual(codeAt(world.apply(account, [setData("a", "1")])), "manageDataLowReserve")
    world.setBalance(account, 5n * baseReserve + 500n + baseFee)
    world.succeed(account, [setData("a", "1")])
  })

  it("sponsorship", () => {
    const { account, world } = one()
    const sponsor = world.account()
    world.setBalance(account, 2n * baseReserve + 3n * baseFee)
    world.succeed(account, [[sponsor, begin(account)], setData("a", "1"), end()])
    assert.deepStrictEqual([world.sponsorship(account), world.sponsorship(sponsor)], [[1, 0], [0, 1]])
    world.setBalance(account, 2n * baseReserve + baseFee)
    world.succeed(account, [setData("a", null)])
    assert.deepStrictEqual([world.sponsorship(account), world.sponsorship(sponsor)], [[0, 0], [0, 0]])
  })

  it("too many subentries", () => {
    const { account, world } = one()
    world.setBalance(account, 10_000n * baseReserve)
    const names = Array.from({ length: 1000 }, (_, at) => `name ${at}`)
    for (let at = 0; at < 1000; at += 100) world.succeed(account, names.slice(at, at + 100).map((name) => setData(name, "v")))
    assert.strictEqual(codeAt(world.apply(account, [setData("one more", "v")])), "opTooManySubentries")
    const signer = setSigner(xdr.SignerKey.signerKeyTypeHashX(Buffer.alloc(32, 1)), 1)
    assert.strictEqual(codeAt(world.apply(account, [signer])), "opTooManySubentries")
    world.succeed(account, [setData("name 0", null), setData("one more", "v")])
    world.succeed(account, [setData("one more", null), signer])
  })
})
