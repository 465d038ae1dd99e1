import { assert } from "@effect/vitest"
import { Keypair, Memo, Operation, type xdr } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { fund, perform } from "../../src/sandbox/scenarios/Scenario.ts"
import { accountKey } from "../../src/xdr/LedgerKeys.ts"
import { layer } from "../support/Layered.ts"
import { Pair } from "./support/Accounts.ts"
import { coSign, offered, refusal, submit } from "./support/Client.ts"
import { acknowledged } from "./support/Judged.ts"
import { accountOf, lumensOf } from "./support/LedgerView.ts"
import { exchanges, lumensAt } from "./support/Mediated.ts"
import { feeBumped, merging } from "./support/Outsiders.ts"
import { Service } from "./support/Service.ts"
import { signed } from "./support/Signing.ts"

const alone = { excludeTestServices: true } as const

const changed = (subject: string, current: string) => ({
  status: 409,
  code: "plan_changed",
  details: { planHash: null, changes: [{ kind: "destination", subject, current }] },
  retry: "replan",
  retryAfter: null
})

const asksForMemos = Operation.manageData({ name: "config.memo_required", value: "1" })
const locked = Operation.setOptions({ masterWeight: 0 })
const gone = (heir: Keypair) => Operation.accountMerge({ destination: heir.publicKey() })

layer(Service.layer(), alone)("a signed merge whose destination", (it) => {
  const after = (name: string, current: string, change: (heir: Keypair) => xdr.Operation) =>
    it.effect(`${name} is plan_changed, and nothing is sent`, () =>
      Effect.gen(function*() {
        const { on } = yield* Service
        const { destination, source } = yield* on(Pair())
        const { source: heir } = yield* on(Pair())
        const envelope = yield* signed(yield* offered(acknowledged(source, destination)), source)
        yield* on(perform(name, { as: destination, operations: [change(heir)] }))
        assert.deepStrictEqual(yield* refusal("submit", { signedXdr: envelope }), changed(destination.publicKey(), current))
        assert.isNotNull(yield* accountOf(source))
      }))

  after("asks for a memo now", "memo_required", () => asksForMemos)
  after("can never pay again now", "locked", () => locked)
  after("is gone now", "missing", gone)

  it.effect("is an exchange that credits no merges is plan_changed, and so is the mediator itself", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { source } = yield* on(Pair())
      const { merges, payments } = yield* exchanges
      const { source: other } = yield* on(Pair())
      const { intent } = yield* offered({ source: other.publicKey(), destination: payments, memo: "customer 42" })
      const mediator = intent.guarantees.mergeDestination ?? ""
      const refused: ReadonlyArray<readonly [envelope: string, ReturnType<typeof changed>]> = [
        [yield* merging(source, payments, { memo: Memo.text("customer 42") }), changed(payments, "listed")],
        [yield* merging(source, mediator), changed(mediator, "mediator")],
        [yield* merging(source, merges), changed(merges, "memo_required")],
        [yield* merging(source, merges, { memo: Memo.text("42") }), changed(merges, "memo_required")]
      ]
      for (const [signedXdr, expected] of refused) assert.deepStrictEqual(yield* refusal("submit", { signedXdr }), expected)
      yield* submit(yield* merging(source, merges, { memo: Memo.id("42") }))
      assert.isNull(yield* accountOf(source))
    }))

  it.effect("is created in the same transaction goes through; creating another account excuses nothing", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { destination, source } = yield* on(Pair())
      yield* on(perform("a memo is asked for", { as: destination, operations: [asksForMemos] }))
      const heir = Keypair.random()
      const before = [Operation.createAccount({ destination: heir.publicKey(), startingBalance: "5" })]
      const elsewhere = yield* merging(source, destination.publicKey(), { before })
      assert.deepStrictEqual(
        yield* refusal("submit", { signedXdr: elsewhere }),
        changed(destination.publicKey(), "memo_required")
      )
      yield* submit(yield* merging(source, heir.publicKey(), { before }))
      assert.deepStrictEqual([yield* accountOf(source), yield* lumensOf(heir)], [null, 100_0000000n - 200n])
    }))

  it.effect("asks for a memo goes through with one", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { destination, source } = yield* on(Pair())
      yield* on(perform("a memo is asked for", { as: destination, operations: [asksForMemos] }))
      yield* submit(yield* merging(source, destination.publicKey(), { memo: Memo.text("42") }))
      assert.isNull(yield* accountOf(source))
    }))

  it.effect("has not changed goes through, once and again", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { destination, source } = yield* on(Pair())
      const envelope = yield* signed(yield* offered(acknowledged(source, destination)), source)
      const first = yield* submit(envelope)
      yield* on(perform("a memo is asked for afterwards", { as: destination, operations: [asksForMemos] }))
      assert.deepStrictEqual(yield* submit(envelope), first)
    }))
})

