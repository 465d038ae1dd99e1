import { assert, describe, it } from "@effect/vitest"
import { assetOf, merge, pay, price, sell, setData, setSigner, signerKeyOf, strictSend, trust, xlm } from "./support/Bodies.ts"
import { baseFee, codesOf, World } from "./support/World.ts"

describe("operations after one that failed", () => {
  it("are run all the same, and each has its own result", () => {
    const world = new World()
    const [source, other, gone] = [world.account(), world.account(), world.account()]
    world.succeed(gone, [merge(other)])
    const before = world.get(source).balance
    const applied = world.apply(source, [
      pay(other, xlm, before),
      setData("name", "value"),
      pay(gone, xlm, 1n),
      setData("missing", null),
      pay(other, xlm, 1n)
    ])
    assert.deepStrictEqual(codesOf(applied), [
      "txFailed",
      "paymentUnderfunded",
      "manageDataSuccess",
      "paymentNoDestination",
      "manageDataNameNotFound",
      "paymentSuccess"
    ])
    assert.isFalse(world.hasData(source, "name"))
    assert.strictEqual(world.get(source).balance, before - 5n * baseFee)
  })

  it("see what those before them did, and nothing of one that failed", () => {
    const world = new World()
    const [issuer, maker, source] = [world.account(), world.account(), world.account()]
    const usd = assetOf(issuer)
    world.succeed(issuer, [[source, trust(usd)], [maker, trust(usd)], pay(source, usd, 100n)])
    world.succeed(maker, [sell(xlm, usd, 100n, price(1, 1))])
    // The conversion takes the dollars and the offer before it fails on the minimum.
    const [convert, failing] = [strictSend(source, usd, 100n, xlm, 100n), strictSend(source, usd, 100n, xlm, 101n)]
    const failed = codesOf(world.apply(source, [failing, convert, failing, trust(usd, 0n), setData("missing", null)]))
    assert.deepStrictEqual(failed, [
      "txFailed",
      "pathPaymentStrictSendUnderDestmin",
      "pathPaymentStrictSendSuccess",
      "pathPaymentStrictSendUnderfunded",
      "changeTrustSuccess",
      "manageDataNameNotFound"
    ])
    assert.deepStrictEqual([world.line(source, usd)?.balance, world.offer(maker, 1n)?.amount], [100n, 100n])
  })

  it("a merge that succeeds leaves no account to those after it, though all of them are undone", () => {
    const world = new World()
    const [source, other] = [world.account(), world.account()]
    const applied = world.apply(source, [merge(other), setData("name", "value"), setSigner(signerKeyOf(other), 1)])
    assert.deepStrictEqual(codesOf(applied), ["txFailed", "accountMergeSuccess", "opNoAccount", "opNoAccount"])
    assert.isDefined(world.find(source))
  })
})
