import type { xdr } from "@stellar/stellar-sdk"
import { Array as Arr, Duration, Effect, Option } from "effect"
import type { ChainFailure } from "../../../chain/ChainFailure.ts"
import type { SimulatedResources, SimulationAnswer } from "../../../chain/contract-rpc/SimulationAnswer.ts"
import type { ContractRpc } from "../../../chain/ContractRpc.ts"
import { askDated } from "../../../chain/Getter.ts"
import type { LedgerEntries } from "../../../chain/LedgerEntries.ts"
import { longestAnswer } from "../../../chain/RpcPolicy.ts"
import type { AccountAddress } from "../../../domain/Address.ts"
import { showAmount } from "../../../domain/Amount.ts"
import { DeadlineExceeded } from "../../../domain/failure/Upstream.ts"
import type { FeePayer } from "../../../domain/Plan.ts"
import type { ContractCall } from "../../../operations/ContractCall.ts"
import { InvokeContract } from "../../../operations/InvokeContract.ts"
import { keyText } from "../../../xdr/LedgerKeys.ts"
import type { CallSimulation } from "../../situation/CallSimulation.ts"
import { callEnvelope } from "../../situation/Envelope.ts"
import { largestOwnResourceFee } from "../../situation/FeeSettings.ts"
import type { TokenAssets } from "../../situation/TokenAssets.ts"
import { type AnswerLimit, patientWait } from "./AnswerLimit.ts"
import { calledCodeProblem, instancesIn } from "./CalledCode.ts"
import { callProblem } from "./CallSafety.ts"
import { mayBeWritten, widerFootprint } from "./Footprint.ts"
import { laterLedger } from "./LaterLedger.ts"
import { isLive, withRestored } from "./RestoredEntries.ts"
import { creditsOf } from "./SimulatedMoves.ts"
import type { TokenCallRules } from "./TokenCallRules.ts"
import { tokenCallProblem } from "./TokenSafety.ts"

/** Temporary entries do not come back, and nothing else is ever put away. */
const canBeArchived = (key: xdr.LedgerKey): boolean =>
  key.type === "contractCode" || (key.type === "contractData" && key.contractData.durability.name === "persistent")

const footprintOf = ({ data }: SimulatedResources): xdr.LedgerFootprint => data.resources.footprint

/**
 * Why the entries that a simulation wants restored are not paid for, or null: they are entries that the call itself touches, and no
 * other reading of the ledger shows one of them alive. A restoration moves nothing but costs rent, and would be requested again.
 */
const restoreProblem = (
  entries: LedgerEntries["Type"],
  call: SimulatedResources,
  restore: SimulatedResources
): Effect.Effect<string | null, ChainFailure> => {
  const { readOnly, readWrite } = footprintOf(restore)
  const touched = new Set([...footprintOf(call).readOnly, ...footprintOf(call).readWrite].map(keyText))
  if (readOnly.length > 0 || readWrite.length === 0 || !readWrite.every((key) => canBeArchived(key) && touched.has(keyText(key)))) {
    return Effect.succeed("its simulation restores entries that the call does not touch")
  }
  return Effect.map(
    entries.answers(readWrite),
    (answers) => (answers.some(isLive) ? "its simulation restores entries that are not archived" : null)
  )
}

/**
 * Instructions declared beyond those counted. What a call only read when it was simulated it may write seconds later (rewards,
 * interest), and that work does not shrink with the call: a share of what was counted is too little where little was counted.
 * Protocol 28 counts a third less than before, so that a node's own share (four per cent, at least 50,000) lets 14 of the 478
 * calls recorded for these protocols run out of instructions; none does with this many more, which cost some 2,800 stroops.
 */
const instructionLeeway = 4_000_000

/** How often a simulation on too old a ledger is made again: behind one URL there may be nodes that are not where another one is. */
const nodesBehind = 12

