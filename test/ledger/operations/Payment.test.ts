import { assert, describe, it } from "@effect/vitest"
import { Keypair } from "@stellar/stellar-sdk"
import { int64Max } from "../../../src/ledger/Int64.ts"
import {
  assetOf,
  begin,
  buy,
  createAccount,
  end,
  merge,
  pay,
  payMuxed,
  price,
  sell,
  setData,
  setLineFlags,
  setOptions,
  trust,
  withId,
  xlm
} from "../support/Bodies.ts"
import { baseFee, baseReserve, codeAt, codesOf, World } from "../support/World.ts"

const credit = () => {
  const world = new World()
  const [issuer, alice, bob] = [world.account(), world.account(), world.account()]
  const usd = assetOf(issuer)
  world.succeed(issuer, [[alice, trust(usd)], [bob, trust(usd, 1_000n)], pay(alice, usd, 2_000n)])
  return { world, issuer, alice, bob, usd }
}

describe("payment", () => {
  it("malformed: amount and asset", () => {
    const { alice, bob, issuer, usd, world } = credit()
    for (const body of [pay(bob, usd, 0n), pay(bob, usd, -1n), pay(bob, assetOf(issuer, "A\u0000B"), 1n)]) {
      assert.deepStrictEqual(world.check(alice, [body]), ["txFailed", "paymentMalformed"])
    }
  })

  it("native: moves the amount, down to the reserve and no further", () => {
    const { alice, bob, world } = credit()
    world.setBalance(alice, 3n * baseReserve + baseFee + 10n)
    assert.strictEqual(codeAt(world.apply(alice, [pay(bob, xlm, 11n)])), "paymentUnderfunded")
    world.setBalance(alice, 3n * baseReserve + baseFee + 10n)
    world.succeed(alice, [pay(bob, xlm, 10n)])
    assert.strictEqual(world.get(alice).balance, 3n * baseReserve)
  })

  it("native to an account that does not exist", () => {
    const { alice, world } = credit()
    assert.strictEqual(codeAt(world.apply(alice, [pay(Keypair.random(), xlm, 10n)])), "paymentNoDestination")
  })

  it("to an id behind an account: lumens and credit reach the account, at its issuer credit is burnt", () => {
    const { alice, bob, issuer, usd, world } = credit()
    assert.strictEqual(codeAt(world.apply(alice, [payMuxed(withId(Keypair.random(), 7n), xlm, 10n)])), "paymentNoDestination")
    assert.strictEqual(codeAt(world.apply(alice, [payMuxed(withId(world.account(), 7n), usd, 10n)])), "paymentNoTrust")
    const before = world.get(bob).balance
    world.succeed(alice, [payMuxed(withId(bob, 7n), xlm, 10n), payMuxed(withId(bob, 8n), usd, 600n)])
    assert.strictEqual(world.get(bob).balance, before + 10n)
    assert.strictEqual(codeAt(world.apply(alice, [payMuxed(withId(bob, 7n), usd, 401n)])), "paymentLineFull")
    world.succeed(alice, [payMuxed(withId(issuer, 7n), usd, 1_400n)])
    assert.strictEqual(codeAt(world.apply(alice, [pay(issuer, usd, 1n)])), "paymentUnderfunded")
    world.succeed(alice, [payMuxed(withId(alice, 7n), xlm, 5n)])
  })

  it("a pays b then a merges into b", () => {
    const { bob, world } = credit()
    const payer = world.account()
    const before = world.get(bob).balance
    world.succeed(payer, [pay(bob, xlm, 200n), merge(bob)])
    assert.strictEqual(world.get(bob).balance, before + 10_000_000_000n - 2n * baseFee)
  })

  it("rescue account below reserve", () => {
    const { alice, bob, world } = credit()
    world.setBalance(bob, baseReserve)
    assert.deepStrictEqual(world.check(bob, [setData("a", "1")]), ["txInsufficientBalance"])
    world.succeed(alice, [pay(bob, xlm, 1n)])
    world.succeed(alice, [pay(bob, xlm, 2n * baseReserve + 2n * baseFee)])
    assert.isNull(world.check(bob, [pay(alice, xlm, 1n)]))
  })

  it("simple credit: no trust, issue, send, burn", () => {
    const { alice, bob, issuer, usd, world } = credit()
    const stranger = world.account()
    assert.strictEqual(codeAt(world.apply(alice, [pay(stranger, usd, 1n)])), "paymentNoTrust")
    assert.strictEqual(codeAt(world.apply(stranger, [pay(alice, usd, 1n)])), "paymentSrcNoTrust")
    assert.strictEqual(codeAt(world.apply(alice, [pay(bob, usd, 1_001n)])), "paymentLineFull")
    world.succeed(alice, [pay(bob, usd, 1_000n)])
    assert.strictEqual(codeAt(world.apply(alice, [pay(issuer, usd, 1_001n)])), "paymentUnderfunded")
    world.succeed(alice, [pay(issuer, usd, 1_000n), trust(usd, 0n)])
  })

  it("burning works even if the issuer account was merged away, other payments too", () => {
    const { alice, bob, issuer, usd, world } = credit()
    world.succeed(issuer, [merge(bob)])
    world.succeed(alice, [pay(bob, usd, 10n), pay(issuer, usd, 10n)])
    assert.strictEqual(world.line(alice, usd)?.balance, 1_980n)
  })

  it("authorize flag", () => {
    const { alice, bob, issuer, usd, world } = credit()
    world.succeed(issuer, [setOptions({ setFlags: 3 })])
    world.succeed(issuer, [setLineFlags(alice, usd, 0, 1)])
    assert.strictEqual(codeAt(world.apply(alice, [pay(bob, usd, 1n)])), "paymentSrcNotAuthorized")
    assert.strictEqual(codeAt(world.apply(alice, [pay(issuer, usd, 1n)])), "paymentSrcNotAuthorized", "nor to the issuer")
    assert.strictEqual(codeAt(world.apply(issuer, [pay(alice, usd, 1n)])), "paymentNotAuthorized")
    world.succeed(issuer, [setLineFlags(alice, usd, 2, 0)])
    assert.strictEqual(codeAt(world.apply(alice, [pay(bob, usd, 1n)])), "paymentSrcNotAuthorized")
    world.succeed(issuer, [setLineFlags(alice, usd, 1, 2)])
    world.succeed(alice, [pay(bob, usd, 1n)])
  })

  it("send to self: native is instant, credit needs the line, its room and its funds", () => {
    const { alice, bob, issuer, usd, world } = credit()
    const eur = assetOf(issuer, "EUR")
    world.succeed(alice, [pay(alice, xlm, int64Max)])
    assert.strictEqual(codeAt(world.apply(alice, [pay(alice, eur, 1n)])), "paymentNoTrust")
    world.succeed(alice, [pay(alice, usd, 2_000n)])
    world.succeed(alice, [pay(bob, usd, 1_000n)])
    assert.strictEqual(codeAt(world.apply(bob, [pay(bob, usd, 1n)])), "paymentLineFull", "the destination is credited first")
  })

  it("issuer to itself", () => {
    const { issuer, usd, world } = credit()
    world.succeed(issuer, [pay(issuer, usd, int64Max)])
  })

  it("liabilities bind both ends", () => {
    const { alice, bob, issuer, usd, world } = credit()
    world.succeed(alice, [sell(usd, xlm, 1_500n, price(1, 1))])
    assert.strictEqual(codeAt(world.apply(alice, [pay(issuer, usd, 501n)])), "paymentUnderfunded")
    world.succeed(alice, [pay(issuer, usd, 500n)])
    world.succeed(bob, [buy(xlm, usd, 600n, price(1, 10))])
    assert.strictEqual(codeAt(world.apply(issuer, [pay(bob, usd, 401n)])), "paymentLineFull")
    world.succeed(issuer, [pay(bob, usd, 400n)])
  })

  it("dest amount too big for native asset", () => {
    const { alice, bob, world } = credit()
    world.setBalance(bob, int64Max - 9n)
    assert.strictEqual(codeAt(world.apply(alice, [pay(bob, xlm, 10n)])), "paymentLineFull")
    world.succeed(alice, [pay(bob, xlm, 9n)])
  })

  const ladder: ReadonlyArray<readonly [string, bigint, boolean]> = [
    ["reserve and the fee less one stroop", 3n * baseReserve + baseFee - 1n, false],
    ["reserve and the fee", 3n * baseReserve + baseFee, true]
  ]
  for (const [name, balance, isPayable] of ladder) {
    it(`fee less than base reserve: ${name}`, () => {
      const { alice, world } = credit()
      world.setBalance(alice, balance)
      assert.deepStrictEqual(world.check(alice, [pay(alice, xlm, 1n)]), isPayable ? null : ["txInsufficientBalance"])
    })
  }

  it("a fee takes what there is when the balance falls short in the ledger", () => {
    const { alice, bob, world } = credit()
    const two = [
      world.envelope(alice, [pay(bob, xlm, 1n)]),
      world.envelope(alice, [pay(bob, xlm, 1n)], { seqNum: world.get(alice).seqNum + 2n })
    ]
    world.setBalance(alice, baseFee + 30n)
    const applied = world.close(...two)
    assert.deepStrictEqual(applied.map(({ feeCharged }) => feeCharged), [baseFee, 30n])
    assert.deepStrictEqual(applied.map((each) => codesOf(each)[0]), ["txInsufficientBalance", "txInsufficientBalance"])
    assert.strictEqual(world.get(alice).balance, 0n)
  })
})

