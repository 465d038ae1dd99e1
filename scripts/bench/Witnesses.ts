import { Console, Effect } from "effect"
import { Builder } from "../../src/close/answer/Builder.ts"
import { Planner } from "../../src/close/answer/Planner.ts"
import { AccountAddress } from "../../src/domain/Address.ts"
import { Network } from "../../src/sandbox/Network.ts"
import { LendingNewcomer } from "../../src/sandbox/scenarios/LendingNewcomer.ts"
import { deployed } from "../../src/serving/EmbeddedSandbox.ts"
import { LendingDebt } from "../../test/support/scenarios/LendingDebt.ts"
import { LendingSupply } from "../../test/support/scenarios/LendingSupply.ts"
import { answersTo } from "./Answers.ts"
import { closerOver } from "./Closer.ts"
import { settingsOf } from "./Reader.ts"
import { row } from "./Table.ts"
import { depthOf, makeUpstream } from "./Upstream.ts"

const latency = 25

const first = "http://sandbox.invalid"
const second = "http://second.invalid"

/** Next transactions, each with an account that gets it. */
const accounts = [
  ["a merge", LendingNewcomer],
  ["an exit that hands nothing over", LendingSupply],
  ["an exit that repays a debt", LendingDebt]
] as const

const asked = (scenario: (typeof accounts)[number][1]) =>
  Effect.gen(function*() {
    const upstream = yield* makeUpstream(latency)
    return yield* Effect.gen(function*() {
      const [planner, builder, { closeLedger }] = [yield* Planner, yield* Builder, yield* Network]
      const { destination, source } = yield* scenario
      yield* closeLedger({ advanceSeconds: 5 })
      const request = { source: AccountAddress.make(source.publicKey()), destination: AccountAddress.make(destination.publicKey()) }
      const decisions = answersTo(yield* planner.plan(request))
      const build = builder.next({ ...request, decisions })
      yield* upstream.take
      yield* build
      const cold = yield* upstream.take
      yield* build
      return { cold, warm: yield* upstream.take }
    }).pipe(Effect.provide(closerOver(upstream, deployed("lend_1", "cdp_1"), settingsOf(first, second))))
  })

/** Cost of a second contract RPC for a build. */
export const witnesses = Effect.gen(function*() {
  yield* Console.log(
    "A second contract RPC at a build, lend_1 and cdp_1 deployed; goal: at most ceil(keys / 200) + 1 requests (the first also asks for its network), one trip."
  )
  yield* Console.log(row(["build of", "keys", "requests", "depth", "goal"]))
  for (const [name, scenario] of accounts) {
    const { cold, warm } = yield* asked(scenario)
    for (const [when, exchanges] of [["first", cold], ["later", warm]] as const) {
      const own = exchanges.filter(({ origin }) => origin === second)
      const keys = own.reduce((sum, one) => sum + one.keys, 0)
      yield* Console.log(
        row([`${name}, ${when}`, String(keys), String(own.length), String(depthOf(own)), String(Math.ceil(keys / 200) + 1)])
      )
    }
  }
})