/** What every simulation of one close call has in common. */
export interface SimulationContext {
  readonly rpc: ContractRpc["Type"]
  readonly entries: LedgerEntries["Type"]
  readonly user: AccountAddress
  readonly currentSequence: bigint
  readonly assets: TokenAssets
  /** SHA-256 of the wasm that the decoder of the call was written for, in hex. */
  readonly knownCode: ReadonlySet<string>
  /** The ledger that changed the account last. */
  readonly lastChange: number
  /** Stroops. */
  readonly mostResourceFee: bigint
  readonly feePayer: FeePayer
  readonly limit: AnswerLimit
  /** Left out: it is a call of a protocol. */
  readonly about?: TokenCallRules
}

const unsignedText = ({ currentSequence, user }: SimulationContext, call: ContractCall): string =>
  callEnvelope({
    source: user,
    currentSequence,
    operation: InvokeContract.build(user, call, []),
    resources: null,
    fee: 100n,
    maxTime: 0n,
    maxLedger: 0
  }).toXdr("base64")

/** A call that gets no answer from a source that answers other simulations. */
interface Unanswered {
  readonly _tag: "Unanswered"
  readonly latestLedger: number
}

/**
 * The answer to one call within its limit. A token may run without end or crash the simulating node. So the call counts as unanswered where
 * the source answers the control getter after each attempt, the last time within `longestAnswer`. Otherwise fails with the source's
 * failure. A rate limit is always the source's failure.
 */
const asked = (context: SimulationContext, envelope: string): Effect.Effect<SimulationAnswer | Unanswered, ChainFailure> => {
  const { lastChange, limit: { control, waits }, rpc } = context
  const attempt = ([wait, ...later]: AnswerLimit["waits"]): Effect.Effect<SimulationAnswer | Unanswered, ChainFailure> =>
    Effect.catchAll(rpc.simulateTransaction(envelope, instructionLeeway, wait), (failure): ReturnType<typeof attempt> => {
      if (failure._tag === "UpstreamRateLimited") return Effect.fail(failure)
      const again = Arr.isNonEmptyReadonlyArray(later) ? later : null
      // The longer wait also finds the endpoint that answers where another one hangs.
      const controlled = Effect.mapError(
        askDated(rpc, control, again === null ? longestAnswer : patientWait),
        (ofControl) => (ofControl._tag === "DeadlineExceeded" ? failure : ofControl)
      )
      return Effect.zipRight(
        controlled,
        again === null ? Effect.succeed<Unanswered>({ _tag: "Unanswered", latestLedger: lastChange + 1 }) : attempt(again)
      )
    })
  return attempt(waits)
}

/**
 * A simulation on a later ledger than the one that changed the account last. On that very ledger entries that the next one writes can
 * look as if they were only read; and an endpoint that is behind it does not know yet what the account holds.
 */
const onLaterLedger = (context: SimulationContext, envelope: string): Effect.Effect<SimulationAnswer | Unanswered, ChainFailure> => {
  const { lastChange, rpc } = context
  const attempt = (left: number): Effect.Effect<SimulationAnswer | Unanswered, ChainFailure> =>
    Effect.flatMap(asked(context, envelope), (answer) => {
      if (answer.latestLedger > lastChange) return Effect.succeed(answer)
      return left === 0 ? new DeadlineExceeded() : Effect.zipRight(laterLedger(rpc, lastChange), attempt(left - 1))
    })
  return attempt(nodesBehind)
}

/** The contracts that run in a call are read beside what it may write, in one batch. */
const withLeeway = ({ about, assets, entries, knownCode, user }: SimulationContext, call: ContractCall, resources: SimulatedResources) => {
  const [keys, instances] = [mayBeWritten(resources, call.contract, user), instancesIn(resources)]
  return Effect.map(entries.answers([...instances, ...keys]), (answers) => ({
    problem: calledCodeProblem(call, resources, answers, {
      assets,
      knownCode,
      ...(about === undefined ? {} : { token: about.token })
    }),
    resources: widerFootprint(
      resources,
      Arr.zipWith(keys, answers.slice(instances.length), (key, { live }) => ({
        key,
        bytes: Option.match(live, { onNone: () => 0, onSome: ({ entry }) => entry?.toXdr().length ?? 0 })
      }))
    )
  }))
}

