import { assert, describe, it } from "@effect/vitest"
import { Keypair } from "@stellar/stellar-sdk"
import { isMemoLacking, presumed, withLumens, withoutLent } from "../../src/close/project/Presumptions.ts"
import { AccountAddress } from "../../src/domain/Address.ts"
import { blocker } from "../../src/domain/Blocker.ts"
import { MemoRequired } from "../../src/domain/failure/Planning.ts"
import { World } from "../ledger/support/World.ts"

const lacksMemo = { failure: new MemoRequired({ memoType: "text" }), shown: blocker("memo_required", "It needs a memo.") }
const closed = { failure: null, shown: blocker("destination_unusable", "It is closed.") }

describe("what a projection takes for granted", () => {
  it("is a memo that is required, and lumens that are lent, each in words", () => {
    assert.deepStrictEqual([lacksMemo, closed].map(isMemoLacking), [true, false])
    const memo = "The close is projected as if the request had the required memo."
    const lumens = "The close is projected as if the account had been sent 2.5000000 lumens. The amounts that arrive do not include them."
    assert.deepStrictEqual([presumed([closed], 0n), presumed([closed, lacksMemo], 0n), presumed([lacksMemo], 25_000_000n)], [[], [memo], [
      memo,
      lumens
    ]])
  })

  it("is a ledger on which the account has what it is lent, and no other does", () => {
    const world = new World()
    const [source, other] = [world.account(1_000n), world.account(1_000n)]
    const lent = withLumens(world.state, AccountAddress.make(source.publicKey()), 7n)
    world.state = lent
    assert.deepStrictEqual([world.get(source).balance, world.get(other).balance], [1_007n, 1_000n])
    assert.strictEqual(withLumens(lent, AccountAddress.make(Keypair.random().publicKey()), 7n), lent)
  })

  it("does not arrive", () => {
    assert.deepStrictEqual([withoutLent(10n, 0n), withoutLent(10n, 4n), withoutLent(10n, 10n), withoutLent(10n, 11n)], [10n, 6n, 0n, 0n])
  })
})
