import { Keypair } from "@stellar/stellar-sdk"
import { Cause, Context, Effect, Exit, Layer, Scope } from "effect"
import { strkeyOf } from "../../src/ledger/soroban/Values.ts"
import { Network } from "../../src/sandbox/Network.ts"
import { ExchangeDeposit } from "../../src/sandbox/scenarios/ExchangeDeposit.ts"
import { MediatorFunded } from "../../src/sandbox/scenarios/MediatorFunded.ts"
import { fund } from "../../src/sandbox/scenarios/Scenario.ts"
import { stamping } from "../deep/support/campaign/Stamping.ts"
import { castOf } from "./Cast.ts"
import { closingLedgers, disturbing, makePeace } from "./Chaos.ts"
import { type Around, attempt } from "./Client.ts"
import { EventLog } from "./EventLog.ts"
import { ExitPayouts } from "./ExitPayouts.ts"
import { LedgerOracle } from "./LedgerOracle.ts"
import { Owner } from "./Owner.ts"
import { forgetFibers, Process, type ProcessOptions } from "./Process.ts"
import { drawFrom } from "./Seams.ts"
import { ServiceProcess } from "./ServiceProcess.ts"
import { VirtualTime } from "./VirtualTime.ts"
import { diceFor, newWorld, type World } from "./World.ts"

/** Seconds by which the network's clock starts early, so that rewards can accrue before the run. */
const secondsBehind = 30 * 86_400

/** Duration of strangers' actions and faults, in milliseconds of the run's time. */
const disturbedFor = 420_000

/** Attempts of one owner, before and after the end of all faults; after them the close counts as endless. */
const mostAttempts = { disturbed: 40, peaceful: 4 }

/** The options of a run. */
export interface RunOptions {
  readonly seed: number
  /** The number of closed accounts. */
  readonly closes: number
  /** Receives every event; null: none does. */
  readonly print: ((line: string) => void) | null
}

/** The end of a run. */
export interface RunResult {
  readonly seed: number
  readonly hash: string
  readonly events: number
  /** Closes that ended with a receipt. */
  readonly closed: number
  /** Seconds of the run's own time. */
  readonly seconds: number
  readonly seen: ReadonlyMap<string, number>
  readonly faults: ReadonlyArray<string>
}

/** A network with its markets and accounts, its mediator and its exchange. */
const setUp = (
  { closes, seed }: RunOptions,
  { log, options, time }: { readonly time: VirtualTime; readonly log: EventLog; readonly options: (name: string) => ProcessOptions }
) =>
  Effect.gen(function*() {
    const ledgers = new Process("network", options("network"))
    const made = yield* ledgers.run(Effect.gen(function*() {
      const scope = yield* Scope.make()
      const context = yield* Layer.buildWithScope(Network.layer({ closeOnSubmit: false, secondsBehind }), scope)
      const network = stamping(Context.get(context, Network))
      const scene = yield* Effect.gen(function*() {
        const { deposit } = yield* ExchangeDeposit
        const { mediator } = yield* MediatorFunded
        const [operator, stranger] = [Keypair.random(), Keypair.random()]
        yield* fund("5000", operator, stranger)
        const exchange = { address: deposit.publicKey(), memo: "customer 42" }
        const cast = yield* castOf(closes, seed, diceFor(seed, "cast"), exchange)
        return { mediator, operator, stranger, exchange, ...cast }
      }).pipe(Effect.provideService(Network, network))
      const { state } = yield* network.snapshot
      const behind = Math.floor(time.clock.unsafeCurrentTimeMillis() / 1_000) - Number(state.header.closeTime)
      yield* network.closeLedger({ advanceSeconds: Math.max(1, behind) })
      return { network, ...scene }
    }))
    return { ...made, world: newWorld({ ...made, seed, time, log }, ledgers, options) }
  })

