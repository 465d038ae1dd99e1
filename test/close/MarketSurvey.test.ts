import { assert, describe, it } from "@effect/vitest"
import { Keypair } from "@stellar/stellar-sdk"
import { Effect, Layer, Option } from "effect"
import { LedgerApi } from "../../src/chain/LedgerApi.ts"
import { emptySurvey, type Survey, survey, surveyOf } from "../../src/close/market/MarketSurvey.ts"
import type { Sale } from "../../src/close/situation/Routes.ts"
import { AccountAddress } from "../../src/domain/Address.ts"
import { stroops } from "../../src/domain/Amount.ts"
import { AssetId } from "../../src/domain/Asset.ts"
import { marketOf } from "./support/MarketOf.ts"

const address = () => AccountAddress.make(Keypair.random().publicKey())
const own = address()
const saleOf = (code: string, amount = 5n): Sale => ({ asset: AssetId.make(`${code}:${own}`), amount: stroops(amount) })
const [usd, euro] = [saleOf("USD"), saleOf("EURO")]
const hop = saleOf("HOP").asset

/** Runs over a ledger API with one detour for every asset, and records the requests. */
const asking = <A, E>(work: (api: LedgerApi["Type"]) => Effect.Effect<A, E>) =>
  Effect.gen(function*() {
    const asked: Array<string> = []
    const result = yield* Effect.flatMap(LedgerApi, work).pipe(Effect.provide(Layer.mock(LedgerApi, {
      absent: null,
      strictSendPaths: (asset, sourceAmount) => {
        asked.push(`${asset.split(":")[0]} ${sourceAmount}`)
        return Effect.succeed([{ source: asset, sourceAmount, destinationAmount: stroops(1n), path: [hop], latestLedger: 9 }])
      },
      offersBetween: (selling, buying) => {
        asked.push(`${selling.split(":")[0]}/${buying.split(":")[0]}`)
        return Effect.succeed({ offers: [], complete: true, latestLedger: 9 })
      }
    })))
    return { asked: asked.toSorted(), result }
  })

const codeOf = (asset: AssetId) => asset.split(":")[0]

/** The books that sales depend on, each once. */
const books = (survey: Survey) => {
  const all = [...survey.values()].flatMap((told) => Option.match(told, { onNone: () => [], onSome: (one) => one.books }))
  return [...new Set(all.map(({ from, to }) => `${codeOf(from)}>${codeOf(to)}`))].toSorted()
}

/** Amount and routes of each sale. */
const routes = (survey: Survey) =>
  [...survey].map(([asset, told]) => [asset, Option.map(told, ({ amount, routes }) => ({ amount, routes }))])

describe("a survey", () => {
  it.effect("of what an earlier one has for the same amount sends no query", () =>
    Effect.gen(function*() {
      const priorSurvey = (yield* asking((api) => survey(marketOf(api), own, [usd, euro]))).result
      const { asked, result } = yield* asking((api) => surveyOf(marketOf(api), { own, sales: [usd, euro], priorSurvey }))
      assert.deepStrictEqual(asked, [])
      assert.deepStrictEqual([...result], [...priorSurvey])
      assert.deepStrictEqual(books(result), ["EURO>HOP", "EURO>native", "HOP>native", "USD>HOP", "USD>native"])
    }))

  it.effect("asks anew for another amount, and drops books that nothing leads through any more", () =>
    Effect.gen(function*() {
      const priorSurvey = (yield* asking((api) => survey(marketOf(api), own, [usd, euro]))).result
      const more = { ...usd, amount: stroops(6n) }
      const { asked, result } = yield* asking((api) => surveyOf(marketOf(api), { own, sales: [more], priorSurvey }))
      assert.deepStrictEqual(asked, ["HOP/USD", "USD 6", "native/HOP", "native/USD"])
      assert.deepStrictEqual(routes(result), [[usd.asset, Option.some({ amount: more.amount, routes: [[], [hop]] })]])
      assert.deepStrictEqual(books(result), ["HOP>native", "USD>HOP", "USD>native"])
    }))

  it.effect("does not ask again what there was no time for", () =>
    Effect.gen(function*() {
      const late: Survey = new Map([[usd.asset, Option.none()]])
      const { asked, result } = yield* asking((api) => surveyOf(marketOf(api), { own, sales: [usd], priorSurvey: late }))
      assert.deepStrictEqual([asked, [...result]], [[], [[usd.asset, Option.none()]]])
    }))

  it.effect("over an empty earlier one is the whole survey", () =>
    Effect.gen(function*() {
      const { asked } = yield* asking((api) => surveyOf(marketOf(api), { own, sales: [euro], priorSurvey: emptySurvey }))
      assert.deepStrictEqual(asked, ["EURO 5", "HOP/EURO", "native/EURO", "native/HOP"])
    }))
})
