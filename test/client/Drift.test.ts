import { assert, describe, it } from "@effect/vitest"
import { Asset, type Keypair, Operation } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { closeAccount, type CloseOptions, type Question, TransactionNotVerified, UnansweredDecision } from "../../src/client/Client.ts"
import { perform } from "../../src/sandbox/scenarios/Scenario.ts"
import { HolderWithMarket } from "../close/support/Accounts.ts"
import { accountOf, offersOf } from "../close/support/LedgerView.ts"
import { Service } from "../close/support/Service.ts"
import { startTestService, type TestService } from "../support/TestService.ts"
import { careful } from "./support/CarefulOwner.ts"
import { optionsFor } from "./support/Closes.ts"
import { forged } from "./support/Forged.ts"
import { builtWith, type Change, intercepted } from "./support/Intercepted.ts"

/** Halves the buyer's price. */
const halved = (maker: Keypair, asset: Asset) =>
  Effect.gen(function*() {
    const [offerId = 0n] = yield* offersOf(maker)
    yield* perform("half the price", {
      as: maker,
      operations: [
        Operation.manageSellOffer({ offerId: offerId.toString(), selling: Asset.native(), buying: asset, amount: "5000", price: "4" })
      ]
    })
  })

/** A `fetch` in which the price falls after the plan, before the first transaction is built. */
const falling = (service: TestService, maker: Keypair, asset: Asset): typeof globalThis.fetch => {
  let isFallen = false
  return async (input, init) => {
    if (String(input).endsWith("/close/transactions") && !isFallen) {
      isFallen = true
      await Effect.runPromise(Effect.orDie(Effect.provideService(service.on(halved(maker, asset)), Service, service)))
    }
    return globalThis.fetch(input, init)
  }
}

const closing = (work: (service: TestService, options: CloseOptions, source: Keypair) => Effect.Effect<void, unknown, Service>) =>
  Effect.scoped(Effect.flatMap(startTestService(), (service) =>
    Effect.provideService(
      Effect.gen(function*() {
        const { asset, destination, maker, source } = yield* service.on(HolderWithMarket())
        const options = { ...optionsFor(service, source, destination.publicKey()), fetch: falling(service, maker, asset) }
        yield* work(service, options, source)
      }),
      Service,
      service
    )))

