import { Transaction, TransactionBuilder } from "@stellar/stellar-sdk"
import { Console, Effect } from "effect"
import { Builder } from "../../src/close/answer/Builder.ts"
import { Planner } from "../../src/close/answer/Planner.ts"
import type { Plan } from "../../src/domain/Plan.ts"
import { Network } from "../../src/sandbox/Network.ts"
import { answersTo } from "./Answers.ts"
import { closerOver } from "./Closer.ts"
import { closing } from "./Closing.ts"
import { row } from "./Table.ts"
import { depthOf, makeUpstream, type Upstream } from "./Upstream.ts"

const latency = 250
const atATime = 8

const quoted = ({ decisionPoints }: Plan): number =>
  decisionPoints.filter(({ options }) => options.some(({ quote }) => quote !== undefined)).length

/** Cost of some work: sequential round trips to the sources, and seconds. */
const taken = <A, E, R>({ take }: Upstream, work: Effect.Effect<A, E, R>) =>
  Effect.gen(function*() {
    yield* take
    const start = process.hrtime.bigint()
    const value = yield* work
    return { value, trips: depthOf(yield* take), seconds: Number(process.hrtime.bigint() - start) / 1e9 }
  })

const holderOf = (assets: number) => closing({ balances: assets, bought: assets, emptyLines: 0, offers: 0, data: 0, claimable: 0 })

const line = (what: string, { seconds, trips }: { readonly trips: number; readonly seconds: number }, goal: number, note: string) =>
  Console.log(row([what, String(trips), goal.toFixed(1), seconds.toFixed(1)]) + `   ${note}`)

const wholeClose = (assets: number) =>
  Effect.gen(function*() {
    const upstream = yield* makeUpstream(latency)
    yield* Effect.gen(function*() {
      const { keys, ...asked } = yield* holderOf(assets)
      const [planner, builder, network] = [yield* Planner, yield* Builder, yield* Network]
      let first = yield* taken(upstream, planner.plan(asked))
      let seconds = first.seconds
      yield* line(`plan of ${assets} priced assets`, first, (2 * assets) / atATime + 8, `${quoted(first.value)} quoted`)
      while (quoted(first.value) < assets) {
        first = yield* taken(upstream, planner.plan(asked))
        seconds += first.seconds
        yield* line("the same again", first, (2 * assets) / atATime + 8, `${quoted(first.value)} quoted`)
      }
      const request = { ...asked, decisions: answersTo(first.value) }
      const ready = yield* taken(upstream, planner.plan(request))
      seconds += ready.seconds
      let more = true
      yield* line("the same with its answers", ready, 8, ready.value.status)
      while (more) {
        const next = yield* taken(upstream, builder.next(request))
        const [transaction] = next.value.transactions
        if (transaction === undefined) return yield* Effect.dieMessage("nothing was built")
        const sales = transaction.intent.operations.filter(({ type }) => type === "path_payment_strict_send").length
        yield* line("build", next, (2 * 50) / atATime + 6, `${sales} sold`)
        const envelope = TransactionBuilder.fromXdr(transaction.xdr, network.passphrase)
        if (!(envelope instanceof Transaction)) return yield* Effect.dieMessage("a fee bump")
        envelope.sign(keys)
        yield* network.submit(envelope.toEnvelope())
        seconds += next.seconds
        more = next.value.remaining.requiresAnotherCall
      }
      yield* Console.log(`The whole close took ${seconds.toFixed(1)} s, the goal is 60 s.`)
    }).pipe(Effect.provide(closerOver(upstream)))
  })

/** Plans until every asset has a quote. */
const converging = (assets: number) =>
  Effect.gen(function*() {
    const upstream = yield* makeUpstream(latency)
    yield* Effect.gen(function*() {
      const { keys: _, ...asked } = yield* holderOf(assets)
      const planner = yield* Planner
      for (let turn = 1, found = 0; found < assets && turn <= 6; turn++) {
        const plan = yield* taken(upstream, planner.plan(asked))
        found = quoted(plan.value)
        yield* line(`plan ${turn} of ${assets} priced assets (goal: 4)`, plan, (2 * assets) / atATime + 8, `${found} quoted`)
      }
    }).pipe(Effect.provide(closerOver(upstream)))
  })

/** Cost of an account of many priced assets where every answer of the sources takes a quarter of a second. */
export const manyAssets = Effect.gen(function*() {
  yield* Console.log(`${latency} ms for each upstream request, ${atATime} quotes at a time; trips: sequential round trips.`)
  yield* Console.log(row(["request", "trips", "goal", "seconds"]))
  yield* wholeClose(300)
  yield* converging(998)
})
