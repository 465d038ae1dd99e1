import { Asset, Claimant, Keypair, Operation } from "@stellar/stellar-sdk"
import { Console, Effect, Schema } from "effect"
import { atOnce } from "../../src/chain/pace/Turns.ts"
import { Planner } from "../../src/close/answer/Planner.ts"
import { project } from "../../src/close/project/Projection.ts"
import { SituationReader } from "../../src/close/read/SituationReader.ts"
import { closeInput } from "../../src/close/situation/CloseInput.ts"
import { Plan } from "../../src/domain/Plan.ts"
import { fund, perform } from "../../src/sandbox/scenarios/Scenario.ts"
import { closerOver } from "./Closer.ts"
import { cpuOf } from "./Cpu.ts"
import { median, millis, row } from "./Table.ts"
import { makeUpstream } from "./Upstream.ts"

const runs = 3

const encoded = Schema.encodeSync(Plan)

/** An account with this many claimable balances, of lumens or of this many assets in turn, to which it has trustlines. */
const givenTo = (count: number, kinds: number) =>
  Effect.gen(function*() {
    const [source, destination, giver] = [Keypair.random(), Keypair.random(), Keypair.random()]
    yield* fund("10000", source, destination, giver)
    const assets = kinds === 0 ? [Asset.native()] : Array.from({ length: kinds }, (_, at) => new Asset(`G${at}`, giver.publicKey()))
    if (kinds > 0) yield* perform("its lines", { as: source, operations: assets.map((asset) => Operation.changeTrust({ asset })) })
    for (let from = 0; from < count; from += 100) {
      yield* perform("a hundred of them", {
        as: giver,
        operations: Array.from({ length: 100 }, (_, at) =>
          Operation.createClaimableBalance({
            asset: assets[(from + at) % assets.length] ?? Asset.native(),
            amount: "0.0000001",
            claimants: [new Claimant(source.publicKey())]
          }))
      })
    }
    return { source: source.publicKey(), destination: destination.publicKey() }
  })

const cpuOfEffect = <A, E, R>(work: Effect.Effect<A, E, R>) =>
  Effect.gen(function*() {
    const before = process.cpuUsage()
    yield* work
    const { system, user } = process.cpuUsage(before)
    return (system + user) / 1000
  })

const measure = (count: number, kinds: number) =>
  Effect.gen(function*() {
    const upstream = yield* makeUpstream(0)
    return yield* Effect.gen(function*() {
      const asked = yield* givenTo(count, kinds)
      const [planner, situations] = [yield* Planner, yield* SituationReader]
      const answer = Effect.map(planner.plan(asked), (plan) => JSON.stringify(encoded(plan)))
      const bytes = (yield* answer).length
      yield* upstream.replay
      const cpu = median(yield* Effect.forEach(Array.from({ length: runs }), () => cpuOfEffect(answer)))
      const situation = yield* situations.read(yield* closeInput(asked, () => ({ listing: null, unverified: null })))
      yield* Console.log(row([
        `${count} of ${kinds === 0 ? "lumens" : `${kinds} assets`}`,
        millis(cpu),
        millis(cpuOf(() => atOnce(project(situation)), runs, 1)),
        String(bytes)
      ]))
      return cpu
    }).pipe(Effect.provide(closerOver(upstream)))
  })

/** Cost of a plan of very many claimable balances: in proportion to their number. */
export const manyClaims = Effect.gen(function*() {
  yield* Console.log(
    `CPU of a plan with its answer written, its sources' answers repeated from memory, the median of ${runs}; of the close alone; bytes of the answer.`
  )
  yield* Console.log("Goals: 8000 at most 9 times 1000, 5 s and 3 MB.")
  yield* Console.log(row(["claimable balances", "plan CPU", "close CPU", "bytes"]))
  for (const kinds of [0, 1]) {
    const least = yield* measure(1000, kinds)
    const most = yield* measure(8000, kinds)
    yield* Console.log(row(["8000 / 1000", (most / least).toFixed(2)]))
  }
})
