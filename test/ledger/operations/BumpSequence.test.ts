import { assert, describe, it } from "@effect/vitest"
import { extensionsOf } from "../../../src/ledger/entries/Account.ts"
import { int64Max } from "../../../src/ledger/Int64.ts"
import { bump, pay, xlm } from "../support/Bodies.ts"
import { World } from "../support/World.ts"

const one = () => {
  const world = new World()
  return { world, account: world.account() }
}

describe("bump sequence", () => {
  it("bad seq", () => {
    const { account, world } = one()
    assert.deepStrictEqual(world.check(account, [bump(-1n)]), ["txFailed", "bumpSequenceBadSeq"])
  })

  it("small and large bump, to the end of all numbers", () => {
    const { account, world } = one()
    for (const target of [world.get(account).seqNum + 2n, world.get(account).seqNum + 1_000n, int64Max]) {
      world.succeed(account, [bump(target)])
      assert.strictEqual(world.get(account).seqNum, target)
    }
    assert.deepStrictEqual(world.check(account, [pay(account, xlm, 1n)], { seqNum: int64Max }), ["txBadSeq"])
  })

  it("backward jump: no-op, though it marks the time of another's account", () => {
    const { account, world } = one()
    const other = world.account()
    const before = world.get(other).seqNum
    world.succeed(account, [[other, bump(1n)]])
    assert.strictEqual(world.get(other).seqNum, before)
    assert.strictEqual(extensionsOf(world.get(other)).sequence?.seqLedger, world.header.ledgerSeq)
  })
})
