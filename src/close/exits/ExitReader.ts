import { Array as Arr, Context, Effect, Layer } from "effect"
import type { AccountSnapshot } from "../../account/AccountReader.ts"
import type { ChainFailure } from "../../chain/ChainFailure.ts"
import { ContractRpc } from "../../chain/ContractRpc.ts"
import { LedgerApi } from "../../chain/LedgerApi.ts"
import { LedgerEntries } from "../../chain/LedgerEntries.ts"
import { NetworkSettings } from "../../chain/NetworkSettings.ts"
import type { ContractAddress } from "../../domain/Address.ts"
import { extensionsOf } from "../../ledger/entries/Account.ts"
import type { State } from "../../ledger/State.ts"
import { ProtocolRegistry } from "../../protocols/ProtocolRegistry.ts"
import type { ExitContext, HeldPosition, ProtocolReading } from "../../protocols/ProtocolRegistry.ts"
import type { CloseInput } from "../CloseInput.ts"
import { FeeSettings } from "../FeeSettings.ts"
import { simulateCall, type SimulationContext } from "./CallSimulator.ts"
import { callsOf, type Exits, linesFor, noExits, type PlannedExit, positionDecision, toBeLeft, type Unreadable } from "./Exits.ts"
import { inOrder } from "./ExitOrder.ts"
import { hasRoom } from "./PayoutLines.ts"
import { isProgress } from "./Progress.ts"
import { readPurchases } from "./RepayPurchase.ts"
import { callReserve, spendableIn } from "./SpendableTokens.ts"
import { readTokenAssets, readTokenBalances } from "./TokenAssets.ts"

/** Calls simulated side by side. */
const concurrency = 4

export interface ExitQuestion {
  readonly input: CloseInput
  readonly snapshot: AccountSnapshot
  /** What was read of the account, under the header of the next ledger. */
  readonly world: State
  /** Stroops a contract transaction bids besides its resource fee. */
  readonly inclusionFee: bigint
  /** A plan simulates whatever can be; a builder only the call that is handed over, and waits for the ledger that is right for it. */
  readonly purpose: "plan" | "build"
}

const readingsThatTell = (readings: ReadonlyArray<ProtocolReading>): Effect.Effect<ReadonlyArray<Exclude<ProtocolReading, { _tag: "Unread" }>>, ChainFailure> =>
  Effect.forEach(readings, (reading) => (reading._tag === "Unread" ? Effect.fail(reading.failure) : Effect.succeed(reading)))

const unreadableIn = (reading: Exclude<ProtocolReading, { _tag: "Unread" }>): ReadonlyArray<Unreadable> => {
  const protocol = reading.protocol.name
  if (reading._tag === "Broken") return [{ protocol, items: [], reason: reading.reason }]
  return reading.unrecognized.length === 0 ? [] : [{ protocol, items: reading.unrecognized, reason: null }]
}

const tokensOf = (positions: ReadonlyArray<Pick<HeldPosition, "pays" | "owes" | "rewards">>): ReadonlyArray<ContractAddress> => [
  ...new Set(positions.flatMap(({ owes, pays, rewards = [] }) => [...pays, ...[...owes, ...rewards].map(({ token }) => token)]))
]

interface Planned extends Pick<Exits, "assets" | "planned"> {
  /** What a protocol is told of the account that leaves a position by this answer. */
  readonly contextOf: (answer: PlannedExit["answer"]) => Omit<ExitContext, "view" | "found">
}

const asOf = ({ header: { closeTime, ledgerSeq } }: AccountSnapshot) => ({ sequence: ledgerSeq, closeTime })

