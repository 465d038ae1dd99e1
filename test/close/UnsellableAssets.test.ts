import { assert } from "@effect/vitest"
import { Asset, Keypair, Operation } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { fund, perform } from "../../src/sandbox/scenarios/Scenario.ts"
import { layer } from "../support/Layered.ts"
import { Buyer, Issued, Pair } from "./support/Accounts.ts"
import { acknowledges, echo, pointOf } from "./support/Answering.ts"
import { type Answer, offered, plan, type PlanBody, refusal } from "./support/Client.ts"
import { closeThrough } from "./support/CloseLoop.ts"
import { Service } from "./support/Service.ts"

const group = "assets:unsellable"

const decisionOf = (asset: Asset): string => `asset:${asset.getCode()}-${asset.getIssuer()}`

/** An account that holds ten units of each of some assets without buyers. */
const Holder = (...codes: ReadonlyArray<string>) =>
  Effect.gen(function*() {
    const { destination, source } = yield* Pair()
    const assets = yield* Effect.forEach(codes, (code) => Effect.map(Issued(code, [source, "10"]), ({ asset }) => asset))
    return { source, destination, assets, request: { source: source.publicKey(), destination: destination.publicKey() } }
  })

const required = ({ decisionPoints }: PlanBody): ReadonlyArray<string> =>
  decisionPoints.flatMap(({ answered, id, required: must }) => (must && !answered ? [id] : []))

/** Codes of the assets that a transaction returns to their issuers. */
const returned = ({ intent }: Effect.Effect.Success<ReturnType<typeof offered>>): ReadonlyArray<string> =>
  intent.operations.flatMap((operation) => (operation.type === "payment" ? [operation.asset.split(":")[0] ?? ""] : []))

