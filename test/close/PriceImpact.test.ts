import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { layer } from "../support/Layered.ts"
import { Buyer, depositInto, Issued, Pair } from "./support/Accounts.ts"
import { acknowledges, echo, pointOf } from "./support/Answering.ts"
import { type Answer, offered, plan, refusal } from "./support/Client.ts"
import { Service } from "./support/Service.ts"

/** A bid of a stranger for an asset: lumens in total, and units for each lumen. */
type Bid = readonly [lumens: string, price: string]

/** An account that holds this much of an asset with these bids, and the decision point about it. */
const holding = (amount: string, ...bids: ReadonlyArray<Bid>) =>
  Effect.gen(function*() {
    const { on } = yield* Service
    const { destination, source } = yield* on(Pair())
    const { asset, issuer } = yield* on(Issued("THIN", [source, amount]))
    for (const [lumens, price] of bids) yield* on(Buyer(asset, lumens, price))
    const id = `asset:THIN-${issuer.publicKey()}`
    const with_ = (...more: ReadonlyArray<Answer>) => ({
      source: source.publicKey(),
      destination: destination.publicKey(),
      decisions: [acknowledges(destination.publicKey()), ...more]
    })
    return { asset, issuer, id, source, with: with_ }
  })

/** The plan's description of the only asset. */
const told = (world: Effect.Effect.Success<ReturnType<typeof holding>>, ...answers: ReadonlyArray<Answer>) =>
  Effect.map(plan(world.with(...answers)), (answer) => {
    const point = pointOf(answer, world.id)
    const option = point.options.find(({ id }) => id === "convert_to_native")
    if (option?.quote === undefined) throw new Error(`no quote: ${JSON.stringify(point.options)}`)
    const { quote } = option
    return { point, option, quote, status: answer.status, warnings: answer.warnings.filter(({ code }) => code === "price_impact") }
  })

layer(Service.layer(), { excludeTestServices: true })("the price impact of a sale", (it) => {
  it.effect("of a thousand units for 2 lumens, whose first unit brings 2, asks for the owner's word", () =>
    Effect.gen(function*() {
      const world = yield* holding("1000", ["2", "0.5"], ["0.01", "1000000"])
      const { option, point, quote, warnings } = yield* told(world)
      assert.isUndefined(option.recommended)
      assert.isAtLeast(quote.priceImpactBps, 5_001)
      assert.isUndefined(option.params?.minReceive)
      assert.deepStrictEqual(option.needs, ["acceptPriceImpactBps"])
      assert.deepStrictEqual(warnings.map(({ subject }) => subject), [world.id])
      assert.include(warnings[0]?.message, quote.receive)
      // The echoed option is no answer yet; with the owner's consent or own minimum it is.
      assert.strictEqual((yield* refusal("next", world.with(echo(point, option.id)))).code, "conversion_floor_missing")
      const low = yield* refusal("next", world.with(echo(point, option.id, { acceptPriceImpactBps: 5_000 })))
      assert.deepStrictEqual([low.code, low.status, low.details["decisionId"]], ["quote_drifted", 409, world.id])
      const accepted = echo(point, option.id, { acceptPriceImpactBps: quote.priceImpactBps })
      const after = yield* told(world, accepted)
      assert.deepStrictEqual([after.status, after.point.answered, after.warnings.length], ["ready", true, 1])
      assert.include((yield* offered(world.with(accepted))).covers, "HANDLE_ASSETS")
      assert.include((yield* offered(world.with(echo(point, option.id, { minReceive: "2" })))).covers, "HANDLE_ASSETS")
    }))

  it.effect("through a pool that brings 19.8 lumens where its spot price gives 2000 asks for it too", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const world = yield* holding("1000")
      yield* on(depositInto(world.issuer, world.asset, "20", "10"))
      const { option, quote } = yield* told(world)
      assert.strictEqual(quote.receive.slice(0, 4), "19.8")
      assert.deepStrictEqual([option.recommended ?? false, option.needs], [false, ["acceptPriceImpactBps"]])
    }))

  it.effect("is not changed by a bid for a hundredth of the amount at a hundred times the price", () =>
    Effect.gen(function*() {
      const world = yield* holding("1000", ["500", "0.02"], ["5000", "2"])
      const whole = yield* told(world)
      // The bid takes ten units at fifty lumens each.
      assert.deepStrictEqual([whole.quote.bestPrice, whole.quote.priceImpactBps], ["0.5", 0])
      assert.deepStrictEqual([whole.option.recommended, whole.option.needs, whole.warnings], [true, [], []])
    }))

  it.effect("between the limits takes the recommendation and nothing else: the floor speaks", () =>
    Effect.gen(function*() {
      const world = yield* holding("1000", ["250", "2"], ["5000", "4"])
      const { option, point, quote, warnings } = yield* told(world)
      assert.isTrue(quote.priceImpactBps > 300 && quote.priceImpactBps <= 5_000, `${quote.priceImpactBps}`)
      assert.deepStrictEqual([option.recommended ?? false, option.needs, warnings.length], [false, [], 1])
      assert.include((yield* offered(world.with(echo(point, option.id)))).covers, "HANDLE_ASSETS")
    }))

  it.effect("limits nothing below a lumen", () =>
    Effect.gen(function*() {
      const world = yield* holding("1000", ["0.24", "1250"], ["5", "2000"])
      const { option, quote, warnings } = yield* told(world)
      assert.isAbove(quote.priceImpactBps, 300)
      assert.deepStrictEqual([option.recommended, option.needs, warnings], [true, [], []])
    }))
})

layer(Service.layer({ RECOMMENDED_PRICE_IMPACT_BPS: "5000" }), { excludeTestServices: true })("an operator", (it) => {
  it.effect("sets the price impact up to which a sale is recommended", () =>
    Effect.gen(function*() {
      const { option, warnings } = yield* told(yield* holding("1000", ["250", "2"], ["5000", "4"]))
      assert.deepStrictEqual([option.recommended, warnings], [true, []])
    }))
})
