import { Keypair, TransactionBuilder } from "@stellar/stellar-sdk"
import { Console, Duration, Effect } from "effect"
import { AccountReader } from "../../src/account/AccountReader.ts"
import { batchConcurrency, BatchPlan } from "../../src/close/answer/BatchPlan.ts"
import { Builder } from "../../src/close/answer/Builder.ts"
import { Planner } from "../../src/close/answer/Planner.ts"
import { AccountAddress } from "../../src/domain/Address.ts"
import type { TransactionsRequest } from "../../src/domain/CloseTransaction.ts"
import type { CloseRequest, Plan } from "../../src/domain/Plan.ts"
import { Network } from "../../src/sandbox/Network.ts"
import { AllProtocols } from "../../src/sandbox/scenarios/AllProtocols.ts"
import { rewardedSeconds } from "../../src/sandbox/scenarios/Amm1Positions.ts"
import { fund } from "../../src/sandbox/scenarios/Scenario.ts"
import { deployed, everyProtocol } from "../../src/serving/EmbeddedSandbox.ts"
import { LendingBackstop } from "../../test/support/scenarios/LendingBackstop.ts"
import { answersTo } from "./Answers.ts"
import { closing } from "./Closing.ts"
import { inMemory, onTestnet, submitted } from "./InMemory.ts"
import { row } from "./Table.ts"
import { depthOf, type Exchange, makeUpstream, pastFacts, type Upstream } from "./Upstream.ts"

const latency = "50 millis"

/** Runs work on the clock of the measurement. */
export type Run = <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>

/** Requests of some calls of the service to the sources, call by call. */
export type Calls = ReadonlyArray<ReadonlyArray<Exchange>>

/** The result of some work, and its requests. */
const asking = <A, E, R>(run: Run, { take }: Upstream, work: Effect.Effect<A, E, R>) =>
  Effect.gen(function*() {
    yield* take
    const value = yield* run(work)
    return { value, asked: yield* take }
  })

/** Allowances are revoked too. */
const withAllowances = (plan: Plan) => answersTo(plan, ({ type }) => type === "allowance")

const read = (address: string) => onTestnet(Effect.flatMap(AccountReader, (reader) => reader.read(AccountAddress.make(address), [])))
const plan = (request: CloseRequest) => onTestnet(Effect.flatMap(Planner, (planner) => planner.plan(request)))
const build = (request: TransactionsRequest) => onTestnet(Effect.flatMap(Builder, (builder) => builder.next(request)))

const signed = (xdr: string, keys: Keypair) =>
  Effect.map(Network, ({ passphrase }) => {
    const transaction = TransactionBuilder.fromXdr(xdr, passphrase)
    transaction.sign(keys)
    return transaction.toXdr()
  })

/** The account of thirty entries, after a first read, so that the sources have reported their network. */
const thirty = (run: Run) =>
  Effect.gen(function*() {
    const account = yield* closing({ balances: 4, bought: 4, emptyLines: 6, offers: 9, data: 7, claimable: 3 })
    yield* run(Effect.zipRight(read(account.source), pastFacts))
    return account
  })

/** A read of thirty entries. */
export const readOfThirty = (upstream: Upstream, run: Run) =>
  Effect.flatMap(thirty(run), ({ source }) => Effect.map(asking(run, upstream, read(source)), ({ asked }): Calls => [asked]))

/** A close of thirty entries: a plan, the plan with its answers, a build, a submit, and the plan of the completed close. */
export const closeOfThirty = (upstream: Upstream, run: Run) =>
  Effect.gen(function*() {
    const { keys, ...asked } = yield* thirty(run)
    const first = yield* asking(run, upstream, plan(asked))
    const request = { ...asked, decisions: withAllowances(first.value) }
    const answered = yield* asking(run, upstream, plan(request))
    const built = yield* asking(run, upstream, build(request))
    const sent = yield* asking(run, upstream, submitted(yield* signed(built.value.transactions[0]?.xdr ?? "", keys)))
    const last = yield* asking(run, upstream, plan(request))
    const calls: Calls = [first, answered, built, sent, last].map((one) => one.asked)
    return { calls, statuses: [answered.value.status, sent.value.status, last.value.status] }
  })

/** An account with lumens only, whose owner acknowledged the destination. */
const plain = (run: Run) =>
  Effect.gen(function*() {
    const [keys, destination] = [Keypair.random(), Keypair.random()]
    yield* fund("100", keys, destination)
    yield* run(Effect.zipRight(read(keys.publicKey()), pastFacts))
    const to = destination.publicKey()
    const request = {
      source: keys.publicKey(),
      destination: to,
      decisions: [{ id: `destination:${to}`, choice: "i_control_this_address" as const }]
    }
    return { keys, request }
  })

/** Plans of this many accounts with lumens only in one batch, after the sources have reported their network. */
export const batchOfPlain = (count: number, upstream: Upstream, run: Run) =>
  Effect.gen(function*() {
    const keys = Array.from({ length: count }, () => Keypair.random())
    yield* fund("100", ...keys)
    const addresses = keys.map((key) => key.publicKey())
    yield* run(Effect.zipRight(read(addresses[0] ?? ""), pastFacts))
    const { asked, value } = yield* asking(
      run,
      upstream,
      onTestnet(
        Effect.flatMap(Effect.flatMap(BatchPlan, (batch) => batch.plans({ addresses })), (plans) =>
          Effect.forEach(plans, ({ plan }) => plan, { concurrency: batchConcurrency }))
      )
    )
    const calls: Calls = [asked]
    return { calls, plans: value }
  })

