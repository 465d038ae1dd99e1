import { assert } from "@effect/vitest"
import { Asset, Keypair, Operation } from "@stellar/stellar-sdk"
import { Context, Effect, Layer } from "effect"
import { addressOf, strkeyOf } from "../../../src/ledger/soroban/Values.ts"
import { addLiquidity, addLiquiditySentBy, PairsMarket, transferToken } from "../../../src/sandbox/scenarios/PairsMarket.ts"
import { fund, perform } from "../../../src/sandbox/scenarios/Scenario.ts"
import { Serving } from "../../../src/serving/Serving.ts"
import { laterLedger, servingOf } from "../../sandbox/contracts/ProtocolsServed.ts"
import { layer } from "../../support/Layered.ts"
import { startTestService } from "../../support/TestService.ts"
import { answersTo, echo, pointOf } from "../support/Answering.ts"
import { buriedUnder } from "../support/BuriedHistory.ts"
import { next, plan } from "../support/Client.ts"
import { type Proxy, proxyOf, withSlash } from "../support/LyingSources.ts"
import { Service } from "../support/Service.ts"

/** The ledger API of the service, which can be made to show more of a history than there is. */
class Api extends Context.Tag("closeout/test/close/BuriedHistory/Api")<Api, Proxy>() {}

/** The production service over a sandbox with pairs, whose ledger API it reaches through a proxy. */
const service = Layer.scopedContext(Effect.gen(function*() {
  const serving = Context.get(yield* Layer.build(servingOf(["amm_2"])), Serving)
  const [first] = serving.networks
  if (first === undefined) return assert.fail("no network is served")
  const api = yield* proxyOf(withSlash(first.address.ledgerApiUrls[0] ?? assert.fail("there is no ledger API")))
  const network = { ...first, address: { ...first.address, ledgerApiUrls: [api.url] as const } }
  const started = yield* startTestService({}, Layer.succeed(Serving, { ...serving, networks: [network] }))
  return Context.make(Service, started).pipe(Context.add(Api, api))
}))

/** An account that can deposit in a pair, and has some of each asset of it, which only pools buy. */
const Holder = Effect.gen(function*() {
  const { on } = yield* Service
  const { eurc, issuer, pairs, provider, tokens, usdc } = yield* on(PairsMarket)
  const [source, destination] = [Keypair.random(), Keypair.random()]
  yield* on(fund("100", source, destination))
  yield* on(perform("it trusts", { as: source, operations: [eurc, usdc].map((asset) => Operation.changeTrust({ asset })) }))
  yield* on(perform("it is paid, and the books are emptied: only pools buy these assets", {
    as: issuer,
    operations: [eurc, usdc].flatMap((asset) => [
      Operation.payment({ destination: source.publicKey(), asset, amount: "50" }),
      Operation.manageSellOffer({ selling: asset, buying: Asset.native(), amount: "5000", price: "9" })
    ])
  }))
  const [dollars, euros] = [tokens.usdc, tokens.eurc].map((token) => ({ token, amount: 20_0000000n }))
  if (dollars === undefined || euros === undefined) return assert.fail()
  return {
    deposit: Effect.zipRight(on(addLiquidity("its own deposit", source, dollars, euros)), laterLedger),
    sentDeposit: Effect.zipRight(
      on(addLiquiditySentBy("its own deposit, which another sends", { as: source, sentBy: provider }, dollars, euros)),
      laterLedger
    ),
    id: `position:amm_2:${strkeyOf(pairs.usdcEurc)}:shares`,
    request: { source: source.publicKey(), destination: destination.publicKey() },
    given: Effect.all([
      on(transferToken("a stranger gives shares", provider, { token: pairs.usdcEurc, amount: 1n }, addressOf(source.publicKey()))),
      on(perform("a stranger pays", {
        as: provider,
        operations: [Operation.payment({ destination: source.publicKey(), asset: Asset.native(), amount: "0.0000001" })]
      })),
      laterLedger
    ])
  }
})

/** The work while each page of the history has strangers' transactions only, and the cursors of these pages. */
const buried = <A, E, R>(address: string, work: Effect.Effect<A, E, R>) =>
  Effect.gen(function*() {
    const api = yield* Api
    const { sandbox } = yield* Service
    const { state: { header } } = yield* sandbox.snapshot
    const pages: Array<string> = []
    api.lie = buriedUnder(address, header.ledgerSeq, pages)
    const found = yield* Effect.ensuring(
      work,
      Effect.sync(() => {
        api.lie = null
      })
    )
    return { found, pages }
  })