layer(Service.layer(), { excludeTestServices: true })("several assets that nobody buys", (it) => {
  it.effect("are returned by one answer, which names them and is no default", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { assets, destination, request, source } = yield* on(Holder("ONE", "TWO", "THREE"))
      const asked = yield* plan(request)
      const point = pointOf(asked, group)
      const ids = assets.map(decisionOf).toSorted()
      assert.deepInclude(point, { type: "assets", default: null, required: false, answered: false })
      assert.deepStrictEqual(point.options.map(({ effect, id, needs, params }) => ({ effect, id, needs, params })), [
        { effect: "destroys", id: "return_to_issuer", needs: [], params: { ids, maxCount: 3 } }
      ])
      assert.sameMembers(point.options[0]?.loses?.map(({ amount, symbol }) => `${amount} ${symbol}`) ?? [], [
        "10.0000000 ONE",
        "10.0000000 TWO",
        "10.0000000 THREE"
      ])
      assert.includeMembers([...required(asked)], ids)
      const decisions = [acknowledges(destination.publicKey()), echo(point, "return_to_issuer")]
      const ready = yield* plan({ ...request, decisions })
      assert.strictEqual(ready.status, "ready")
      assert.deepStrictEqual([pointOf(ready, group).answered, ready.unusedDecisions], [true, []])
      assert.isFalse(ready.decisionPoints.some(({ type }) => type === "asset"))
      const { rounds } = yield* closeThrough({ source, destination, decisions })
      assert.sameMembers([...returned(rounds[0]!.transactions[0]!)], ["ONE", "TWO", "THREE"])
    }))

  it.effect("are asked about one by one where there is only one, and each keeps the answer of its own", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const alone = yield* on(Holder("ONE"))
      assert.isFalse((yield* plan(alone.request)).decisionPoints.some(({ id }) => id === group))
      const { assets: [one, two], destination, request } = yield* on(Holder("ONE", "TWO"))
      const { source: friend } = yield* on(Pair())
      yield* on(perform("a line", { as: friend, operations: [Operation.changeTrust({ asset: one! })] }))
      const asked = yield* plan(request)
      const moved = echo(pointOf(asked, decisionOf(one!)), "transfer_to_account", { destination: friend.publicKey() })
      const decisions = [
        acknowledges(destination.publicKey()),
        acknowledges(friend.publicKey()),
        moved,
        echo(pointOf(asked, group), "return_to_issuer")
      ]
      const built = yield* offered({ ...request, decisions })
      const to = built.intent.operations.flatMap((operation) => (operation.type === "payment" ? [operation.destination] : []))
      assert.sameMembers(to, [friend.publicKey(), two!.getIssuer()])
    }))

  it.effect("that the answer does not name, or for which it has no room, are not returned", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { assets, destination, request, source } = yield* on(Holder("ONE", "TWO"))
      const answer = echo(pointOf(yield* plan(request), group), "return_to_issuer")
      const own = acknowledges(destination.publicKey())
      const short: Answer = { ...answer, params: { ...answer.params, maxCount: 1 } }
      const [, last] = assets.map(decisionOf).toSorted()
      const missing = yield* refusal("next", { ...request, decisions: [own, short] })
      assert.deepInclude(missing, { status: 422, code: "needs_decisions" })
      assert.deepStrictEqual(missing.details["missing"], [last])
      // A stranger's later asset is none of the named ones.
      const { asset: third } = yield* on(Issued("THREE", [source, "10"]))
      const unnamed = yield* refusal("next", { ...request, decisions: [own, answer] })
      assert.deepInclude(unnamed, { status: 422, code: "needs_decisions" })
      assert.deepStrictEqual(unnamed.details["missing"], [decisionOf(third)])
      const malformed = yield* refusal("plan", {
        ...request,
        decisions: [{ id: group, choice: "return_to_issuer", params: { maxCount: 2 } }]
      })
      assert.deepInclude(malformed, { status: 400, code: "invalid_decisions" })
    }))

  it.effect("are not returned once somebody buys one of them: it is asked about alone", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { assets: [one, two], destination, request } = yield* on(Holder("ONE", "TWO"))
      const asked = yield* plan(request)
      const decisions = [acknowledges(destination.publicKey()), echo(pointOf(asked, group), "return_to_issuer")]
      const ready = yield* plan({ ...request, decisions })
      yield* on(Buyer(one!, "1000", "2"))
      for (const withHash of [{}, { planHash: ready.planHash }]) {
        const bought = yield* refusal("next", { ...request, decisions, ...withHash })
        assert.deepInclude(bought, { status: 422, code: "needs_decisions" })
        assert.deepStrictEqual(bought.details["missing"], [decisionOf(one!)])
      }
      const again = yield* plan({ ...request, decisions })
      assert.deepStrictEqual([again.status, required(again)], ["needs_decisions", [decisionOf(one!)]])
      const sale = echo(pointOf(again, decisionOf(one!)), "convert_to_native")
      const built = yield* offered({ ...request, decisions: [...decisions, sale] })
      assert.deepStrictEqual(returned(built), ["TWO"])
      assert.isTrue(built.intent.operations.some(({ type }) => type === "path_payment_strict_send"))
      assert.strictEqual((yield* plan({ ...request, decisions: [...decisions, sale] })).status, "ready")
      assert.isString(two?.getIssuer())
    }))

  it.effect("are returned in as many transactions as it takes, each from the same answer", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { destination, source } = yield* on(Pair())
      const issuer = Keypair.random()
      yield* on(fund("100", issuer))
      const assets = Array.from({ length: 60 }, (_, index) => new Asset(`A${index}`, issuer.publicKey()))
      yield* on(perform("sixty lines", { as: source, operations: assets.map((asset) => Operation.changeTrust({ asset })) }))
      yield* on(
        perform("a payment of each", {
          as: issuer,
          operations: assets.map((asset) => Operation.payment({ asset, amount: "1", destination: source.publicKey() }))
        })
      )
      const asked = yield* plan({ source: source.publicKey(), destination: destination.publicKey() })
      const decisions = [acknowledges(destination.publicKey()), echo(pointOf(asked, group), "return_to_issuer")]
      const { received, rounds } = yield* closeThrough({ source, destination, decisions })
      assert.lengthOf(rounds, 2)
      assert.sameMembers(rounds.flatMap(({ transactions: [one] }) => returned(one!)), assets.map((asset) => asset.getCode()))
      assert.isAbove(Number(received), 99_0000000)
    }))

  it.effect("leave the answer unused where nothing that it names is there", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { destination, request } = yield* on(Holder())
      const issuer = Keypair.random()
      yield* on(fund("10", issuer))
      const answer: Answer = { id: group, choice: "return_to_issuer", params: { ids: [`asset:GONE-${issuer.publicKey()}`], maxCount: 1 } }
      const ready = yield* plan({ ...request, decisions: [acknowledges(destination.publicKey()), answer] })
      assert.deepStrictEqual([ready.status, ready.unusedDecisions], ["ready", [group]])
    }))
})