/** The line in which the host names its error, without what only its developers understand, and nothing that does not print. */
const reasonOf = (error: string): string => {
  const lines = error.slice(0, 10_000).split("\n")
  return (lines.find((line) => line.includes("HostError")) ?? lines[0] ?? "").replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, " ").trim().slice(0, 200)
}

const newerSimulation = "its data or effects are in the format of a newer ledger protocol, which this service cannot check"

/**
 * Why no transaction can offer the resource fee of a call, even if a decision accepts it; null where one can. A fee above
 * `mostResourceFee`, which no decision can accept, is reported elsewhere.
 */
const feeProblem = (
  { feePayer, mostResourceFee }: Pick<SimulationContext, "feePayer" | "mostResourceFee">,
  { resourceFee }: xdr.SorobanTransactionData
): string | null =>
  feePayer === "fee_bump" || resourceFee <= largestOwnResourceFee || resourceFee > mostResourceFee
    ? null
    : `The call needs a resource fee of ${
      showAmount(resourceFee)
    } lumens, more than a transaction can offer if its own account pays. With feePayer fee_bump another account can pay it.`

/** A simulation that does not show what the call does. */
type Unjudged = Exclude<SimulationAnswer | Unanswered, { readonly _tag: "Simulated" }>

const failureOf = (told: Unjudged, { limit: { waits } }: SimulationContext): CallSimulation => {
  switch (told._tag) {
    case "Unanswered": {
      const seconds = Duration.toSeconds(waits.reduce(Duration.sum))
      return { _tag: "Failed", reason: `it was not simulated within ${seconds} seconds, or the simulating node failed`, isUnanswered: true }
    }
    case "Failed":
      return { _tag: "Failed", reason: reasonOf(told.error) }
    case "Newer":
      return { _tag: "Failed", reason: newerSimulation }
  }
}

const judged = (
  context: SimulationContext,
  call: ContractCall,
  told: SimulationAnswer | Unanswered
): Effect.Effect<CallSimulation, ChainFailure> =>
  Effect.gen(function*() {
    if (told._tag !== "Simulated") return failureOf(told, context)
    const answer = yield* withRestored(context.entries, told)
    const { about, assets, user } = context
    const problem = about === undefined
      ? callProblem(call, user, answer, assets)
      : tokenCallProblem({ assets, call, user, token: about.token, ownBooks: about.ownBooks }, answer)
    const reason = problem ??
      (answer.restore === null ? null : yield* restoreProblem(context.entries, answer.resources, answer.restore))
    if (reason !== null) return { _tag: "Unsafe", reason }
    const { problem: ofCode, resources } = answer.restore === null
      ? yield* withLeeway(context, call, answer.resources)
      : { problem: null, resources: widerFootprint(answer.restore, []) }
    if (ofCode !== null) return { _tag: "Unsafe", reason: ofCode }
    const unnamable = feeProblem(context, resources)
    if (unnamable !== null) return { _tag: "Unavailable", reason: unnamable }
    if (resources.resourceFee > context.mostResourceFee) return { _tag: "TooDear", resourceFee: resources.resourceFee }
    if (answer.restore !== null) return { _tag: "Restore", resources, ledger: answer.latestLedger }
    return {
      _tag: "Ready",
      resources,
      auth: answer.auth,
      credits: creditsOf(answer.changes, context.user),
      changes: answer.changes,
      ledger: answer.latestLedger
    }
  })

/**
 * Simulates a call (`simulateTransaction`) and judges the result. `patiently`: waits for a ledger after the account's last change, as a
 * call that is handed over requires, and fails with `DeadlineExceeded` when none comes. A plan takes the newest ledger available.
 */
export const simulateCall = (
  context: SimulationContext,
  call: ContractCall,
  patiently: boolean
): Effect.Effect<CallSimulation, ChainFailure> => {
  const envelope = unsignedText(context, call)
  return Effect.flatMap(
    patiently ? onLaterLedger(context, envelope) : asked(context, envelope),
    (answer) => judged(context, call, answer)
  )
}
