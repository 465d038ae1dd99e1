import { Keypair } from "@stellar/stellar-sdk"
import { Console, Effect, type Layer } from "effect"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { AccountReader } from "../../src/account/AccountReader.ts"
import { AccountAddress } from "../../src/domain/Address.ts"
import { addressOf } from "../../src/ledger/soroban/Values.ts"
import type { ContractAddresses } from "../../src/registry/ContractAddresses.ts"
import { Network } from "../../src/sandbox/Network.ts"
import { AllProtocols } from "../../src/sandbox/scenarios/AllProtocols.ts"
import { withManyPools } from "../../src/sandbox/scenarios/Amm1Entries.ts"
import { withManyPairs } from "../../src/sandbox/scenarios/PairsEntries.ts"
import { fund } from "../../src/sandbox/scenarios/Scenario.ts"
import { withManyStakedPools } from "../../src/sandbox/scenarios/StakedPoolsEntries.ts"
import { deployed, everyProtocol } from "../../src/serving/EmbeddedSandbox.ts"
import { cpuWithin } from "./Cpu.ts"
import { readerOn } from "./Reader.ts"
import { median, row } from "./Table.ts"
import { depthOf, type Exchange, makeUpstream, pastFacts, type Upstream } from "./Upstream.ts"

const latency = 25
const runs = 15

/** How many contracts each protocol lists that has lists. */
interface Lengths {
  readonly amm1: number
  readonly amm2: number
  readonly amm3: number
}

/** As many as on a public network. */
export const listed: Lengths = { amm1: 346, amm2: 214, amm3: 11 }

/** Lists that grew. Of amm_1 3,000 pools are read at most. amm_3 keeps its list in one entry, which has a limit. */
const grown: ReadonlyArray<Lengths> = [{ amm1: 1000, amm2: 1000, amm3: 11 }, { amm1: 5000, amm2: 5000, amm3: 11 }]

/** The allowance for a warm read with the lists of pools, beyond one without. */
export const most = { calls: 6, trips: 2, millis: 30 } as const

/** The length of each list from the scenarios alone. */
const own = 3

/** A network with lists of these lengths, an account with a position in each protocol, and an empty account. */
export const accountsBeside = Effect.fn("FullLists.accountsBeside")(function*(lengths: Lengths) {
  const { amend, passphrase } = yield* Network
  const { pairs, source: holder, staked } = yield* AllProtocols
  const nobody = Keypair.random()
  yield* fund("100", nobody)
  const provider = addressOf(staked.provider.publicKey())
  const pair = {
    holder: pairs.provider.publicKey(),
    reserves: [1_000_000n, 1_000_000n],
    shares: 1_000n,
    supply: 1_000_000n
  } as const
  yield* amend((state) => {
    const pools = withManyPools(state, lengths.amm1 - own)
    const withPairs = withManyPairs(pools, passphrase, { ...pair, count: lengths.amm2 - own })
    return withManyStakedPools(withPairs.state, { assets: staked.assets, passphrase, provider, count: lengths.amm3 - own })
  })
  return { holder, nobody }
})

/** A service with all protocols, and one with only those without lists of pools. */
export const services: ReadonlyArray<readonly [string, Layer.Layer<ContractAddresses>]> = [
  ["without the lists", deployed("lend_1", "cdp_1")],
  ["with the lists", deployed(...everyProtocol)]
]

const readOf = (account: Keypair) => Effect.flatMap(AccountReader, (reader) => reader.read(AccountAddress.make(account.publicKey()), []))

/** The requests of a service's first read and of the next one, and the latter's findings. */
export const exchangesOf = (upstream: Upstream, account: Keypair) =>
  Effect.gen(function*() {
    yield* upstream.take
    yield* readOf(account)
    const cold = yield* upstream.take
    yield* pastFacts
    const { state } = yield* readOf(account)
    return { cold, warm: yield* upstream.take, positions: state.defiPositions }
  })

/** The number of calls for ledger entries. */
export const callsOf = (exchanges: ReadonlyArray<Exchange>): number =>
  exchanges.filter(({ question }) => question === "getLedgerEntries").length

/** Bytes of the used heap, after a collection. */
const heapInUse = Effect.sync(() => {
  setFlagsFromString("--expose-gc")
  const collect: unknown = runInNewContext("gc")
  if (typeof collect === "function") collect()
  return process.memoryUsage().heapUsed
})