/** Closes an account in as many attempts as needed; true if it is closed. */
const closedByOwner = (around: Around, owner: Owner) =>
  Effect.gen(function*() {
    const { world } = around
    const { kind, name } = owner.closing
    const dice = diceFor(world.seed, name)
    let [disturbed, peaceful] = [0, 0]
    yield* Effect.sleep(dice.below(90_000))
    for (;;) {
      const isLiedTo = !world.isPeaceful && disturbed === 0 && kind === "plain" && dice.chance(0.5)
      const isClosed = yield* attempt(around, { owner, process: world.process(name), dice, isLiedTo })
      if (isClosed) return true
      if (world.isPeaceful ? ++peaceful >= mostAttempts.peaceful : ++disturbed >= mostAttempts.disturbed) {
        world.log.fault(`${name} is never closed`)
        return false
      }
      yield* Effect.sleep(3_000 + dice.below(40_000))
    }
  })

/** After that, all faults and lies end. */
const peaceAfter = (world: World, service: ServiceProcess) =>
  Effect.gen(function*() {
    yield* Effect.sleep(disturbedFor)
    world.isPeaceful = true
    makePeace(world)
    yield* world.network.faults.clear()
    world.log.note("peace")
    if (service.process === null) yield* service.start()
  })

const story = (options: RunOptions, parts: Parameters<typeof setUp>[1], looks: (look: () => void) => void) =>
  Effect.gen(function*() {
    const { closings, markets: { vaults }, stranger, world } = yield* setUp(options, parts)
    const payouts = new ExitPayouts(world)
    const oracle = new LedgerOracle(world, new Map([[strkeyOf(vaults.vaults), vaults.issuer.publicKey()]]), payouts)
    looks(() => oracle.look())
    const service = new ServiceProcess(world)
    const delays = diceFor(options.seed, "restart")
    const restart = Effect.zipRight(
      Effect.suspend(() => Effect.sleep(500 + delays.below(20_000))),
      Effect.suspend(() => (service.process === null ? service.start() : Effect.void))
    )
    const around: Around = { world, service, oracle, payouts, unanswered: new Set(), restart }
    yield* service.start()
    closingLedgers(world, diceFor(options.seed, "ledgers"))
    world.ledgers.fork(disturbing({ world, service, closings, stranger, restart, dice: diceFor(options.seed, "chaos") }))
    world.ledgers.fork(peaceAfter(world, service))
    const ends = yield* Effect.forEach(closings, (closing) => closedByOwner(around, new Owner(closing)), { concurrency: "unbounded" })
    oracle.look()
    for (const hash of around.unanswered) if (oracle.landed.has(hash)) world.log.saw("a submit answered late and landed")
    return ends.filter(Boolean).length
  })

/** Runs a seed: service, clients, mediator, liars, strangers and the network in one process, all from one number. */
export const run = (options: RunOptions): Promise<RunResult> =>
  new Promise((resolve) => {
    const scheduling = diceFor(options.seed, "scheduler")
    let look = () => {}
    const time: VirtualTime = new VirtualTime({
      pick: scheduling.below,
      atRest: () => look(),
      atEnd: () => end(["nothing is left that could happen"], 0)
    })
    drawFrom(options.seed, () => time.clock.unsafeCurrentTimeMillis())
    const began = time.clock.unsafeCurrentTimeMillis()
    const log = new EventLog(() => time.clock.unsafeCurrentTimeMillis() - began, options.print)
    const processOptions = (name: string): ProcessOptions => ({
      time,
      seed: diceFor(options.seed, name).below(2 ** 31),
      onError: (where, message) => log.note("error", where, message)
    })
    const stop = time.start()
    const end = (faults: ReadonlyArray<string>, closed: number) => {
      stop()
      forgetFibers()
      for (const fault of faults) log.fault(fault)
      const seconds = (time.clock.unsafeCurrentTimeMillis() - began) / 1_000
      resolve({ seed: options.seed, ...log.end(), closed, seconds, seen: log.seen, faults: log.faults })
    }
    const director = new Process("director", processOptions("director"))
    director.fork(story(options, { time, log, options: processOptions }, (one) => {
      look = one
    })).addObserver((exit) => {
      if (Exit.isSuccess(exit)) end([], exit.value)
      else end([Cause.pretty(exit.cause)], 0)
    })
  })
