import { assert, describe, it } from "@effect/vitest"
import { Keypair } from "@stellar/stellar-sdk"
import { assumed, isMemoLacking, withLumens, withoutLent } from "../../src/close/project/LiftedBlockers.ts"
import { AccountAddress } from "../../src/domain/Address.ts"
import { blocker } from "../../src/domain/Blocker.ts"
import { MemoRequired } from "../../src/domain/failure/Planning.ts"
import { World } from "../ledger/support/World.ts"

const lacksMemo = { failure: new MemoRequired({ memoType: "text" }), shown: blocker("memo_required", "It needs a memo.") }
const closed = { failure: null, shown: blocker("destination_unusable", "It is closed.") }

describe("blockers that a projection assumes to be lifted", () => {
  it("are a required memo and lent lumens, each in words", () => {
    assert.deepStrictEqual([lacksMemo, closed].map(isMemoLacking), [true, false])
    const memo = "The close is projected as if the request had the required memo."
    const lumens = "The close is projected as if the account had been sent 2.5000000 lumens. The amounts that arrive do not include them."
    assert.deepStrictEqual([assumed([closed], 0n), assumed([closed, lacksMemo], 0n), assumed([lacksMemo], 25_000_000n)], [[], [memo], [
      memo,
      lumens
    ]])
  })

  it("adds lent lumens to the account and to no other", () => {
    const world = new World()
    const [source, other] = [world.account(1_000n), world.account(1_000n)]
    const lent = withLumens(world.state, AccountAddress.make(source.publicKey()), 7n)
    world.state = lent
    assert.deepStrictEqual([world.get(source).balance, world.get(other).balance], [1_007n, 1_000n])
    assert.strictEqual(withLumens(lent, AccountAddress.make(Keypair.random().publicKey()), 7n), lent)
  })

  it("does not count lent lumens as received", () => {
    assert.deepStrictEqual([withoutLent(10n, 0n), withoutLent(10n, 4n), withoutLent(10n, 10n), withoutLent(10n, 11n)], [10n, 6n, 0n, 0n])
  })
})
