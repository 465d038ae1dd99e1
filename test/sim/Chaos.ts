import { Asset, type Keypair, Operation } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { DroppedTransaction, SurgeBaseFee, TryAgainLater } from "../../src/sandbox/faults/SubmissionFaults.ts"
import { MediatorFunded } from "../../src/sandbox/scenarios/MediatorFunded.ts"
import { perform } from "../../src/sandbox/scenarios/Scenario.ts"
import type { Dice } from "../client/support/Dice.ts"
import { lessSince } from "../close/support/AccountLies.ts"
import type { Lie as RpcLie } from "../close/support/Sources.ts"
import { lyingTo } from "../deep/support/campaign/Lying.ts"
import type { LieKind } from "../deep/support/campaign/Story.ts"
import type { Closing } from "./Cast.ts"
import type { Place, PlaceLie } from "./Places.ts"
import type { ServiceProcess, ServiceSettings } from "./ServiceProcess.ts"
import { soundWay } from "./Wire.ts"
import { diceFor, onNetwork, type World } from "./World.ts"

/** The parts of a run that can be disturbed. */
export interface Disturbed {
  readonly world: World
  readonly service: ServiceProcess
  readonly closings: ReadonlyArray<Closing>
  readonly stranger: Keypair
  readonly dice: Dice
  /** Restarts the service after a while. */
  readonly restart: Effect.Effect<void>
}

/** Closes ledgers without end, three to eight seconds apart. */
export const closingLedgers = ({ ledgers, network }: World, dice: Dice) =>
  ledgers.fork(Effect.forever(Effect.flatMap(
    Effect.suspend(() => Effect.sleep(3_000 + dice.below(5_000))),
    () => network.closeLedger()
  )))

const kinds: ReadonlyArray<LieKind | "lumens"> = [
  "entries",
  "getters",
  "getters",
  "events",
  "history",
  "lastModified",
  "lumens",
  "simulations"
]

/** A simulation that hides the changes of the call. */
const hidesChanges: RpcLie = (method, result) => {
  if (method !== "simulateTransaction" || !("stateChanges" in result)) return result
  const { stateChanges: _hidden, ...rest } = result
  return rest
}

const seenBy = ({ log }: World, kind: string, { api, rpc }: PlaceLie): PlaceLie => ({
  api,
  rpc: async (method, result, params) => {
    const told = await rpc(method, result, params)
    if (told !== result && kind === "getters") log.saw("a getter lied to")
    return told
  }
})

/** The one place that lies in a run. */
const liarOf = ({ places, seed }: World): Place => places[seed % 2 === 0 ? 0 : 1]

/** A lie that only the contract RPC of a place tells. */
const ofRpc = (rpc: RpcLie): PlaceLie => ({ rpc, api: (_, honest) => honest })

/** A lie about one account, by kind. That a ledger took lumens of it matters where a mediator passes them on. */
const aboutOne = ({ closings, dice }: Pick<Disturbed, "closings" | "dice">, kind: LieKind | "lumens"): PlaceLie => {
  const mediated = closings.filter((one) => one.kind === "mediated")
  const { source } = dice.pick(kind === "lumens" && mediated.length > 0 ? mediated : closings)
  return kind === "lumens" ? ofRpc(lessSince(source.publicKey())) : lyingTo(source.publicKey(), [kind], () => true)
}

/** Lets the liar of the run lie. */
const lie = (disturbed: Disturbed): string => {
  const { dice, world } = disturbed
  const kind = dice.chance(0.5) ? "changes" : dice.pick(kinds)
  const liar = liarOf(world)
  liar.lie = seenBy(world, kind, kind === "changes" ? ofRpc(hidesChanges) : aboutOne(disturbed, kind))
  return `${liar.name} lies about ${kind}`
}

/** In one run of three the liar tells one kind of lie until the end of all faults. */
const lastingLie = ({ closings, world }: Disturbed): void => {
  const dice = diceFor(world.seed, "lasting lie")
  if (dice.below(3) > 0) return
  const kind = dice.pick(["entries", "getters", "events", "lumens"] as const)
  liarOf(world).lastingLie = seenBy(world, kind, aboutOne({ closings, dice }, kind))
  world.log.note("chaos", "lasting lies about", kind)
}

