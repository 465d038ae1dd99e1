import { assert, describe, it } from "@effect/vitest"
import { dryCheck, dryRun } from "../../src/close/project/DryRun.ts"
import { setData } from "../ledger/support/Bodies.ts"
import { baseFee, baseReserve, codesOf, networkPassphrase, World } from "../ledger/support/World.ts"

/** An account that may spend so many stroops, and what it would send. */
const scene = (above: bigint) => {
  const world = new World()
  const source = world.account()
  world.succeed(source, [setData("a", "1")])
  world.setBalance(source, 3n * baseReserve + above)
  const envelope = world.envelope(source, [setData("a", null)], { signers: [] })
  world.next()
  return { envelope, source, world }
}

describe("a dry run", () => {
  it("takes the fee of the account itself, and no signature is asked for", () => {
    const { envelope, source, world } = scene(baseFee)
    const { balance } = world.get(source)
    const { broken, feeCharged, result, state } = dryRun(world.state, envelope, "source", networkPassphrase)
    assert.deepStrictEqual([codesOf({ result }), feeCharged, broken()], [["txSuccess", "manageDataSuccess"], baseFee, []])
    world.state = state
    assert.deepStrictEqual([world.hasData(source, "a"), world.get(source).balance], [false, balance - baseFee])
  })

  it("leaves no trace of who pays the fee in its place", () => {
    const { source, world } = scene(0n)
    const [before, { balance }] = [Array.from(world.state.entries()).length, world.get(source)]
    const bare = world.envelope(source, [setData("a", null)], { signers: [], fee: 0n })
    const { feeCharged, result, state } = dryRun(world.state, bare, "fee_bump", networkPassphrase)
    assert.deepStrictEqual([codesOf({ result }), feeCharged], [["txFeeBumpInnerSuccess", "txSuccess", "manageDataSuccess"], 0n])
    world.state = state
    assert.deepStrictEqual([Array.from(state.entries()).length, world.get(source).balance], [before - 1, balance])
  })

  it("is checked by the same rules", () => {
    const { envelope, world } = scene(baseFee - 1n)
    const told = (["source", "fee_bump"] as const).map((feePayer) => dryCheck(world.state, envelope, feePayer, networkPassphrase))
    assert.deepStrictEqual(told.map((result) => (result === null ? null : codesOf({ result }))), [["txInsufficientBalance"], null])
  })
})
