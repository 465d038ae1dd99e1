import type { Keypair } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { Network } from "../../src/sandbox/Network.ts"
import { type Dice, dice } from "../client/support/Dice.ts"
import type { EventLog } from "./EventLog.ts"
import { honestPlace, type Place } from "./Places.ts"
import { Process, type ProcessOptions } from "./Process.ts"
import type { VirtualTime } from "./VirtualTime.ts"
import { soundWay, type Way, Wire } from "./Wire.ts"

/** Streams of random numbers, each for one purpose, so that further draws for one do not change the others. */
export const diceFor = (seed: number, purpose: string): Dice =>
  dice([...purpose].reduce((sum, letter) => Math.imul(sum, 31) + letter.charCodeAt(0), seed))

/** The exchange whose deposits a mediator pays. */
export interface Exchange {
  readonly address: string
  readonly memo: string
}

/** The parts that all of one run share. */
export interface World {
  readonly seed: number
  readonly time: VirtualTime
  readonly log: EventLog
  readonly wire: Wire
  readonly network: Network["Type"]
  /** The network's own process: ledgers, strangers and the answers of its APIs. */
  readonly ledgers: Process
  /** The operators of both sources in the service's configuration. */
  readonly places: readonly [Place, Place]
  /** The source that clients check the service by. */
  readonly witness: Place
  /** The way between clients and the service. */
  readonly entrance: Way
  readonly exchange: Exchange
  /** The mediators so far, the signing one first. */
  readonly mediators: Array<Keypair>
  /** The account for the mediator's surplus. */
  readonly operator: Keypair
  /** A new process. */
  readonly process: (name: string) => Process
  /** Whether all faults and lies have ended. */
  isPeaceful: boolean
  /** The number of processes. */
  started: number
}

/** A run with an empty network. */
export const newWorld = (
  { exchange, log, mediator, network, operator, seed, time }:
    & Pick<World, "seed" | "time" | "log" | "network" | "exchange" | "operator">
    & { readonly mediator: Keypair },
  ledgers: Process,
  options: (name: string) => ProcessOptions
): World => {
  const world: World = {
    seed,
    time,
    log,
    network,
    ledgers,
    wire: new Wire(ledgers, diceFor(seed, "wire")),
    places: [honestPlace("first"), honestPlace("second")],
    witness: honestPlace("witness"),
    entrance: soundWay(),
    exchange,
    mediators: [mediator],
    operator,
    process: (name) => {
      world.started++
      return new Process(name, options(`${name} ${world.started}`))
    },
    isPeaceful: false,
    started: 0
  }
  return world
}

/** Runs work on the network, in its own process; a failure is only logged. */
export const onNetwork = <A, E>(
  { ledgers, log, network }: World,
  what: string,
  work: Effect.Effect<A, E, Network>
): Effect.Effect<A | null> =>
  ledgers.run(Effect.provideService(work, Network, network)).pipe(
    Effect.tap(() => Effect.sync(() => log.note("network", what))),
    Effect.catchAllCause(() => Effect.sync(() => (log.note("network", what, "failed"), null)))
  )
