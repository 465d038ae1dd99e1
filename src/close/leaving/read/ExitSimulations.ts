import { Array as Arr, BigInt as Big, Effect } from "effect"
import type { ChainFailure } from "../../../chain/ChainFailure.ts"
import type { ContractRpc } from "../../../chain/ContractRpc.ts"
import type { LedgerEntries } from "../../../chain/LedgerEntries.ts"
import type { ContractAddress } from "../../../domain/Address.ts"
import { steadyMillis } from "../../../fibers/SteadyTime.ts"
import type { ContractCall } from "../../../operations/ContractCall.ts"
import type { Exit, ProtocolRegistry } from "../../../protocols/ProtocolRegistry.ts"
import {
  type CallSimulation,
  classicAssetsOf,
  type Credits,
  type Exits,
  isForfeited,
  type PlannedExit,
  toBeLeft
} from "../../situation/Exits.ts"
import { lastClaims } from "../../situation/LastClaim.ts"
import { acceptedFee } from "../../situation/ResourceFees.ts"
import type { TokenAssets } from "../../situation/TokenAssets.ts"
import { claimsAlone, isRewardsAlone } from "../payouts/OwnRewards.ts"
import { hasRoom } from "../payouts/PayoutTrustlines.ts"
import { callContext } from "../simulation/CallContext.ts"
import { simulateCall } from "../simulation/CallSimulator.ts"
import { meaningOf } from "../simulation/FailedCall.ts"
import { withinFeeLimit } from "../simulation/FeeLimit.ts"
import type { ExitQuestion, Surroundings } from "./Surroundings.ts"

type Calls = Extract<Exit, { readonly _tag: "Calls" }>

/** Calls that leave the position itself: rewards come and go while it is left. */
const leaving = ({ calls }: Calls): number => calls.filter(({ claimsOnly = false }) => !claimsOnly).length

/**
 * Whether the first call of an exit brings its position closer to its end, by what would be left to do after it: fewer calls that
 * leave it, or as many and fewer claims, or after the call that starts a wait another one, or after calls on which something rests what
 * rests on them. Who does what the service says would go on for ever otherwise.
 */
const isProgress = (before: Calls, after: Exit): boolean =>
  after._tag !== "Calls" ||
  (before.leadsOn === true && after.leadsOn !== true) ||
  leaving(after) < leaving(before) ||
  (leaving(after) === leaving(before) && after.calls.length < before.calls.length) ||
  (before.unlocksAt !== null && after.calls[0].function !== before.calls[0].function)

/** Exits whose calls are simulated side by side: as many as hardly anybody has, so that no plan waits for a second round of them. */
const concurrency = 16

/** Exits whose next call is simulated ahead of its turn whatever time it takes. */
const surelyAhead = 100

/**
 * Until when more of them are, milliseconds since reading began: a share of a plan's deadline. What this does not reach is foreseen as
 * it was read, and the plan says so.
 */
const aheadUntil = 10_000

/** How often a call is built anew because others changed what it was built from. */
const readAgain = 2

interface Sources {
  readonly entries: LedgerEntries["Type"]
  readonly protocols: ProtocolRegistry["Type"]
  readonly rpc: ContractRpc["Type"]
}

/** What is to be simulated, and how an exit is read anew when others have outdated it. */
interface Simulatable {
  readonly exits: Exits
  readonly readAgain: (one: PlannedExit) => Effect.Effect<PlannedExit, ChainFailure>
}

/** Whether a call may have been made from another ledger than the one that simulated it, which then shows other amounts or other code. */
const isOutdated = ({ _tag }: CallSimulation): boolean => _tag === "Changed" || _tag === "Unsafe"

/** What can be spent once a call has paid and taken. */
const withCredits = (assets: TokenAssets, spendable: Surroundings["spendable"], credits: Credits): Surroundings["spendable"] => (token) => {
  const asset = assets.get(token)
  return Big.max(spendable(token) + (asset === undefined ? 0n : credits.get(asset) ?? 0n), 0n)
}

/**
 * The exits with what came of simulating the next call of each, those that are given up among them: whether there is a way out
 * decides whether giving up is a choice at all. The next call cannot be simulated before its lines are there.
 */
