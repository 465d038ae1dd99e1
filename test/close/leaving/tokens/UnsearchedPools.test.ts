import { assert } from "@effect/vitest"
import { Asset, Claimant, Keypair, Operation } from "@stellar/stellar-sdk"
import { Array as Arr, Effect } from "effect"
import { Amm1Market } from "../../../../src/sandbox/scenarios/Amm1Market.ts"
import { fund, perform } from "../../../../src/sandbox/scenarios/Scenario.ts"
import { laterLedger } from "../../../sandbox/contracts/ProtocolsServed.ts"
import { layer } from "../../../support/Layered.ts"
import { isThorough } from "../../../support/Thorough.ts"
import { acknowledges, echo, pointOf } from "../../support/Answering.ts"
import { type Answer, next, offered, plan, type PlanBody, refusal } from "../../support/Client.ts"
import { lumensOf } from "../../support/LedgerView.ts"
import { Service } from "../../support/Service.ts"
import { tokensService } from "./support/DeclaredTokens.ts"
import { closed } from "./support/Holder.ts"

const group = "assets:unsellable"

const decisionOf = (asset: Asset): string => `asset:${asset.getCode()}-${asset.getIssuer()}`

/** An account with lines to an asset that only pools buy, and to this many that nothing buys. Nothing is on them yet. */
const Holder = (many: number) =>
  Effect.gen(function*() {
    const { on } = yield* Service
    const { issuer, native } = yield* on(Amm1Market)
    const [source, destination, stranger] = [Keypair.random(), Keypair.random(), Keypair.random()]
    yield* on(fund("1000", source, destination, stranger))
    const bought = new Asset("EURC", issuer.publicKey())
    const unbought = Array.from({ length: many }, (_, index) => new Asset(`A${String(index).padStart(3, "0")}`, stranger.publicKey()))
    const lines = [bought, ...unbought].map((asset) => Operation.changeTrust({ asset }))
    for (const some of Arr.chunksOf(lines, 100)) yield* on(perform("it trusts", { as: source, operations: some }))
    const emptied = Operation.manageSellOffer({ selling: bought, buying: native, amount: "6000", price: "9" })
    yield* on(perform("no offer buys it any more", { as: issuer, operations: [emptied] }))
    const paid = (amount: string) => (asset: Asset) => Operation.payment({ asset, amount, destination: source.publicKey() })
    const claimable = (amount: string) => (asset: Asset) =>
      Operation.createClaimableBalance({ asset, amount, claimants: [new Claimant(source.publicKey())] })
    const request = { source: source.publicKey(), destination: destination.publicKey() }
    const own = acknowledges(destination.publicKey())
    /** Pays one unit of each that nothing buys, and fifty of the other. */
    const fill = Effect.gen(function*() {
      for (const some of Arr.chunksOf(unbought.map(paid("1")), 100)) yield* on(perform("one of each", { as: stranger, operations: some }))
      yield* on(perform("fifty of the other", { as: issuer, operations: [paid("50")(bought)] }))
      yield* laterLedger
    })
    return { bought, claimable, destination, fill, issuer, own, paid, request, source, stranger, unbought }
  })

const idsOf = (asked: PlanBody): ReadonlyArray<string> => pointOf(asked, group).options[0]?.params?.ids ?? []

const quoteOf = (asked: PlanBody, id: string): string | undefined =>
  pointOf(asked, id).options.find((option) => option.id === "convert_through_contracts")?.quote?.receive

layer(tokensService(["amm_1"]), { excludeTestServices: true })(
  "an asset that only pools buy, among more than are searched at once",
  (it) => {
    it.effect.runIf(isThorough)(
      "is not returned with those without a buyer: once they are answered it has a quote",
      () =>
        Effect.gen(function*() {
          const { bought, destination, fill, own, request, source, unbought } = yield* Holder(404)
          yield* fill
          const id = decisionOf(bought)
          const asked = yield* plan(request)
          assert.deepStrictEqual(idsOf(asked), unbought.slice(0, 400).map(decisionOf))
          const unsearched = pointOf(asked, id).options.find((option) => option.id === "convert_through_contracts")
          assert.deepStrictEqual(
            [unsearched?.quote, unsearched?.recommended, unsearched?.needs, unsearched?.params],
            [undefined, undefined, ["minReceive"], { amount: "50.0000000" }]
          )
          assert.include(unsearched?.note, "plan again")
          // An answer that still names it burns none of it.
          const ids = [...unbought.map(decisionOf), id]
          const named: Answer = { id: group, choice: "return_to_issuer", params: { ids, maxCount: ids.length } }
          const refused = yield* refusal("next", { ...request, decisions: [own, named] })
          assert.deepStrictEqual([refused.code, refused.details["missing"]], ["needs_decisions", [id]])
          const told = yield* plan({ ...request, decisions: [own, named] })
          assert.deepStrictEqual([told.status, idsOf(told)], ["needs_decisions", unbought.map(decisionOf)])
          assert.isDefined(quoteOf(told, id))
          // Its owner may return it, by its own name.
          const alone = echo(pointOf(asked, id), "return_to_issuer")
          assert.strictEqual((yield* plan({ ...request, decisions: [own, named, alone] })).status, "ready")
          // The answer to the first point leaves room for the rest in the next plan.
          const later = yield* plan({ ...request, decisions: [own, echo(pointOf(asked, group), "return_to_issuer")] })
          assert.deepStrictEqual(idsOf(later), unbought.map(decisionOf))
          assert.strictEqual(quoteOf(later, id), quoteOf(told, id))
          const decisions = [own, echo(pointOf(later, group), "return_to_issuer"), echo(pointOf(later, id), "convert_through_contracts")]
          const before = yield* lumensOf(destination)
          const { covered } = yield* closed({ ...request, decisions }, source)
          assert.strictEqual(covered.at(-1)?.endsWith("MERGE"), true)
          assert.isAbove(Number((yield* lumensOf(destination)) - before), 550_0000000)
        })
    )
  }
)