/** A plan of such an account. */
export const planOfPlain = (upstream: Upstream, run: Run) =>
  Effect.flatMap(plain(run), ({ request }) => Effect.map(asking(run, upstream, plan(request)), ({ asked }): Calls => [asked]))

/** Its close by a build and a submit. */
export const closeOfPlain = (upstream: Upstream, run: Run) =>
  Effect.gen(function*() {
    const { keys, request } = yield* plain(run)
    const built = yield* asking(run, upstream, build(request))
    const sent = yield* asking(run, upstream, submitted(yield* signed(built.value.transactions[0]?.xdr ?? "", keys)))
    const calls: Calls = [built.asked, sent.asked]
    return calls
  })

/** A service that has run for a while has measured how fast ledgers close. */
export const paceMeasured = (run: Run, closeEvery: Duration.DurationInput) =>
  Effect.gen(function*() {
    const another = Keypair.random()
    yield* fund("100", another)
    yield* run(Effect.zipRight(read(another.publicKey()), Effect.sleep(Duration.times(closeEvery, 22))))
  })

/** A network with the demo's richest account, whose clock ends at that of the process. */
export const richestNetwork = (closeEvery: Duration.DurationInput) => ({ closeOnSubmit: false, closeEvery, secondsBehind: rewardedSeconds })

/** The close of the demo's richest account, and the ledgers from each build of a contract transaction to the end of its submit. */
export const closeOfRichest = (upstream: Upstream, run: Run, closeEvery: Duration.DurationInput) =>
  Effect.gen(function*() {
    const { destination, source } = yield* AllProtocols
    yield* paceMeasured(run, closeEvery)
    const asked = { source: source.publicKey(), destination: destination.publicKey() }
    const ledger = Effect.flatMap(Network, ({ snapshot }) => Effect.map(snapshot, ({ state }) => state.header.ledgerSeq))
    const first = yield* asking(run, upstream, plan(asked))
    const request = { ...asked, decisions: withAllowances(first.value) }
    const calls: Array<ReadonlyArray<Exchange>> = [first.asked]
    const perCall: Array<number> = []
    for (let isOpen = true; isOpen;) {
      const began = yield* ledger
      const built = yield* asking(run, upstream, build(request))
      const [offered] = built.value.transactions
      const sent = yield* asking(run, upstream, submitted(yield* signed(offered?.xdr ?? "", source)))
      calls.push(built.asked, sent.asked)
      if (offered?.dryRun.simulated !== null) perCall.push((yield* ledger) - began)
      isOpen = built.value.remaining.requiresAnotherCall
    }
    calls.push((yield* asking(run, upstream, plan(request))).asked)
    return { calls, perCall }
  })

/** Requests of all calls, and their round trips one after the other. */
export const totalOf = (calls: Calls): { readonly requests: number; readonly depth: number } => ({
  requests: calls.reduce((sum, asked) => sum + asked.length, 0),
  depth: calls.reduce((sum, asked) => sum + depthOf(asked), 0)
})

/** Between two ledgers of the public network. */
const publicPace = "5 seconds"

const everywhere = deployed(...everyProtocol)

const bare: Run = (work) => work

/** A measure over a stack of its own. */
const over = <A, E, R>(
  measure: (upstream: Upstream) => Effect.Effect<A, E, R>,
  stack: (upstream: Upstream) => ReturnType<typeof inMemory>
) => Effect.flatMap(makeUpstream(latency), (upstream) => Effect.provide(measure(upstream), stack(upstream)))

const alone = ({ between }: Upstream) => inMemory(between)
const amongProtocols = ({ between }: Upstream) => inMemory(between, {}, everywhere)
const inDemo = ({ between }: Upstream) => inMemory(between, richestNetwork(publicPace), everywhere)

/** The requests of some usual calls, each with its goal. */
export const requests = Effect.gen(function*() {
  yield* Console.log(`Requests and sequential round trips, one endpoint of each kind, ${latency} for each answer; goals behind them.`)
  yield* Console.log(row(["calls", "requests", "goal", "depth", "goal"]))
  const line = (name: string, calls: Calls, [most, deepest]: readonly [number, number]) => {
    const { depth, requests } = totalOf(calls)
    return Console.log(row([name, String(requests), String(most), String(depth), String(deepest)]))
  }
  yield* line("read of 30 entries", yield* over((upstream) => readOfThirty(upstream, bare), alone), [8, 2])
  yield* line("plan of a plain account", yield* over((upstream) => planOfPlain(upstream, bare), alone), [10, 3])
  yield* line("its close by build and submit", yield* over((upstream) => closeOfPlain(upstream, bare), alone), [12, 5])
  const batch = yield* over((upstream) => batchOfPlain(50, upstream, bare), alone)
  yield* line("batch of 50 plain accounts", batch.calls, [280, 30])
  const { calls } = yield* over((upstream) => closeOfThirty(upstream, bare), alone)
  yield* line("close of 30 entries, five calls", calls, [44, 12])
  const among = yield* over((upstream) => Effect.zipRight(LendingBackstop, closeOfThirty(upstream, bare)), amongProtocols)
  yield* line("the same, five protocols configured", among.calls, [70, 16])
  const rich = yield* over((upstream) => closeOfRichest(upstream, bare, publicPace), inDemo)
  yield* Console.log(row(["the demo's richest account", String(totalOf(rich.calls).requests), "1100"]))
  const mean = rich.perCall.reduce((sum, one) => sum + one, 0) / rich.perCall.length
  yield* Console.log(row(["its ledgers (5 s) a contract transaction", mean.toFixed(1), "2"]))
})
