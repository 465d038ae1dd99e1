import { Console, Effect } from "effect"
import { AccountReader } from "../../src/account/AccountReader.ts"
import { Planner } from "../../src/close/answer/Planner.ts"
import { AccountAddress } from "../../src/domain/Address.ts"
import { AllProtocols } from "../../src/sandbox/scenarios/AllProtocols.ts"
import { deployed, everyProtocol } from "../../src/serving/EmbeddedSandbox.ts"
import { LendingBackstop } from "../../test/support/scenarios/LendingBackstop.ts"
import { LendingDebtToBuy } from "../../test/support/scenarios/LendingDebtToBuy.ts"
import { closerOver } from "./Closer.ts"
import { row } from "./Table.ts"
import { depthOf, makeUpstream, pastFacts } from "./Upstream.ts"

const latency = 25

/** Allowed round trips of a plan beyond the account read where the account has positions. */
const beyondRead = 3

const accounts = [
  ["a deposit in a backstop", LendingBackstop, deployed("lend_1")],
  ["a debt that something is bought for", LendingDebtToBuy, deployed("lend_1")],
  ["positions in every protocol", AllProtocols, deployed(...everyProtocol)]
] as const

/** Requests of plans for accounts with positions, once lists of contracts are cached. */
export const trips = Effect.gen(function*() {
  yield* Console.log("Trips: sequential round trips of the account read and of close/plan; the plan's goal is the read and three more.")
  yield* Console.log(row(["account", "read trips", "plan trips", "goal", "requests"]))
  for (const [name, held, contracts] of accounts) {
    const upstream = yield* makeUpstream(latency)
    yield* Effect.gen(function*() {
      const scene = yield* held
      const [source, destination] = [AccountAddress.make(scene.source.publicKey()), AccountAddress.make(scene.destination.publicKey())]
      const [reader, planner] = [yield* AccountReader, yield* Planner]
      yield* reader.read(source, [])
      yield* pastFacts
      yield* upstream.take
      yield* reader.read(source, [])
      const read = depthOf(yield* upstream.take)
      yield* pastFacts
      yield* planner.plan({ source, destination })
      const asked = yield* upstream.take
      yield* Console.log(row([name, String(read), String(depthOf(asked)), String(read + beyondRead), String(asked.length)]))
    }).pipe(Effect.provide(closerOver(upstream, contracts)))
  }
})