export const simulateExits = (
  sources: Sources,
  question: ExitQuestion,
  around: Surroundings,
  { exits, readAgain: again }: Simulatable
): Effect.Effect<Exits, ChainFailure> =>
  Effect.gen(function*() {
    const { entries, protocols } = sources
    const { began, input: { feePayer, source }, purpose, snapshot, ledgerState } = question
    const context = callContext(sources, snapshot, { user: source, feePayer, assets: exits.assets })
    const ready = (
      { payouts }: { readonly payouts: ReadonlyArray<{ readonly token: ContractAddress; readonly expected: bigint }> }
    ): boolean =>
      payouts.every(({ expected, token }) =>
        classicAssetsOf(exits, [token]).every((asset) => hasRoom(ledgerState, source, asset, expected))
      )
    const isCallable = ({ exit }: PlannedExit): boolean => exit._tag === "Calls" && ready(exit.calls[0])
    const [givenUp, ahead] = Arr.partition(exits.planned.filter(isCallable), (one) => !isForfeited(one))
    const callable = [...givenUp, ...ahead]
    // Whether a gift is left is not known yet: the call that is handed over is one up to the first that is none.
    const next = toBeLeft(exits).filter(isCallable)
    const firstOwn = next.findIndex(({ gift }) => gift === undefined)
    const handedOver = new Set(purpose === "build" ? (firstOwn < 0 ? next : next.slice(0, firstOwn + 1)).map(({ id }) => id) : [])
    // The next of its own is always simulated, and whether what is given up has a way out is always asked.
    const due = new Set([
      ...givenUp,
      ...ahead.slice(0, surelyAhead),
      ...next.filter(({ answer, gift }) => gift === undefined || answer !== undefined).slice(0, 1)
    ].map(({ id }) => id))
    const facts = { user: source, ledgerState, assets: exits.assets, spendable: around.spendable }

    /** A call that others may have outdated meanwhile is read and simulated again. */
    const simulated = (one: PlannedExit, left: number): Effect.Effect<PlannedExit, ChainFailure> => {
      if (one.exit._tag !== "Calls") {
        return Effect.succeed(one)
      }
      const protocol = protocols.all.find(({ name }) => name === one.position.protocol)
      const setting = exits.mostResourceFee
      const meant = (call: ContractCall): Effect.Effect<CallSimulation, ChainFailure> =>
        Effect.map(
          simulateCall({ ...context, knownCode: new Set(protocol?.code) }, call, handedOver.has(one.id)),
          (told) => told._tag === "Failed" ? meaningOf(protocol, call, told, facts) : told
        )
      const last = lastClaims(one).filter(ready)
      const calls = [one.exit.calls[0], ...last]
      return Effect.flatMap(Effect.forEach(calls, meant, { batching: "inherit", concurrency: calls.length }), (told) =>
        told.some(isOutdated) && left > 0
          ? Effect.flatMap(again(one), (anew) => simulated(anew, left - 1))
          : Effect.map(
            Effect.forEach(told, (each) => withinFeeLimit(entries, each, { accepted: acceptedFee(one.answer, setting), setting })),
            ([simulation = null, ...claims]) => ({
              ...one,
              simulation,
              lastClaims: new Map(last.flatMap((call, at) => (claims[at] === undefined ? [] : [[call.function, claims[at]] as const])))
            })
          ))
    }

    const inTime = (one: PlannedExit): Effect.Effect<PlannedExit, ChainFailure> =>
      Effect.flatMap(steadyMillis, (now) =>
        due.has(one.id) || now < began + aheadUntil
          ? simulated(one, readAgain)
          : Effect.succeed({ ...one, simulation: { _tag: "Unreached" } }))

    // The code that calls run is looked at for all of them in one question. A build waits for nobody with the call that it hands over.
    const settled = yield* Effect.forEach(callable, inTime, { batching: purpose === "plan", concurrency })
    const judged = yield* Effect.forEach(settled, (one): Effect.Effect<PlannedExit, ChainFailure> => {
      const { exit, position, simulation } = one
      if (exit._tag !== "Calls" || simulation?._tag !== "Ready") {
        return Effect.succeed(one)
      }
      const surroundings = { ...around.contextOf(one), spendable: withCredits(exits.assets, around.spendable, simulation.credits) }
      return Effect.map(protocols.exitAfter(around.at, position, surroundings, simulation.changes), (after) =>
        isProgress(exit, isRewardsAlone(one) ? claimsAlone(after) : after) ? one : { ...one, simulation: { _tag: "Endless" } })
    }, { concurrency, batching: true })
    const byId = new Map(judged.map((one) => [one.id, one]))
    return {
      ...exits,
      planned: exits.planned.map((one) =>
        byId.get(one.id) ?? one
      )
    }
  })