/** What leaving everything held in protocols takes. */
export class ExitReader extends Context.Tag("closeout/close/exits/ExitReader")<ExitReader, {
  /** Reads positions and their exits afresh, and simulates. A protocol that could not be read fails it: nothing is closed over what is not known. */
  readonly read: (question: ExitQuestion) => Effect.Effect<Exits, ChainFailure>
}>() {
  static readonly layer = Layer.effect(
    ExitReader,
    Effect.gen(function*() {
      const protocols = yield* ProtocolRegistry
      const entries = yield* LedgerEntries
      const rpc = yield* ContractRpc
      const api = yield* LedgerApi
      const { passphrase } = yield* NetworkSettings
      const { mostResourceFee } = yield* FeeSettings

      const planned = (question: ExitQuestion, positions: ReadonlyArray<HeldPosition>): Effect.Effect<Planned, ChainFailure> =>
        Effect.gen(function*() {
          const { input, snapshot, world } = question
          const tokens = tokensOf(positions)
          const [known, balances] = yield* Effect.all([
            readTokenAssets(entries, passphrase, tokens),
            readTokenBalances(entries, input.source, tokens)
          ], { concurrency: 2, batching: true })
          const spendable = spendableIn({ world, source: input.source, passphrase, assets: known, balances, feeReserve: input.feePayer === "source" ? callReserve : 0n })
          const contextOf: Planned["contextOf"] = (answer) => ({ user: input.source, spendable, withoutRewards: answer?.choice === "exit_without_rewards" })
          const exits = yield* Effect.forEach(positions, (position) => {
            const id = positionDecision(position)
            const answer = input.answers.get(id)
            return Effect.map(
              protocols.exit(asOf(snapshot), position, contextOf(answer)),
              (exit): PlannedExit => ({ id, position, answer, exit, simulation: null })
            )
          }, { batching: true, concurrency: "unbounded" })
          const called = exits.flatMap(callsOf).flatMap(({ holds, payouts }) => [...payouts, ...holds].map(({ token }) => token))
          const more = yield* readTokenAssets(entries, passphrase, [...new Set(called)].filter((token) => !tokens.includes(token)))
          return { planned: inOrder(exits), assets: new Map([...known, ...more]), contextOf }
        })

      const withSimulations = (question: ExitQuestion, exits: Exits, contextOf: Planned["contextOf"]): Effect.Effect<Exits, ChainFailure> =>
        Effect.gen(function*() {
          const { input: { source }, purpose, snapshot, world } = question
          const { accountEntry, entries: held } = snapshot
          const context: SimulationContext = {
            rpc,
            entries,
            user: source,
            currentSequence: accountEntry.seqNum,
            assets: exits.assets,
            lastChange: Math.max(extensionsOf(accountEntry).sequence?.seqLedger ?? 0, held[0]?.lastModifiedLedgerSeq ?? 0),
            mostResourceFee
          }
          // The next call cannot be simulated before its lines are there: its first simulation is the one after they were added.
          const ready = ({ payouts }: { readonly payouts: ReadonlyArray<{ readonly token: ContractAddress; readonly expected: bigint }> }): boolean =>
            linesFor(exits, payouts.map(({ token }) => token)).every((asset) => hasRoom(world, source, asset, 0n))
          const callable = toBeLeft(exits).flatMap((one) => (one.exit._tag === "Calls" && ready(one.exit.calls[0]) ? [{ ...one, exit: one.exit }] : []))
          const next = purpose === "plan" ? callable : callable.slice(0, 1)
          const readFor = new Set(next.map(({ position: { protocol } }) => protocol))
          const [simulations, read] = yield* Effect.all([
            Effect.forEach(next, (one) => simulateCall(context, one.exit.calls[0], purpose === "build"), { concurrency }),
            entries.answers(snapshot.protocols.flatMap((reading) => (reading._tag === "Read" && readFor.has(reading.protocol.name) ? reading.keys : [])))
          ], { concurrency: 2 })
          const judged = yield* Effect.forEach(Arr.zip(next, simulations), ([one, simulation]): Effect.Effect<PlannedExit, ChainFailure> =>
            simulation._tag !== "Ready"
              ? Effect.succeed({ ...one, simulation })
              : Effect.map(
                protocols.exitAfter(asOf(snapshot), one.position, contextOf(one.answer), { changes: simulation.changes, read }),
                (after) => ({ ...one, simulation: isProgress(one.exit, after) ? simulation : { _tag: "Endless" } })
              ), { concurrency, batching: true })
          const byId = new Map(judged.map((one) => [one.id, one]))
          const simulated = exits.planned.map((one) => byId.get(one.id) ?? one)
          return { ...exits, planned: simulated }
        })

      const read = Effect.fn("ExitReader.read")(function*(question: ExitQuestion) {
        const readings = yield* readingsThatTell(question.snapshot.protocols)
        const positions = readings.flatMap((reading) => (reading._tag === "Read" ? reading.positions : []))
        const unreadable = readings.flatMap(unreadableIn)
        const { inclusionFee } = question
        if (positions.length === 0) return { ...noExits, inclusionFee, unreadable }
        const { contextOf, ...exits } = yield* planned(question, positions)
        const bought = yield* readPurchases(api, entries, question.input.source, question.world, exits)
        return yield* withSimulations(question, { ...exits, ...bought, inclusionFee, unreadable }, contextOf)
      })
      return ExitReader.of({ read })
    })
  )
}