/** Makes a place or the entrance lose requests, hang or lag for a while. */
const spoil = ({ dice, world }: Disturbed): string => {
  const part = dice.pick([0.05, 0.2, 0.6])
  const isEntrance = dice.chance(0.3)
  const place = dice.pick(world.places)
  const way = isEntrance ? world.entrance : place.way
  Object.assign(way, {
    lostThere: dice.pick([0, part]),
    lostBack: dice.pick([0, part]),
    late: dice.pick([0, part / 2]),
    millis: dice.pick([20, 200, 1_500])
  })
  return `${isEntrance ? "the entrance" : place.name} loses ${way.lostThere} ${way.lostBack}, late ${way.late}`
}

const lag = ({ dice, world }: Disturbed): string => {
  const place = dice.pick(world.places)
  place.lag = dice.pick([1, 1, 2, 5, 25])
  return `${place.name} is ${place.lag} behind`
}

/** Removes every fault and lie but the lasting one. */
const appease = ({ entrance, places }: World): void => {
  for (const place of places) {
    place.lag = 0
    place.lie = null
  }
  for (const way of [entrance, ...places.map((place) => place.way)]) Object.assign(way, soundWay())
}

/** Ends all faults and lies. */
export const makePeace = (world: World): void => {
  appease(world)
  for (const place of world.places) place.lastingLie = null
}

/** A fault of the network itself that occurs once. */
const networkFault = ({ dice, world: { network } }: Disturbed) =>
  Effect.gen(function*() {
    const fault = dice.pick([new DroppedTransaction(), new TryAgainLater(), new SurgeBaseFee({ baseFee: 150 + dice.below(3_000) })])
    yield* network.faults.set({ fault, times: 1 + dice.below(2) })
    return fault._tag
  })

/** Lumens of a stranger for the mediator, or for an account that is being closed. */
const gift = ({ closings, dice, stranger, world }: Disturbed) => {
  const destination = dice.pick([world.mediators[0]?.publicKey() ?? "", dice.pick(closings).source.publicKey()])
  return onNetwork(
    world,
    "a stranger gives something",
    perform("a gift", {
      as: stranger,
      operations: [Operation.payment({ destination, asset: Asset.native(), amount: dice.pick(["0.0000001", "0.003", "2"]) })]
    })
  )
}

/** Settings that an operator may change: the places, their order, and limits. */
const changedSettings = ({ dice, world }: Disturbed): Partial<ServiceSettings> => {
  const [first, second] = world.places
  const honest = liarOf(world) === first ? second : first
  return {
    places: dice.pick([[first, second], [second, first], [honest]]),
    values: dice.pick<Readonly<Record<string, string>>>([{}, { MAX_SLIPPAGE_BPS: "100" }, { RATE_LIMIT: "300" }])
  }
}

/** The operator restarts the service with other settings, sometimes with a new mediator. */
const reconfigure = (disturbed: Disturbed) =>
  Effect.gen(function*() {
    const { dice, service, world } = disturbed
    if (dice.chance(0.4)) {
      const made = yield* onNetwork(world, "a new mediator", MediatorFunded)
      if (made !== null) world.mediators.unshift(made.mediator)
    }
    yield* service.start(changedSettings(disturbed))
    return "other settings"
  })

const crash = ({ restart, service, world }: Disturbed): string => {
  service.kill()
  world.ledgers.fork(restart)
  return "the service crashes"
}

/** One disturbance. */
const disturb = (disturbed: Disturbed): Effect.Effect<string> => {
  const { dice, world } = disturbed
  switch (dice.below(14)) {
    case 0:
    case 1:
    case 2:
      return Effect.sync(() => lie(disturbed))
    case 3:
    case 4:
      return Effect.sync(() => spoil(disturbed))
    case 5:
    case 6:
      return Effect.sync(() => lag(disturbed))
    case 7:
      return networkFault(disturbed)
    case 8:
      return Effect.as(gift(disturbed), "a gift")
    case 9:
    case 10:
      return disturbed.service.reload(dice)
    case 11:
      return dice.chance(0.5) ? reconfigure(disturbed) : Effect.sync(() => crash(disturbed))
    default:
      return Effect.sync(() => (appease(world), "all is well"))
  }
}

/** Disturbs a run until its quiet end. */
export const disturbing = (disturbed: Disturbed): Effect.Effect<void> =>
  Effect.gen(function*() {
    const { dice, world } = disturbed
    lastingLie(disturbed)
    while (!world.isPeaceful) {
      yield* Effect.sleep(2_000 + dice.below(18_000))
      if (world.isPeaceful) return
      world.log.note("chaos", yield* disturb(disturbed))
    }
  })
