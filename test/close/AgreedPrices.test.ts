import { assert, describe, it } from "@effect/vitest"
import { Asset, type Keypair, Operation } from "@stellar/stellar-sdk"
import { Effect, FastCheck } from "effect"
import { floorShare, offeredMaximum } from "../../src/close/market/Floors.ts"
import { largestAmount, showAmount, stroops } from "../../src/domain/Amount.ts"
import { perform } from "../../src/sandbox/scenarios/Scenario.ts"
import { layer } from "../support/Layered.ts"
import { HolderWithMarket, Issued, Pair } from "./support/Accounts.ts"
import { acknowledges, answersTo, echo, pointOf } from "./support/Answering.ts"
import { offered, plan, refusal } from "./support/Client.ts"
import { closeThrough } from "./support/CloseLoop.ts"
import { offersOf } from "./support/LedgerView.ts"
import { Service } from "./support/Service.ts"

/** A holder of 100 units at half a lumen each who agreed to a sale for at least 49.75 lumens. */
const Agreed = Effect.gen(function*() {
  const { on } = yield* Service
  const world = yield* on(HolderWithMarket())
  const request = { source: world.source.publicKey(), destination: world.destination.publicKey() }
  const decisions = answersTo(yield* plan(request), "convert_to_native")
  return { ...world, on, decisions, request: { ...request, decisions } }
})

const requoted = (maker: Keypair, asset: Asset, price: string) =>
  Effect.gen(function*() {
    const { on } = yield* Service
    const [offer] = yield* offersOf(maker)
    const operation = Operation.manageSellOffer({ selling: Asset.native(), buying: asset, amount: "5000", price, offerId: String(offer) })
    yield* on(perform("the buyer asks for more", { as: maker, operations: [operation] }))
  })

layer(Service.layer(), { excludeTestServices: true })("a floor is a price", (it) => {
  it.effect("and says for how much it was made", () =>
    Effect.gen(function*() {
      const { decision, decisions } = yield* Agreed
      assert.deepStrictEqual(decisions.find(({ id }) => id === decision)?.params, {
        minReceive: "49.7500000",
        amount: "100.0000000",
        maxSlippageBps: 50
      })
    }))

  it.effect("when an own offer is filled meanwhile, the rest is sold at the same price, with a warning", () =>
    Effect.gen(function*() {
      const { asset, decision, decisions, destination, on, request, source } = yield* Agreed
      const offer = Operation.manageSellOffer({ selling: asset, buying: Asset.native(), amount: "60", price: "0.4" })
      yield* on(perform("somebody buys 60 of it", { as: source, operations: [offer] }))
      const told = yield* plan(request)
      assert.strictEqual(told.status, "ready")
      const held = "40.0000000"
      assert.strictEqual(pointOf(told, decision).subject, `${held} ${asset.code}:${asset.issuer}`)
      assert.deepStrictEqual(told.warnings.filter(({ code }) => code === "amount_changed").map(({ subject }) => subject), [
        `${asset.code}:${asset.issuer}`
      ])
      const { intent } = yield* offered(request)
      assert.strictEqual(intent.guarantees.minLumensFromConversions, "19.9000000")
      yield* closeThrough({ source, destination, decisions })
    }))

  it.effect("so a part whose price has fallen is quote_drifted all the same", () =>
    Effect.gen(function*() {
      const { decision, maker, issuer, on, request, source, asset } = yield* Agreed
      yield* on(
        perform("half is paid away", {
          as: source,
          operations: [Operation.payment({ destination: issuer.publicKey(), asset, amount: "50" })]
        })
      )
      yield* requoted(maker, asset, "2.02")
      assert.deepInclude(yield* refusal("next", request), {
        code: "quote_drifted",
        details: { decisionId: decision, agreed: "24.8750000", current: "24.7524752" }
      })
    }))

  it.effect("and more held keeps it as it is", () =>
    Effect.gen(function*() {
      const { asset, issuer, maker, on, request, source } = yield* Agreed
      yield* on(
        perform("more arrives", { as: issuer, operations: [Operation.payment({ destination: source.publicKey(), asset, amount: "100" })] })
      )
      yield* requoted(maker, asset, "3.9")
      const told = yield* plan(request)
      assert.deepStrictEqual([told.status, told.warnings.some(({ code }) => code === "amount_changed")], ["ready", false])
    }))

  it.effect("an answer without the amount stands for the whole, as before", () =>
    Effect.gen(function*() {
      const { asset, decision, issuer, on, request, source } = yield* Agreed
      yield* on(
        perform("half is paid away", {
          as: source,
          operations: [Operation.payment({ destination: issuer.publicKey(), asset, amount: "50" })]
        })
      )
      const decisions = request.decisions.map((
        answer
      ) => (answer.id === decision ? { ...answer, params: { minReceive: "49.75" } } : answer))
      assert.strictEqual((yield* refusal("next", { ...request, decisions })).code, "quote_drifted")
    }))

  it.effect("an amount that is none is invalid_decisions", () =>
    Effect.gen(function*() {
      const { decision, request } = yield* Agreed
      for (const amount of ["-1", "1e3", "", "1.12345678"]) {
        const decisions = request.decisions.map((
          answer
        ) => (answer.id === decision ? { ...answer, params: { ...answer.params, amount } } : answer))
        assert.strictEqual((yield* refusal("plan", { ...request, decisions })).code, "invalid_decisions", amount)
      }
    }))
})