layer(service, { excludeTestServices: true })("an account whose own transactions strangers buried under theirs", (it) => {
  it.effect("has at most twenty pages of them read in a plan and in a build", () =>
    Effect.gen(function*() {
      const { deposit, given, id, request } = yield* Holder
      yield* deposit
      const first = yield* plan(request)
      const decisions = [...answersTo(first, "convert_to_native"), echo(pointOf(first, "later"), "leave_what_came_later")]
      yield* given
      const answered = { ...request, decisions }
      // The account reader remembers its own pages of the history from here on.
      yield* plan(answered)
      const planned = yield* buried(request.source, plan(answered))
      assert.include(planned.found.decisionPoints.map((point) => point.id), id)
      const built = yield* buried(request.source, next(answered))
      assert.deepStrictEqual(built.found.transactions[0]?.covers, ["EXIT_POSITIONS"])
      assert.deepStrictEqual([planned, built].map(({ pages }) => pages.length), [20, 20])
    }))
})

layer(service, { excludeTestServices: true })("an account whose deposits since its plan strangers buried", (it) => {
  it.effect("leaves none of them behind as something that came later", () =>
    Effect.gen(function*() {
      const { deposit, id, request } = yield* Holder
      const first = yield* plan(request)
      const decisions = [...answersTo(first, "convert_to_native"), echo(pointOf(first, "later"), "leave_what_came_later")]
      yield* deposit
      const answered = { ...request, decisions }
      for (const work of [plan(answered), Effect.map(buried(request.source, plan(answered)), ({ found }) => found)]) {
        const told = yield* work
        assert.deepInclude(pointOf(told, id), { required: false, default: "exit" })
        assert.deepStrictEqual(told.warnings.filter(({ code }) => code === "came_later"), [])
      }
      const { found: { transactions } } = yield* buried(request.source, next(answered))
      assert.deepStrictEqual(transactions[0]?.covers, ["EXIT_POSITIONS"])
    }))
})

/** Plans, makes the deposit, and checks that plan and build under the lie leave it by an exit. */
const isLeftByExit = (
  { id, request }: Pick<Effect.Effect.Success<typeof Holder>, "id" | "request">,
  deposit: Effect.Effect.Success<typeof Holder>["deposit"],
  lie: (ledger: number) => Proxy["lie"]
) =>
  Effect.gen(function*() {
    const first = yield* plan(request)
    const decisions = [...answersTo(first, "convert_to_native"), echo(pointOf(first, "later"), "leave_what_came_later")]
    yield* Effect.orDie(deposit)
    const answered = { ...request, decisions }
    yield* plan(answered)
    const api = yield* Api
    api.lie = lie(first.snapshot.ledger)
    const told = yield* plan(answered)
    assert.deepInclude(pointOf(told, id), { required: false, default: "exit" })
    assert.deepStrictEqual(told.warnings.filter(({ code }) => code === "came_later"), [])
    assert.deepStrictEqual((yield* next(answered)).transactions[0]?.covers, ["EXIT_POSITIONS"])
    api.lie = null
  })

layer(service, { excludeTestServices: true })("an account whose deposit since its plan another one's transaction carried", (it) => {
  it.effect("does not leave it behind as something that came later", () =>
    Effect.gen(function*() {
      const held = yield* Holder
      yield* isLeftByExit(held, held.sentDeposit, () => null)
    }))
})

/** Keeps nothing after a ledger on pages that go back from a cursor, as an endpoint that stopped does. */
const stoppedAt = (address: string) => (ledger: number): Proxy["lie"] => (asked, honest) => {
  const { pathname, searchParams } = new URL(asked, "http://api.invalid")
  if (pathname !== `/accounts/${address}/transactions` || searchParams.get("order") !== "desc" || !searchParams.has("cursor")) return honest
  const { _embedded: { records } } = honest.body as { readonly _embedded: { readonly records: ReadonlyArray<{ readonly ledger: number }> } }
  return { status: honest.status, body: { _embedded: { records: records.filter((record) => record.ledger <= ledger) } } }
}

layer(service, { excludeTestServices: true })("an account whose own transactions come from an endpoint that is behind", (it) => {
  it.effect("does not leave its deposit behind as something that came later", () =>
    Effect.gen(function*() {
      const held = yield* Holder
      yield* isLeftByExit(held, held.deposit, stoppedAt(held.request.source))
    }))
})