describe("create account", () => {
  it("already exists, self, negative, low reserve, underfunded", () => {
    const { alice, bob, world } = credit()
    const fresh = Keypair.random()
    assert.strictEqual(codeAt(world.apply(alice, [createAccount(bob, 2n * baseReserve)])), "createAccountAlreadyExist")
    assert.deepStrictEqual(world.check(alice, [createAccount(alice, 2n * baseReserve)]), ["txFailed", "createAccountMalformed"])
    assert.deepStrictEqual(world.check(alice, [createAccount(fresh, -1n)]), ["txFailed", "createAccountMalformed"])
    assert.strictEqual(codeAt(world.apply(alice, [createAccount(fresh, 2n * baseReserve - 1n)])), "createAccountLowReserve")
    assert.strictEqual(codeAt(world.apply(alice, [createAccount(fresh, 10_000_000_000n)])), "createAccountUnderfunded")
    world.setBalance(alice, 5n * baseReserve + baseFee)
    assert.strictEqual(codeAt(world.apply(alice, [createAccount(fresh, 2n * baseReserve + 1n)])), "createAccountUnderfunded")
    world.setBalance(alice, 5n * baseReserve + baseFee)
    world.succeed(alice, [createAccount(fresh, 2n * baseReserve)])
  })

  it("from an account below its reserve, not even one that a sponsor pays for", () => {
    const { alice, bob, world } = credit()
    const fresh = Keypair.random()
    const steps = [[bob, begin(fresh)], [alice, createAccount(fresh, 0n)], [fresh, end()]] as const
    world.setBalance(alice, 3n * baseReserve - 1n)
    assert.strictEqual(codeAt(world.apply(bob, steps), 1), "createAccountUnderfunded")
    world.setBalance(alice, 3n * baseReserve)
    world.succeed(bob, steps)
  })

  it("starts at the ledger's sequence number with one master weight", () => {
    const { alice, world } = credit()
    const fresh = Keypair.random()
    world.succeed(alice, [createAccount(fresh, 2n * baseReserve)])
    const { balance, seqNum, thresholds } = world.get(fresh)
    assert.deepStrictEqual([balance, seqNum, [...thresholds.value]], [2n * baseReserve, BigInt(world.header.ledgerSeq) << 32n, [
      1,
      0,
      0,
      0
    ]])
  })
})