layer(Service.layer(), { excludeTestServices: true })("an offered maximum", (it) => {
  it.effect("of what nobody buys is the largest amount, and it is accepted", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { destination, source } = yield* on(Pair())
      const { asset, issuer } = yield* on(Issued("JUNK", [source, "7"]))
      const request = { source: source.publicKey(), destination: destination.publicKey() }
      const point = pointOf(yield* plan(request), `asset:JUNK-${issuer.publicKey()}`)
      assert.deepStrictEqual(point.options.map(({ id, params }) => [id, params?.maxAmount]), [
        ["transfer_to_account", "922337203685.4775807"],
        ["return_to_issuer", "922337203685.4775807"]
      ])
      yield* on(
        perform("a thousand times as much", {
          as: issuer,
          operations: [Operation.payment({ destination: source.publicKey(), asset, amount: "7000" })]
        })
      )
      yield* closeThrough({ source, destination, decisions: [acknowledges(destination.publicKey()), echo(point, "return_to_issuer")] })
    }))

  it.effect("is not needed by a transfer to the close's own destination", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { destination, source } = yield* on(Pair())
      const { issuer } = yield* on(Issued("GIFT", [source, "7"], [destination, "0"]))
      const request = { source: source.publicKey(), destination: destination.publicKey() }
      const transfer = (to: string) => ({
        id: `asset:GIFT-${issuer.publicKey()}`,
        choice: "transfer_to_account",
        params: { destination: to }
      })
      assert.strictEqual((yield* refusal("plan", { ...request, decisions: [transfer(issuer.publicKey())] })).code, "invalid_decisions")
      yield* closeThrough({ source, destination, decisions: [acknowledges(destination.publicKey()), transfer(destination.publicKey())] })
    }))
})

const anAmount = FastCheck.bigInt({ min: 1n, max: largestAmount })

describe("by the numbers", () => {
  it.prop("a part's floor is the same price, never less", [anAmount, anAmount, anAmount], ([floor, amount, part]) => {
    const share = floorShare(stroops(floor), showAmount(amount), part)
    assert.isTrue(part >= amount ? share === floor : share * amount >= floor * part && (share - 1n) * amount < floor * part)
  })

  it.prop(
    "a maximum covers what is found, a hundredth and a lumen's worth, and nothing beyond",
    [anAmount, anAmount],
    ([amount, receive]) => {
      const most = offeredMaximum(amount, receive)
      const room = most - amount
      assert.isTrue(most === largestAmount || (room >= 100n && room * 100n >= amount && room * receive >= amount * 10_000_000n))
      assert.isTrue(room <= amount / 100n + 2n + (amount * 10_000_000n) / receive + 100n)
    }
  )
})
