import { HttpClient } from "@effect/platform"
import { Keypair } from "@stellar/stellar-sdk"
import { Console, Effect, Layer } from "effect"
import { ContractRpc } from "../../src/chain/ContractRpc.ts"
import { LedgerApi } from "../../src/chain/LedgerApi.ts"
import { LedgerEntries } from "../../src/chain/LedgerEntries.ts"
import { AccountAddress } from "../../src/domain/Address.ts"
import { ProtocolRegistry } from "../../src/protocols/ProtocolRegistry.ts"
import { ContractAddresses } from "../../src/registry/ContractAddresses.ts"
import { TokenLists } from "../../src/registry/TokenLists.ts"
import { Friendbot } from "../../src/sandbox/Friendbot.ts"
import { inMemoryTransport } from "../../src/sandbox/InMemoryTransport.ts"
import { Network } from "../../src/sandbox/Network.ts"
import { fund } from "../../src/sandbox/scenarios/Scenario.ts"
import { AllowanceLookup } from "../../src/tokens/AllowanceLookup.ts"
import { AllowanceReader } from "../../src/tokens/AllowanceReader.ts"
import { OwnerEvents } from "../../src/tokens/OwnerEvents.ts"
import { ApprovalHistory } from "../../test/support/scenarios/ApprovalHistory.ts"
import { settings } from "./Reader.ts"
import { median, millis, row } from "./Table.ts"
import { depthOf, type Exchange, makeUpstream, type Upstream } from "./Upstream.ts"

const live = 50
const revoked = 500
const tokens = 10
const runs = 5
const latency = 25

/** Seven days of ledgers at five seconds, all within the sandbox's retention. */
const ledgers = 120_960

/** The production layers of the route over a sandbox in this process, with an empty cache. */
const readerOn = ({ between }: Upstream) =>
  AllowanceReader.layer.pipe(
    Layer.provide([AllowanceLookup.layer, OwnerEvents.layer, ProtocolRegistry.layer, TokenLists.layerContracts]),
    Layer.provide(LedgerEntries.layer),
    Layer.provide(Layer.mergeAll(ContractRpc.layer, LedgerApi.layer)),
    Layer.provide([settings, ContractAddresses.layerNone]),
    Layer.provide(
      Layer.effect(HttpClient.HttpClient, Effect.map(inMemoryTransport, HttpClient.transform((send, request) => between(request, send))))
    )
  )

/** An account with this many live and revoked approvals, spread over the days. */
const Approvals = Effect.gen(function*() {
  const owner = Keypair.random()
  yield* fund("10000", owner)
  yield* ApprovalHistory({ owner, tokens, live, revoked, ledgers })
  return AccountAddress.make(owner.publicKey())
})

interface Figures {
  readonly took: number
  /** Milliseconds of CPU of this process. */
  readonly cpu: number
  readonly rows: number
  readonly exchanges: ReadonlyArray<Exchange>
}

const timed = (owner: AccountAddress, { take }: Upstream) =>
  Effect.gen(function*() {
    const { read } = yield* AllowanceReader
    yield* take
    const [began, used] = [performance.now(), process.cpuUsage()]
    const { allowances } = yield* read({ owner, tokens: [], spenders: [] })
    const { system, user } = process.cpuUsage(used)
    const figures: Figures = {
      took: performance.now() - began,
      cpu: (system + user) / 1000,
      rows: allowances.length,
      exchanges: yield* take
    }
    return figures
  })

const line = (name: string, all: ReadonlyArray<Figures>): string => {
  const [first] = all
  const exchanges = first?.exchanges ?? []
  const windows = exchanges.filter(({ question }) => question === "getEvents").length
  const keys = exchanges.reduce((sum, one) => sum + one.keys, 0)
  return row([
    name,
    millis(median(all.map(({ took }) => took))),
    millis(median(all.map(({ cpu }) => cpu))),
    String(depthOf(exchanges)),
    String(windows),
    String(exchanges.length),
    String(keys),
    String(first?.rows ?? 0)
  ])
}

/** Cost of reading the allowances of an account with many. */
export const allowances = Effect.gen(function*() {
  const owner = yield* Approvals
  const upstream = yield* makeUpstream(latency)
  const figures: Array<{ readonly cold: Figures; readonly warm: Figures }> = []
  // The sandbox searches its ledgers in this process, so later runs replay its first answers.
  yield* Effect.provide(timed(owner, upstream), Layer.fresh(readerOn(upstream)))
  yield* upstream.replay
  for (let run = 0; run < runs; run++) {
    const reads = Effect.all({ cold: timed(owner, upstream), warm: timed(owner, upstream) })
    figures.push(yield* Effect.provide(reads, Layer.fresh(readerOn(upstream))))
  }
  yield* Console.log(
    `Allowances of an account, ${live} live and ${revoked} revoked over 7 days of events, answers after ${latency} ms, the median of ${runs}; goal: at most 3 s cold, 300 ms warm.`
  )
  yield* Console.log(row(["read", "time", "CPU", "trips", "windows", "calls", "keys", "rows"]))
  yield* Console.log(line("cold", figures.map(({ cold }) => cold)))
  yield* Console.log(line("warm", figures.map(({ warm }) => warm)))
}).pipe(Effect.scoped, Effect.provide(Layer.provideMerge(Friendbot.layer, Network.layer({ retention: ledgers + 1000 }))))
