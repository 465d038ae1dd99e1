import { assert, describe, it } from "@effect/vitest"
import { Keypair } from "@stellar/stellar-sdk"
import { disposalPoints } from "../../src/close/market/DisposalPoints.ts"
import { isDustByAnswer, isDustShare } from "../../src/close/market/DustShare.ts"
import { atomicGroup } from "../../src/close/situation/AtomicGroup.ts"
import { DecisionId } from "../../src/close/situation/DecisionId.ts"
import { lumen, showAmount, stroops } from "../../src/domain/Amount.ts"
import { AssetId } from "../../src/domain/Asset.ts"
import type { Decision, DecisionOption } from "../../src/domain/Decision.ts"

const usd = AssetId.make(`USD:${Keypair.random().publicKey()}`)
const id = DecisionId.asset(usd)

/** A conversion at a price in stroops per unit, with its floor, or without one. */
const sale = (
  amount: bigint,
  price: readonly [bigint, bigint],
  more: { readonly bps?: number; readonly floorless?: true } = {}
): DecisionOption => {
  const receive = stroops((amount * price[0]) / price[1])
  return {
    id: "convert_to_native",
    params: more.floorless === true ? {} : { minReceive: receive },
    quote: { receive, path: [], bestPrice: { n: price[0], d: price[1] }, priceImpactBps: more.bps ?? 0 }
  }
}

const unquoted: DecisionOption = { id: "convert_to_native", note: "No quote.", params: { amount: "1.0000000" } }
const back: DecisionOption = { id: "return_to_issuer", loses: [], params: { maxAmount: "1.0000000" } }

/** The part of a disposal that sells so many units. */
const part = (amount: bigint, ...options: ReadonlyArray<DecisionOption>) =>
  atomicGroup([], {
    disposed: { asset: usd, amount },
    points: [{
      id,
      type: "asset",
      subject: "",
      about: { kind: "asset", asset: usd, amount: showAmount(amount) },
      options: [...options, back],
      default: null,
      required: true,
      answered: false
    }]
  })

/** The options of the one question about all parts. */
const optionsOf = (...parts: ReadonlyArray<ReturnType<typeof part>>) => {
  const [point] = disposalPoints(parts, { slippageBps: 50, recommendedBps: 300 })
  return new Map((point ?? assert.fail("no question")).options.map((option) => [option.id, option]))
}

const tenth = [1n, 10n] as const
/** A thousand lumens' worth at a tenth. */
const held = 10_000n * lumen

describe("a sale in parts", () => {
  it("has the floor of its worst part, dust aside", () => {
    const least = (...parts: ReadonlyArray<ReturnType<typeof part>>) => optionsOf(...parts).get("convert_to_native")?.params?.minReceive
    assert.strictEqual(least(part(held, sale(held, tenth)), part(held, sale(held, [1n, 20n]))), 1_000n * lumen)
    for (const dust of [part(1n), part(12n, sale(12n, [1n, 12n])), part(10n * lumen - 1n)]) {
      const total = held + (dust.disposed?.amount ?? 0n)
      assert.strictEqual(least(part(held, sale(held, tenth)), dust), ((held / 10n) * total) / held)
    }
    // Worth a lumen, it decides.
    assert.isUndefined(least(part(held, sale(held, tenth)), part(10n * lumen)))
    // So does a hundredth of all, however little that is worth.
    assert.isUndefined(least(part(990n, sale(990n, tenth)), part(10n)))
    assert.isDefined(least(part(991n, sale(991n, tenth)), part(10n)))
    // Dust may come first.
    assert.isDefined(least(part(1n), part(held, sale(held, tenth))))
  })

  it("says what becomes of dust, and offers what may be given away for the whole at its quote", () => {
    const options = optionsOf(part(held, sale(held, tenth)), part(9n))
    assert.include(options.get("convert_to_native")?.note, "stay unclaimed")
    assert.notInclude(optionsOf(part(held, sale(held, tenth)), part(held, sale(held, tenth))).get("convert_to_native")?.note, "unclaimed")
    // A hundredth more, and what a lumen buys.
    assert.strictEqual(options.get("return_to_issuer")?.params?.maxAmount, "10110.0000011")
  })

  it("keeps the conversion that had no time for a quote, for the whole amount", () => {
    const options = optionsOf(part(held, unquoted), part(9n, unquoted))
    assert.deepStrictEqual(options.get("convert_to_native"), { ...unquoted, params: { amount: "10000.0000009" } })
    assert.isUndefined(optionsOf(part(held), part(9n)).get("convert_to_native"))
  })

  it("is not recommended where one of its parts demands more than a floor", () => {
    const small = 4n * lumen
    const recommended = (floorless: boolean) => {
      const one = sale(small, tenth, { bps: 6_000, ...(floorless ? { floorless } : {}) })
      return optionsOf(part(small, one), part(small, one)).get("convert_to_native")
    }
    // Together they bring less than a lumen, and no limit holds for either.
    assert.isTrue(recommended(false)?.recommended)
    assert.isUndefined(recommended(true)?.recommended)
    assert.isUndefined(recommended(true)?.params?.minReceive)
    // At the best price all of it comes to a lumen.
    const dear = { ...sale(small, [1n, 100n], { bps: 6_000 }) }
    const quote = dear.quote ?? assert.fail("no quote")
    const atBest = (n: bigint) => optionsOf(...[1, 2].map(() => part(small, { ...dear, quote: { ...quote, bestPrice: { n, d: 1_000n } } })))
    assert.isUndefined(atBest(125n).get("convert_to_native")?.recommended)
    assert.isTrue(atBest(124n).get("convert_to_native")?.recommended)
  })
})

describe("dust", () => {
  it("is less than a hundredth of all, and worth less than a lumen", () => {
    assert.isTrue(isDustShare(99n, 10_000n, lumen - 1n))
    assert.isFalse(isDustShare(100n, 10_000n, lumen - 1n))
    assert.isFalse(isDustShare(99n, 10_000n, lumen))
  })

  it("is told at the price of an answer that sells, or by amount alone where any price is accepted", () => {
    const answer = (params: NonNullable<Decision["params"]>, choice: Decision["choice"] = "convert_to_native"): Decision => ({
      id,
      choice,
      params
    })
    const priced = { amount: "10000.0000000", minReceive: stroops(1_000n * lumen) }
    for (const choice of ["convert_to_native", "convert_through_contracts"] as const) {
      assert.isTrue(isDustByAnswer(answer(priced, choice), 10n * lumen - 10n))
      assert.isFalse(isDustByAnswer(answer(priced, choice), 10n * lumen))
    }
    assert.isTrue(isDustByAnswer(answer({ amount: "10000.0000000", acceptPriceImpactBps: 9_000 }), 99n * lumen))
    assert.isFalse(isDustByAnswer(answer({ amount: "10000.0000000", acceptPriceImpactBps: 9_000 }), 100n * lumen))
    assert.isFalse(isDustByAnswer(answer({ minReceive: priced.minReceive }), 1n))
    assert.isFalse(isDustByAnswer(answer(priced, "return_to_issuer"), 1n))
  })
})