describe("a price that falls after the plan", () => {
  it.live("is asked about, and not taken over unasked", () =>
    closing((_, options, source) =>
      Effect.gen(function*() {
        const decide = (question: Question) => (question.reason === "unanswered" ? careful(question) : null)
        const stopped = yield* Effect.flip(closeAccount({ ...options, decide }).effect)
        assert.instanceOf(stopped, UnansweredDecision)
        assert.deepStrictEqual([stopped.question.reason, stopped.question.againstLumens], ["floor_lowered", "49.7500000"])
        assert.isNotNull(yield* accountOf(source))
      })
    ))

  it.live("is not taken over unasked for a transaction without the merge, regardless of what the caller accepts", () =>
    Effect.scoped(Effect.gen(function*() {
      const service = yield* startTestService()
      const { asset, destination, source } = yield* service.on(HolderWithMarket())
      /** A service that refuses the first build, lowers the floor to a stroop, and sells apart from the merge. */
      const lowering = (plannedTransactions: number): Change => {
        let isRefused = false
        const apart = builtWith((transaction) =>
          forged(transaction, service.passphrase, () => [Operation.pathPaymentStrictSend({
            source: source.publicKey(),
            sendAsset: asset,
            sendAmount: "100",
            destination: source.publicKey(),
            destAsset: Asset.native(),
            destMin: "0.0000001"
          })]) ?? transaction
        )
        return ({ body, path }) => {
          if (path.endsWith("/close/plan") && isRefused) {
            const suggested = body["suggestedDecisions"] as ReadonlyArray<{ readonly id: string; readonly params?: object }>
            const [first] = body["transactions"] as ReadonlyArray<object>
            return {
              ...body,
              transactions: Array.from({ length: plannedTransactions }, () => first),
              suggestedDecisions: suggested.map((one) =>
                one.id.startsWith("asset:") ? { ...one, params: { ...one.params, minReceive: "0.0000001" } } : one
              )
            }
          }
          if (!path.endsWith("/close/transactions") || isRefused) return apart({ body, path })
          isRefused = true
          const details = { planHash: null, changes: [], retry: "replan", helpUrl: "https://example.org/", requestId: "1" }
          return new Response(JSON.stringify({ error: { code: "plan_changed", message: "it changed", details } }), { status: 409 })
        }
      }
      const stopped = (plannedTransactions: number) =>
        Effect.flip(
          closeAccount({
            ...optionsFor(service, source, destination.publicKey()),
            fetch: intercepted(lowering(plannedTransactions)).fetch,
            decide: (question) => (question.reason === "unanswered" ? careful(question) : null),
            accept: 90,
            sign: () => assert.fail("it was to be signed")
          }).effect
        )
      const sold = yield* stopped(1)
      assert.instanceOf(sold, TransactionNotVerified)
      assert.include(sold.violations.map(({ rule }) => rule), "sale_floor")
      const asked = yield* stopped(2)
      assert.instanceOf(asked, UnansweredDecision)
      assert.strictEqual(asked.question.reason, "floor_lowered")
    })))

  it.live("is asked about also where a plan between left the sale out", () =>
    Effect.scoped(Effect.gen(function*() {
      const service = yield* startTestService()
      const { destination, source } = yield* service.on(HolderWithMarket())
      let [isRefused, plans] = [false, 0]
      const isSale = ({ id }: { readonly id: string }) => id.startsWith("asset:")
      /** A service that refuses the first build. The plan after it leaves the sale out, and the next one lowers its floor to a stroop. */
      const forgetting: Change = ({ body, path }) => {
        if (path.endsWith("/close/transactions") && !isRefused) {
          isRefused = true
          const details = { planHash: null, changes: [], retry: "replan", helpUrl: "https://example.org/", requestId: "1" }
          return new Response(JSON.stringify({ error: { code: "plan_changed", message: "it changed", details } }), { status: 409 })
        }
        if (!path.endsWith("/close/plan") || !isRefused) return null
        plans++
        const suggested = body["suggestedDecisions"] as ReadonlyArray<{ readonly id: string; readonly params?: object }>
        const points = body["decisionPoints"] as ReadonlyArray<{ readonly id: string }>
        return plans === 1
          ? {
            ...body,
            status: "ready",
            suggestedDecisions: suggested.filter((one) => !isSale(one)),
            decisionPoints: points.filter((one) => !isSale(one))
          }
          : {
            ...body,
            suggestedDecisions: suggested.map((one) => isSale(one) ? { ...one, params: { ...one.params, minReceive: "0.0000001" } } : one)
          }
      }
      const stopped = yield* Effect.flip(
        closeAccount({
          ...optionsFor(service, source, destination.publicKey()),
          fetch: intercepted(forgetting).fetch,
          decide: (question) => (question.reason === "unanswered" ? careful(question) : null),
          sign: () => assert.fail("it was to be signed")
        }).effect
      )
      assert.instanceOf(stopped, UnansweredDecision)
      assert.deepStrictEqual([stopped.question.reason, stopped.question.againstLumens], ["floor_lowered", "49.7500000"])
    })))

  it.live("is taken over where the whole brings as much as the caller accepts", () =>
    closing((_, options, source) =>
      Effect.gen(function*() {
        const decide = (question: Question) => (question.reason === "unanswered" ? careful(question) : null)
        const { closed } = yield* closeAccount({ ...options, decide, accept: 120 }).effect
        assert.isTrue(closed.receivedLumens.startsWith("124.99"), closed.receivedLumens)
        assert.isNull(yield* accountOf(source))
      })
    ))
})