const former = [Keypair.random(), Keypair.random()]

layer(Service.layer({ TESTNET_MEDIATOR_FORMER: former.map((one) => one.publicKey()).join(",") }), alone)(
  "a signed merge where the mediator's key was changed",
  (it) => {
    it.effect("is plan_changed into each address that the mediator has or had, and goes through into another", () =>
      Effect.gen(function*() {
        const { on } = yield* Service
        yield* on(fund("100", ...former))
        const { destination, source } = yield* on(Pair())
        const { payments } = yield* exchanges
        const { source: other } = yield* on(Pair())
        const { intent } = yield* offered({ source: other.publicKey(), destination: payments, memo: "customer 42" })
        for (const address of [intent.guarantees.mergeDestination ?? "", ...former.map((one) => one.publicKey())]) {
          const signedXdr = yield* merging(source, address)
          assert.deepStrictEqual(yield* refusal("submit", { signedXdr }), changed(address, "mediator"))
        }
        assert.isNotNull(yield* accountOf(source))
        yield* submit(yield* merging(source, destination.publicKey()))
        assert.isNull(yield* accountOf(source))
      }))
  }
)

layer(Service.layer(), alone)("a signed merge into an exchange's address that it creates", (it) => {
  it.effect("is plan_changed, as for one that exists", () =>
    Effect.gen(function*() {
      const { on, sandbox } = yield* Service
      const { source } = yield* on(Pair())
      const { merges, payments } = yield* exchanges
      yield* sandbox.amend((state) => state.delete([accountKey(merges), accountKey(payments)]))
      const into = (destination: string) =>
        merging(source, destination, { before: [Operation.createAccount({ destination, startingBalance: "5" })] })
      for (const [address, problem] of [[merges, "memo_required"], [payments, "listed"]] as const) {
        assert.deepStrictEqual(yield* refusal("submit", { signedXdr: yield* into(address) }), changed(address, problem))
      }
      assert.isNotNull(yield* accountOf(source))
    }))
})

layer(Service.layer(), alone)("a mediated close at submit", (it) => {
  const scene = Effect.gen(function*() {
    const { on } = yield* Service
    const { destination: payer, source } = yield* on(Pair())
    const { payments } = yield* exchanges
    const transaction = yield* offered({ source: source.publicKey(), destination: payments, memo: "customer 42" })
    return { source, payer, payments, xdr: yield* coSign(transaction.xdr) }
  })

  it.effect("in a fee bump is invalid_transaction, and goes through without it", () =>
    Effect.gen(function*() {
      const { payer, payments, source, xdr } = yield* scene
      const bump = yield* feeBumped({ xdr }, [source], payer)
      const { code, details, status } = yield* refusal("submit", { signedXdr: bump })
      assert.deepStrictEqual([status, code], [400, "invalid_transaction"])
      assert.match(String(details["reason"]), /Submit it without the fee bump\.$/)
      const before = yield* lumensAt(payments)
      yield* submit(yield* signed({ xdr }, source))
      assert.strictEqual((yield* lumensAt(payments)) - before, 100_0000000n - 200n)
    }))

  it.effect("whose exchange is gone is plan_changed", () =>
    Effect.gen(function*() {
      const { sandbox } = yield* Service
      const { payments, source, xdr } = yield* scene
      const signedXdr = yield* signed({ xdr }, source)
      yield* sandbox.amend((state) => state.delete([accountKey(payments)]))
      assert.deepStrictEqual(yield* refusal("submit", { signedXdr }), changed(payments, "missing"))
      assert.isNotNull(yield* accountOf(source))
    }))
})