/**
 * Cost of an account on one service: exchanges, then CPU of a warm read (sources replay their answers) and the heap that the first read
 * left in use.
 */
const costOf = (account: Keypair, contracts: Layer.Layer<ContractAddresses>) =>
  Effect.gen(function*() {
    const upstream = yield* makeUpstream(latency)
    const exchanges = yield* Effect.provide(exchangesOf(upstream, account), readerOn(upstream, contracts))
    const quick = yield* makeUpstream(0)
    return yield* Effect.gen(function*() {
      const before = yield* heapInUse
      yield* readOf(account)
      yield* quick.take
      const heap = (yield* heapInUse) - before
      yield* readOf(account)
      yield* quick.replay
      const cpu = yield* Effect.forEach(Array.from({ length: 2 * runs }), () => cpuWithin(readOf(account)))
      return { ...exchanges, cpu: median(cpu.slice(runs)), heap }
    }).pipe(Effect.provide(readerOn(quick, contracts)))
  })

/** Rows, requests, calls for entries and depth of a read; then CPU or heap. */
const line = (name: string, cells: ReadonlyArray<string>) => Console.log(row([name, ...cells]))

const goalOf = (bare: number, more: number, now: number): string => `${now} (${bare + more})`

type Cost = Effect.Effect.Success<ReturnType<typeof costOf>>

const firstRead = (name: string, { cold, heap, positions }: Cost) =>
  line(`${name}, first`, [
    String(positions.positions.length),
    String(cold.length),
    String(callsOf(cold)),
    String(depthOf(cold)),
    "",
    `${(heap / 1e6).toFixed(1)} MB`
  ])

/** Cost of a read with all five protocols' full lists, beside one without the three that list pools. */
const besideNone = Effect.gen(function*() {
  yield* Console.log(
    `${latency} ms for each upstream request; ${listed.amm1} pools of amm_1, ${listed.amm2} pairs of amm_2, ${listed.amm3} pools of amm_3. In brackets the ` +
      `goal of a later read: ${most.calls} calls for entries, ${most.trips} trips and, of an account that holds nothing, ${most.millis} ms of CPU more than without.`
  )
  yield* Console.log("CPU: of a later read of the same account; heap: what the first read left in use.")
  yield* line("account, lists, read", ["rows", "requests", "entries", "depth", "CPU", "heap"])
  const accounts = yield* accountsBeside(listed)
  for (const [who, account] of [["holds nothing", accounts.nobody], ["holds in each", accounts.holder]] as const) {
    const costs = yield* Effect.forEach(
      services,
      ([service, contracts]) => Effect.map(costOf(account, contracts), (cost) => ({ service, ...cost }))
    )
    const [bare] = costs
    for (const { service, ...cost } of costs) {
      const { cpu, positions, warm } = cost
      yield* firstRead(`${who}, ${service}`, cost)
      yield* line(`${who}, ${service}, later`, [
        String(positions.positions.length),
        String(warm.length),
        goalOf(callsOf(bare?.warm ?? []), most.calls, callsOf(warm)),
        goalOf(depthOf(bare?.warm ?? []), most.trips, depthOf(warm)),
        // The account's holdings in these protocols take CPU of their own: the goal covers only the lists.
        account === accounts.nobody ? `${cpu.toFixed(0)} (${((bare?.cpu ?? 0) + most.millis).toFixed(0)}) ms` : `${cpu.toFixed(0)} ms`
      ])
    }
  }
}).pipe(Effect.provide(Network.layer()))

/** Cost of a read beside lists that grew, of an account that holds nothing. */
const besideGrown = (lengths: Lengths) =>
  Effect.gen(function*() {
    const { nobody } = yield* accountsBeside(lengths)
    const cost = yield* costOf(nobody, deployed(...everyProtocol))
    const name = `${lengths.amm1} pools and ${lengths.amm2} pairs`
    yield* firstRead(name, cost)
    yield* line(`${name}, later`, [
      String(cost.positions.positions.length),
      String(cost.warm.length),
      String(callsOf(cost.warm)),
      String(depthOf(cost.warm)),
      `${cost.cpu.toFixed(0)} ms`
    ])
  }).pipe(Effect.provide(Network.layer()))

/** Cost of reads beside lists of pools: as long as on a public network, then longer ones. */
export const fullLists = Effect.zipRight(besideNone, Effect.forEach(grown, besideGrown, { discard: true }))
