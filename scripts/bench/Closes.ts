import { Console, Effect } from "effect"
import { AccountReader } from "../../src/account/AccountReader.ts"
import { atOnce } from "../../src/chain/pace/Turns.ts"
import { Builder } from "../../src/close/answer/Builder.ts"
import { buildSituation } from "../../src/close/answer/BuildSituation.ts"
import { Planner } from "../../src/close/answer/Planner.ts"
import { project } from "../../src/close/project/Projection.ts"
import { closeInput } from "../../src/close/situation/CloseInput.ts"
import { AccountAddress } from "../../src/domain/Address.ts"
import { answersTo } from "./Answers.ts"
import { closerOver } from "./Closer.ts"
import { type Closing, closing } from "./Closing.ts"
import { cpuOf } from "./Cpu.ts"
import { millis, row } from "./Table.ts"
import { depthOf, makeUpstream } from "./Upstream.ts"

const latency = 25
const runs = 15

const scenarios: ReadonlyArray<readonly [string, Closing]> = [
  ["30 entries, 4 assets to sell", { balances: 4, bought: 4, emptyLines: 6, offers: 9, data: 7, claimable: 3 }],
  ["998 trustlines with a balance", { balances: 998, bought: 0, emptyLines: 0, offers: 0, data: 0, claimable: 0 }]
]

/** The sequential round trips of an effect after a first run. */
const depthIn = <A, E, R>({ take }: { readonly take: Effect.Effect<Parameters<typeof depthOf>[0]> }, work: Effect.Effect<A, E, R>) =>
  Effect.gen(function*() {
    yield* take
    yield* work
    return depthOf(yield* take)
  })

const measure = (name: string, holding: Closing) =>
  Effect.gen(function*() {
    const upstream = yield* makeUpstream(latency)
    yield* Effect.gen(function*() {
      const { keys: _, ...asked } = yield* closing(holding)
      const [reader, planner, builder, rehearsed] = [yield* AccountReader, yield* Planner, yield* Builder, yield* buildSituation]
      const request = { ...asked, decisions: answersTo(yield* planner.plan(asked), () => true) }
      const { estimate, status } = yield* planner.plan(request)
      if (status !== "ready") return yield* Effect.dieMessage(`the plan is ${status}`)
      const readDepth = yield* depthIn(upstream, reader.read(AccountAddress.make(asked.source), []))
      const planDepth = yield* depthIn(upstream, planner.plan(asked))
      const buildDepth = yield* depthIn(upstream, builder.next(request))
      const situation = yield* rehearsed(yield* closeInput(request, () => ({ listing: null, unverified: null })), "played")
      const { transactions } = atOnce(project(situation))
      const rounds = transactions.length
      if (rounds !== estimate.transactionCount) return yield* Effect.dieMessage("planned and built transactions differ")
      const cpu = cpuOf(() => atOnce(project(situation)), runs, 3)
      const checking = cpuOf(() => transactions.map(({ applied }) => applied.broken()), runs, 3)
      const share = `${(100 * checking / cpu).toFixed(1)} %`
      yield* Console.log(row([name, String(rounds), millis(cpu), share, String(readDepth), String(planDepth), String(buildDepth)]))
    }).pipe(Effect.provide(closerOver(upstream)))
  })

/** CPU of planning and building without their sources, and their sequential round trips. */
export const closes = Effect.gen(function*() {
  yield* Console.log(`CPU: the whole close decided, built and dry-run over all its rounds from what was read, the median of ${runs}.`)
  yield* Console.log("Depths: sequential round trips of the account read, of close/plan and of close/transactions.")
  yield* Console.log("Invariants: the part of the CPU that checks what each transaction did to the ledger model; goal: under 5 %.")
  yield* Console.log(row(["account", "rounds", "CPU", "invariants", "read depth", "plan depth", "build depth"]))
  for (const [name, holding] of scenarios) yield* measure(name, holding)
})
