import { BigInt as Big, Effect } from "effect"
import type { ChainFailure } from "../../../chain/ChainFailure.ts"
import type { ContractRpc } from "../../../chain/ContractRpc.ts"
import type { LedgerEntries } from "../../../chain/LedgerEntries.ts"
import type { ContractAddress } from "../../../domain/Address.ts"
import { steadyMillis } from "../../../fibers/SteadyTime.ts"
import type { ContractCall } from "../../../operations/ContractCall.ts"
import type { Exit, ProtocolRegistry } from "../../../protocols/ProtocolRegistry.ts"
import type { CallSimulation, Credits } from "../../situation/CallSimulation.ts"
import { classicAssetsOf, type Exits } from "../../situation/Exits.ts"
import { lastClaims } from "../../situation/LastClaim.ts"
import type { PlannedExit } from "../../situation/PlannedExit.ts"
import { acceptedFee } from "../../situation/ResourceFees.ts"
import type { TokenAssets } from "../../situation/TokenAssets.ts"
import { claimsAlone, isRewardsAlone } from "../payouts/OwnRewards.ts"
import { hasRoom } from "../payouts/PayoutTrustlines.ts"
import { giftLimit, ownLimit } from "../simulation/AnswerLimit.ts"
import { callContext } from "../simulation/CallContext.ts"
import { simulateCall } from "../simulation/CallSimulator.ts"
import { meaningOf } from "../simulation/FailedCall.ts"
import { withinFeeLimit } from "../simulation/FeeLimit.ts"
import type { ExitFacts, ExitQuestion } from "./ExitFacts.ts"
import { exitTurns, isWanted } from "./ExitTurns.ts"

type Calls = Extract<Exit, { readonly _tag: "Calls" }>

/** The number of calls that leave the position itself, without those that only claim. */
const countLeavingCalls = ({ calls }: Calls): number => calls.filter(({ claimsOnly = false }) => !claimsOnly).length

/**
 * Whether the first call of an exit brings its position closer to its end. That is so where less is left to do after it: fewer calls that
 * leave it, as many and fewer claims, another call after the one that starts a wait, or the calls that rested on it. Without progress a
 * client would repeat the call without end.
 */
const isProgress = (before: Calls, after: Exit): boolean =>
  after._tag !== "Calls" ||
  (before.leadsOn === true && after.leadsOn !== true) ||
  countLeavingCalls(after) < countLeavingCalls(before) ||
  (countLeavingCalls(after) === countLeavingCalls(before) && after.calls.length < before.calls.length) ||
  (before.unlocksAt !== null && after.calls[0].function !== before.calls[0].function)

/** Exits simulated at the same time. More than nearly any account has, so that no plan needs a second round. */
const concurrency = 16

/**
 * Milliseconds since reading began in which further exits are simulated. A share of a plan's deadline. Later ones stay as they were read,
 * and the plan says so.
 */
const simulationMillis = 10_000

/**
 * Exits of mere gifts whose simulation may get no answer. After that many, further ones stay as they were read: each costs seconds, and a
 * stranger may give any number.
 */
const mostUnanswered = 16

/** How often a call is built again because others changed what it was built from. */
const mostRebuilds = 2

interface Sources {
  readonly entries: LedgerEntries["Type"]
  readonly protocols: ProtocolRegistry["Type"]
  readonly rpc: ContractRpc["Type"]
  readonly passphrase: string
}

/** The exits to simulate, and how to read one again that others have outdated. */
interface Simulatable {
  readonly exits: Exits
  readonly readAgain: (one: PlannedExit) => Effect.Effect<PlannedExit, ChainFailure>
}

/** Whether a call may have been built from another ledger than the one that simulated it. Amounts or code then differ. */
const isOutdated = ({ _tag }: CallSimulation): boolean => _tag === "Changed" || _tag === "Unsafe"

/** The base units of a token that can be spent once a call has paid and taken. */
const withCredits = (assets: TokenAssets, spendable: ExitFacts["spendable"], credits: Credits): ExitFacts["spendable"] => (token) => {
  const asset = assets.get(token)
  return Big.max(spendable(token) + (asset === undefined ? 0n : credits.get(asset) ?? 0n), 0n)
}

/**
 * The exits with the simulation of the next call of each (`ExitTurns.ts`). A call that needs a trustline is simulated once it is there. One
 * that gets no answer from a source in order counts as failed, so that a token that hangs stops no close.
 */
export const simulateExits = (
  sources: Sources,
  question: ExitQuestion,
  exitFacts: ExitFacts,
  { exits, readAgain: again }: Simulatable
): Effect.Effect<Exits, ChainFailure> =>
  Effect.gen(function*() {
    const { entries, passphrase, protocols } = sources
    const { began, input: { feePayer, source }, purpose, snapshot, ledgerState } = question
    const context = callContext(sources, snapshot, { user: source, feePayer, assets: exits.assets })
    const hasRoomForPayouts = (
      { payouts }: { readonly payouts: ReadonlyArray<{ readonly token: ContractAddress; readonly expected: bigint }> }
    ): boolean =>
      payouts.every(({ expected, token }) =>
        classicAssetsOf(exits, [token]).every((asset) => hasRoom(ledgerState, source, asset, expected))
      )
    const isCallable = ({ exit }: PlannedExit): boolean => exit._tag === "Calls" && hasRoomForPayouts(exit.calls[0])
    const { due, handedOver, inOrder } = exitTurns(question, exits, isCallable)
    const facts = { user: source, ledgerState, assets: exits.assets, spendable: exitFacts.spendable }
    let unanswered = 0

    /** An exit with its simulation. A call that others may have outdated is read and simulated again. */
    const simulated = (one: PlannedExit, left: number): Effect.Effect<PlannedExit, ChainFailure> => {
      if (one.exit._tag !== "Calls") {
        return Effect.succeed(one)
      }
      const protocol = protocols.all.find(({ name }) => name === one.position.protocol)
      const setting = exits.mostResourceFee
      const limit = (isWanted(snapshot, one) ? ownLimit : giftLimit)(passphrase)
      const meant = (call: ContractCall): Effect.Effect<CallSimulation, ChainFailure> =>
        Effect.map(
          simulateCall({ ...context, limit, knownCode: new Set(protocol?.code) }, call, handedOver.has(one.id)),
          (told) => {
            if (told._tag !== "Failed") return told
            if (told.isUnanswered === true) unanswered++
            return meaningOf(protocol, call, told, facts)
          }
        )
      const last = lastClaims(one).filter(hasRoomForPayouts)
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
      Effect.flatMap(steadyMillis, (now) => {
        const isInTime = due.has(one.id) || now < began + simulationMillis
        return isInTime && (unanswered < mostUnanswered || isWanted(snapshot, one))
          ? simulated(one, mostRebuilds)
          : Effect.succeed({ ...one, simulation: { _tag: "Unreached" } })
      })

    // The code that calls run is looked at for all of them in one question. A build waits for no one with the call that it hands over.
    const settled = yield* Effect.forEach(inOrder, inTime, { batching: purpose === "plan", concurrency })
    const judged = yield* Effect.forEach(settled, (one): Effect.Effect<PlannedExit, ChainFailure> => {
      const { exit, position, simulation } = one
      if (exit._tag !== "Calls" || simulation?._tag !== "Ready") {
        return Effect.succeed(one)
      }
      const exitContext = { ...exitFacts.contextOf(one), spendable: withCredits(exits.assets, exitFacts.spendable, simulation.credits) }
      return Effect.map(protocols.exitAfter(exitFacts.at, position, exitContext, simulation.changes), (after) =>
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
