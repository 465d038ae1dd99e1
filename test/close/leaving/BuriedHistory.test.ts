import { assert } from "@effect/vitest"
import { Asset, Keypair, Operation } from "@stellar/stellar-sdk"
import { Context, Effect, Layer } from "effect"
import { addressOf, strkeyOf } from "../../../src/ledger/soroban/Values.ts"
import { RpcError } from "../../../src/sandbox/faults/ServerErrors.ts"
import { LendingNewcomer } from "../../../src/sandbox/scenarios/LendingNewcomer.ts"
import { addLiquidity, addLiquiditySentBy, PairsMarket, transferToken } from "../../../src/sandbox/scenarios/PairsMarket.ts"
import { fund, perform } from "../../../src/sandbox/scenarios/Scenario.ts"
import { Serving } from "../../../src/serving/Serving.ts"
import { laterLedger, servingOf } from "../../sandbox/contracts/ProtocolsServed.ts"
import { layer } from "../../support/Layered.ts"
import { startTestService } from "../../support/TestService.ts"
import { answersTo, echo, pointOf } from "../support/Answering.ts"
import { buriedUnder, type Crowd, crowdedBy } from "../support/BuriedHistory.ts"
import { next, plan } from "../support/Client.ts"
import { withHistory } from "../support/Lies.ts"
import { type Proxy, proxyOf, withSlash } from "../support/LyingSources.ts"
import { Service } from "../support/Service.ts"

/** The ledger API of the service, which can be made to show more of a history than there is. */
class Api extends Context.Tag("closeout/test/close/BuriedHistory/Api")<Api, Proxy>() {}

/** Its contract RPC, which can be listened to. */
class Rpc extends Context.Tag("closeout/test/close/BuriedHistory/Rpc")<Rpc, Proxy>() {}

