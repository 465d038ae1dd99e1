import { assert, describe, it } from "@effect/vitest"
import { type Keypair, xdr } from "@stellar/stellar-sdk"
import { Draft } from "../../src/ledger/Draft.ts"
import { FrozenKeys } from "../../src/ledger/Frozen.ts"
import { tryOperations } from "../../src/ledger/Run.ts"
import { accountKey } from "../../src/xdr/LedgerKeys.ts"
import { assetOf, bump, claimant, merge, pay, price, sell, setApart, setData, strictSend, trust, xlm } from "./support/Bodies.ts"
import { freeze } from "./support/Freezing.ts"
import { baseFee, baseReserve, idOf, World } from "./support/World.ts"

const operations = (bodies: ReadonlyArray<xdr.OperationBody>) => bodies.map((body) => new xdr.Operation({ sourceAccount: null, body }))

/** Tries operations on the next ledger of a world, as a planner does. */
const tried = (world: World, source: Keypair, bodies: ReadonlyArray<xdr.OperationBody>) => {
  world.next()
  const draft = Draft.of(world.state)
  const outcome = tryOperations(draft, idOf(source), operations(bodies), FrozenKeys.of(draft))
  return { outcome, state: draft.toState() }
}

const scene = () => {
  const world = new World()
  const [account, other] = [world.account(), world.account()]
  return { world, account, other, usd: assetOf(other) }
}

type Scene = ReturnType<typeof scene>

describe("operations that are tried", () => {
  it("do what a transaction of them does, ids included, and leave the sequence number", () => {
    const { account, other, usd, world } = scene()
    world.succeed(other, [sell(usd, xlm, 100n, price(2, 1))])
    const bodies = [trust(usd), setApart(xlm, 7n, claimant(other)), pay(other, xlm, 3n), strictSend(account, xlm, 20n, usd, 10n)]
    const { outcome, state } = tried(world, account, bodies)
    assert.strictEqual(outcome.code, "txSuccess")
    const before = world.get(account).seqNum
    const applied = world.succeed(account, bodies)
    const [ours, theirs] = [state, applied.state].map((one) =>
      Array.from(one.entries(), ({ data }) => (data.type === "account" ? data.account.balance : data.toXdr("base64")))
    )
    assert.deepStrictEqual(ours, theirs)
    const found = state.get(accountKey(account.publicKey()))?.data
    assert.strictEqual(found?.type === "account" ? found.account.seqNum : null, before)
  })

  it("may merge the account", () => {
    const { account, other, world } = scene()
    const { outcome, state } = tried(world, account, [merge(other)])
    assert.strictEqual(outcome.code, "txSuccess")
    assert.isUndefined(state.get(accountKey(account.publicKey())))
  })

  it("fail as those of a transaction do", () => {
    const { account, other, usd, world } = scene()
    const { outcome } = tried(world, account, [setData("a", "1"), pay(other, usd, 1n)])
    assert.deepStrictEqual(
      "operations" in outcome ? outcome.operations.map((one) => one.type === "opInner" && one.tr.value.type) : outcome,
      [
        "manageDataSuccess",
        "paymentSrcNoTrust"
      ]
    )
  })

  const rejections: Readonly<Record<string, (made: Scene) => ReadonlyArray<xdr.OperationBody>>> = {
    "txNoAccount": ({ account, other, world }) => {
      world.succeed(account, [merge(other)])
      return [bump(0n)]
    },
    "txMissingOperation": () => [],
    "txFrozenKeyAccessed": ({ other, world }) => {
      freeze(world, accountKey(other.publicKey()))
      return [bump(0n), pay(other, xlm, 1n)]
    },
    "txInsufficientBalance": ({ account, world }) => {
      world.setBalance(account, 2n * baseReserve + 2n * baseFee - 1n)
      return [bump(0n), bump(0n)]
    }
  }
  for (const [code, prepare] of Object.entries(rejections)) {
    it(`are rejected as a transaction is: ${code}`, () => {
      const made = scene()
      const bodies = prepare(made)
      const { outcome } = tried(made.world, made.account, bodies)
      assert.deepStrictEqual<unknown>(outcome, { code })
    })
  }

  it("may cost all that is above the reserve", () => {
    const { account, world } = scene()
    world.setBalance(account, 2n * baseReserve + 2n * baseFee)
    const { outcome, state } = tried(world, account, [bump(0n), bump(0n)])
    assert.strictEqual(outcome.code, "txSuccess")
    const found = state.get(accountKey(account.publicKey()))?.data
    assert.strictEqual(found?.type === "account" ? found.account.balance : null, 2n * baseReserve)
  })

  it("do not hide a defect behind the ledger's own internal error", () => {
    const { account, world } = scene()
    assert.throws(() => tried(world, account, [{ type: "none of the ledger's" } as never]), TypeError)
  })
})
