import type { Keypair } from "@stellar/stellar-sdk"
import { Console, Context, Effect, Layer } from "effect"
import { AccountReader } from "../../src/account/AccountReader.ts"
import { Planner } from "../../src/close/answer/Planner.ts"
import { AccountAddress, ContractAddress } from "../../src/domain/Address.ts"
import type { Plan } from "../../src/domain/Plan.ts"
import { strkeyOf } from "../../src/ledger/soroban/Values.ts"
import { ContractAddresses } from "../../src/registry/ContractAddresses.ts"
import { Network } from "../../src/sandbox/Network.ts"
import { pairsContracts } from "../../src/sandbox/scenarios/PairsContracts.ts"
import { PairsNewcomer } from "../../src/sandbox/scenarios/PairsNewcomer.ts"
import { deployToken, mintToken } from "../../src/sandbox/scenarios/Tokens.ts"
import { deployed } from "../../src/serving/EmbeddedSandbox.ts"
import { answersTo } from "./Answers.ts"
import { closerOver } from "./Closer.ts"
import { cpuWithin } from "./Cpu.ts"
import { median, millis, row } from "./Table.ts"
import { depthOf, makeUpstream, type Upstream } from "./Upstream.ts"

const latency = 25
const runs = 15

/** Tokens that no one trades, beside the one that pools buy. */
const untraded = 3

/** The pairs of amm_2, and one listed contract token; other holdings are found by the owner's events. */
const contracts = Layer.map(
  deployed("amm_2"),
  (context) =>
    Context.make(ContractAddresses, {
      ...Context.get(context, ContractAddresses),
      tokens: [ContractAddress.make(strkeyOf(pairsContracts.plainToken))]
    })
)

/** An account with two assets and this many contract tokens, one of which pools buy through another. */
const Holder = Effect.gen(function*() {
  const { closeLedger } = yield* Network
  const { destination, source } = yield* PairsNewcomer
  for (let index = 0; index < untraded; index++) yield* mintToken(yield* deployToken(), source.publicKey(), 5_000_000n)
  yield* closeLedger({ advanceSeconds: 5 })
  const addressOf = (key: Keypair) => AccountAddress.make(key.publicKey())
  return { source: addressOf(source), destination: addressOf(destination) }
})

/** Every question has an answer: tokens that pools buy are sold. */
const answered = (plan: Plan) => answersTo(plan, () => true)

/** Requests, depth and CPU of repeated work; sources replay their answers, which costs next to nothing. */
const costOf = <A, E, R>(name: string, { take }: Upstream, work: Effect.Effect<A, E, R>) =>
  Effect.gen(function*() {
    yield* work
    yield* take
    yield* work
    const exchanges = yield* take
    const cpu = yield* Effect.forEach(Array.from({ length: 2 * runs }), () => cpuWithin(work))
    yield* Console.log(row([name, String(exchanges.length), String(depthOf(exchanges)), millis(median(cpu.slice(runs)))]))
  })

/** Cost of contract tokens for a read and a plan, and for a plan that sells one of them through pools. */
export const tokenHolders = Effect.gen(function*() {
  const upstream = yield* makeUpstream(latency)
  yield* Console.log(
    `An account of ${
      untraded + 1
    } contract tokens and two assets, one token sold through two pools of amm_2; ${latency} ms for each upstream request, asked before.`
  )
  yield* Console.log(row(["request", "requests", "depth", "CPU"]))
  yield* Effect.gen(function*() {
    const asked = yield* Holder
    const [reader, planner] = [yield* AccountReader, yield* Planner]
    const { tokens } = yield* reader.read(asked.source, [])
    if (tokens.held.length !== untraded + 1) return yield* Effect.dieMessage(`${tokens.held.length} tokens were found`)
    const request = { ...asked, decisions: answered(yield* planner.plan(asked)) }
    const { status } = yield* planner.plan(request)
    const sold = request.decisions.filter(({ choice, id }) => choice === "convert_to_native" && id.startsWith("token:")).length
    if (status !== "ready" || sold !== 1) return yield* Effect.dieMessage(`the plan is ${status} and sells ${sold} tokens`)
    yield* reader.read(asked.source, [])
    yield* upstream.replay
    yield* costOf("read", upstream, reader.read(asked.source, []))
    yield* costOf("plan", upstream, planner.plan(asked))
    yield* costOf("plan with its sale", upstream, planner.plan(request))
  }).pipe(Effect.provide(closerOver(upstream, contracts)))
})