layer(tokensService(["amm_1"]), { excludeTestServices: true })("an asset that no plan has quoted yet", (it) => {
  it.effect("may be sold at a price of its owner's own", () =>
    Effect.gen(function*() {
      const { bought, fill, own, request, unbought } = yield* Holder(400)
      yield* fill
      const asked = yield* plan(request)
      const id = decisionOf(bought)
      assert.deepStrictEqual(idsOf(asked), unbought.map(decisionOf))
      // An answer that names it anyway burns none of it.
      const ids = [...unbought.map(decisionOf), id]
      const named: Answer = { id: group, choice: "return_to_issuer", params: { ids, maxCount: ids.length } }
      const refused = yield* refusal("next", { ...request, decisions: [own, named] })
      assert.deepStrictEqual([refused.code, refused.details["missing"]], ["needs_decisions", [id]])
      const decisions = [
        own,
        echo(pointOf(asked, group), "return_to_issuer"),
        echo(pointOf(asked, id), "convert_through_contracts", { minReceive: "400" })
      ]
      assert.strictEqual((yield* plan({ ...request, decisions })).status, "ready")
      const { transactions: [sale] } = yield* next({ ...request, decisions })
      assert.deepStrictEqual(sale?.covers, ["HANDLE_TOKENS"])
    }))
})

layer(tokensService(["amm_1"]), { excludeTestServices: true })("an asset that only pools buy, and of which claims bring more", (it) => {
  it.effect("is decided by itself, while those without a buyer are returned together, with their claims", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { bought, claimable, issuer, own, paid, request, stranger, unbought } = yield* Holder(2)
      yield* on(perform("some is paid, more can be claimed", { as: issuer, operations: [paid("1")(bought), claimable("49")(bought)] }))
      yield* on(perform("of the others too", {
        as: stranger,
        operations: unbought.flatMap((asset) => [paid("1")(asset), claimable("9")(asset)])
      }))
      yield* laterLedger
      const id = decisionOf(bought)
      const asked = yield* plan(request)
      const claims = asked.decisionPoints.filter(({ type }) => type === "claim").map((point) => echo(point, "claim"))
      assert.lengthOf(claims, 3)
      assert.deepStrictEqual(idsOf(asked), unbought.map(decisionOf))
      const { options, subject } = pointOf(asked, id)
      assert.isTrue(subject.startsWith("50.0000000"), subject)
      assert.include(options.find((option) => option.id === "return_to_issuer")?.note, "Pools of protocols may buy it")
      const ids = [...unbought.map(decisionOf), id]
      const named: Answer = { id: group, choice: "return_to_issuer", params: { ids, maxCount: ids.length } }
      const refused = yield* refusal("next", { ...request, decisions: [own, ...claims, named] })
      assert.deepStrictEqual([refused.code, refused.details["missing"]], ["needs_decisions", [id]])
      assert.strictEqual((yield* plan({ ...request, decisions: [own, ...claims, named] })).status, "needs_decisions")
      const alone = echo(pointOf(asked, id), "return_to_issuer")
      const { intent } = yield* offered({ ...request, decisions: [own, ...claims, named, alone] })
      assert.sameMembers(intent.operations.flatMap((one) => (one.type === "payment" ? [one.amount] : [])), [
        "50.0000000",
        "10.0000000",
        "10.0000000"
      ])
    }))
})

const protocols = [["no protocol", []], ["a protocol without pools", ["lend_1"]]] as const

for (const [what, names] of protocols) {
  layer(tokensService(names), { excludeTestServices: true })(`many assets that nothing buys, and ${what}`, (it) => {
    it.effect("are all returned by one answer", () =>
      Effect.gen(function*() {
        const { on } = yield* Service
        const [source, destination, stranger] = [Keypair.random(), Keypair.random(), Keypair.random()]
        yield* on(fund("100", source, destination, stranger))
        const assets = Array.from({ length: 24 }, (_, index) => new Asset(`A${String(index).padStart(2, "0")}`, stranger.publicKey()))
        yield* on(perform("lines", { as: source, operations: assets.map((asset) => Operation.changeTrust({ asset })) }))
        const payments = assets.map((asset) => Operation.payment({ asset, amount: "1", destination: source.publicKey() }))
        yield* on(perform("payments", { as: stranger, operations: payments }))
        yield* laterLedger
        const asked = yield* plan({ source: source.publicKey(), destination: destination.publicKey() })
        assert.deepStrictEqual(idsOf(asked), assets.map(decisionOf))
      }))
  })
}