/** The production service over a sandbox with this protocol, whose sources it reaches through proxies. */
const serviceOf = (protocol: "amm_2" | "lend_1") =>
  Layer.scopedContext(Effect.gen(function*() {
    const serving = Context.get(yield* Layer.build(servingOf([protocol])), Serving)
    const [first] = serving.networks
    if (first === undefined) return assert.fail("no network is served")
    const api = yield* proxyOf(withSlash(first.address.ledgerApiUrls[0] ?? assert.fail("there is no ledger API")))
    const rpc = yield* proxyOf(first.address.rpcUrls[0])
    const network = { ...first, address: { ...first.address, rpcUrls: [rpc.url] as const, ledgerApiUrls: [api.url] as const } }
    const started = yield* startTestService({}, Layer.succeed(Serving, { ...serving, networks: [network] }))
    return Context.make(Service, started).pipe(Context.add(Api, api), Context.add(Rpc, rpc))
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

layer(serviceOf("amm_2"), { excludeTestServices: true })("an account whose own transactions strangers buried under theirs", (it) => {
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

layer(serviceOf("amm_2"), { excludeTestServices: true })("an account whose deposits since its plan strangers buried", (it) => {
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

layer(serviceOf("amm_2"), { excludeTestServices: true })(
  "an account whose deposit since its plan another one's transaction carried",
  (it) => {
    it.effect("does not leave it behind as something that came later", () =>
      Effect.gen(function*() {
        const held = yield* Holder
        yield* isLeftByExit(held, held.sentDeposit, () => null)
      }))
  }
)

/** Keeps nothing after a ledger on pages that go back from a cursor, as an endpoint that stopped does. */
const stoppedAt = (address: string) => (ledger: number): Proxy["lie"] => (asked, honest) => {
  const { pathname, searchParams } = new URL(asked, "http://api.invalid")
  if (pathname !== `/accounts/${address}/transactions` || searchParams.get("order") !== "desc" || !searchParams.has("cursor")) return honest
  const { _embedded: { records } } = honest.body as { readonly _embedded: { readonly records: ReadonlyArray<{ readonly ledger: number }> } }
  return { status: honest.status, body: { _embedded: { records: records.filter((record) => record.ledger <= ledger) } } }
}

layer(serviceOf("amm_2"), { excludeTestServices: true })("an account whose own transactions come from an endpoint that is behind", (it) => {
  it.effect("does not leave its deposit behind as something that came later", () =>
    Effect.gen(function*() {
      const held = yield* Holder
      yield* isLeftByExit(held, held.deposit, stoppedAt(held.request.source))
    }))
})

/** A plan while strangers' transactions name contracts in the account's history, and how many questions for entries it sent. */
const crowded = (request: Parameters<typeof plan>[0] & { readonly source: string }, crowd: Crowd) =>
  Effect.gen(function*() {
    const [api, rpc] = [yield* Api, yield* Rpc]
    const { sandbox } = yield* Service
    const { state: { header } } = yield* sandbox.snapshot
    let questions = 0
    api.lie = crowdedBy(request.source, header.ledgerSeq, crowd)
    rpc.lie = (asked, honest) => {
      if (asked === "getLedgerEntries") questions++
      return honest
    }
    const planned = yield* Effect.ensuring(
      plan(request),
      Effect.sync(() => {
        api.lie = null
        rpc.lie = null
      })
    )
    const reasons = planned.blockers.map(({ reason }) => reason)
    return { questions, reasons, codes: planned.warnings.map(({ code, subject }) => `${code}:${subject}`) }
  })

const uncounted = "history_not_scanned:contracts"

/** An account that holds nothing in pools. */
const Newcomer = Effect.gen(function*() {
  const { on } = yield* Service
  const { destination, source } = yield* on(LendingNewcomer)
  yield* laterLedger
  return { source: source.publicKey(), destination: destination.publicKey() }
})

/** A plan of an account that no plan was made of yet, with such a history. */
const first = (crowd: Crowd) => Effect.flatMap(Newcomer, (request) => crowded(request, crowd))

layer(serviceOf("lend_1"), { excludeTestServices: true })("an account in whose history strangers name contracts without end", (it) => {
  it.effect("has none of those queried that they only declare to read: nothing is put anywhere by that", () =>
    Effect.gen(function*() {
      yield* first({ access: "read", records: 0, contracts: 0 })
      const [none, many] = [
        yield* first({ access: "read", records: 0, contracts: 0 }),
        yield* first({ access: "read", records: 100, contracts: 100 })
      ]
      assert.deepStrictEqual(many, none)
    }))

  it.effect("has some of those queried that they write, no more however many there are, and the plan says that it left some out", () =>
    Effect.gen(function*() {
      yield* first({ access: "write", records: 0, contracts: 0 })
      const few = yield* first({ access: "write", records: 5, contracts: 100 })
      const [more, most] = [
        yield* first({ access: "write", records: 50, contracts: 100 }),
        yield* first({ access: "write", records: 190, contracts: 100 })
      ]
      assert.deepStrictEqual([few, more, most].map(({ codes }) => codes.includes(uncounted)), [false, true, true])
      assert.deepStrictEqual([more, most].map(({ questions }) => questions), [few.questions, few.questions])
    }))
})

layer(serviceOf("lend_1"), { excludeTestServices: true })(
  "an account in whose history strangers name contracts, while events fail",
  (it) => {
    it.effect("has the doubt lifted only where none of these contracts is left out", () =>
      Effect.gen(function*() {
        const { sandbox } = yield* Service
        yield* sandbox.faults.set({ fault: new RpcError({ code: -32601, message: "no such method" }), rpc: "getEvents" })
        // Both began before the last ledger whose deployments are unknown.
        const [one, other] = [yield* Newcomer, yield* Newcomer]
        const few = yield* crowded(one, { access: "write", records: 5, contracts: 100 })
        const many = yield* crowded(other, { access: "write", records: 6, contracts: 100 })
        assert.deepStrictEqual([few, many].map(({ reasons }) => reasons), [[], ["positions_unread"]])
      }))
  }
)

layer(serviceOf("lend_1"), { excludeTestServices: true })(
  "an account of whose history the endpoint that lists it has forgotten the start",
  (it) => {
    it.effect("has a doubt not lifted where its creation is missing, though a ledger API says that it keeps that ledger", () =>
      Effect.gen(function*() {
        const [api, { on, sandbox }] = [yield* Api, yield* Service]
        yield* sandbox.faults.set({ fault: new RpcError({ code: -32601, message: "no such method" }), rpc: "getEvents" })
        /** An account, and how many of its oldest transactions its history lacks. */
        const lacking = (start: number) =>
          Effect.gen(function*() {
            const { destination, source } = yield* on(LendingNewcomer)
            const request = { source: source.publicKey(), destination: destination.publicKey() }
            yield* laterLedger
            yield* on(perform("an entry is written", { as: source, operations: [Operation.manageData({ name: "first", value: "1" })] }))
            return { request, start }
          })
        const all = [yield* lacking(0), yield* lacking(1)]
        const reasons = yield* Effect.forEach(all, ({ request, start }) => {
          api.lie = withHistory(request.source, (records) => records.slice(0, records.length - start))
          return Effect.map(plan(request), ({ blockers }) => blockers.map(({ reason }) => reason))
        })
        api.lie = null
        assert.deepStrictEqual(reasons, [[], ["positions_unread"]])
      }))
  }
)
