import { Array as Arr, Context, Effect, Layer } from "effect"
import type { AccountSnapshot } from "../../account/AccountReader.ts"
import type { ChainFailure } from "../../chain/ChainFailure.ts"
import { ContractRpc } from "../../chain/ContractRpc.ts"
import { LedgerApi } from "../../chain/LedgerApi.ts"
import { LedgerEntries } from "../../chain/LedgerEntries.ts"
import { NetworkSettings } from "../../chain/NetworkSettings.ts"
import { ContractAddress } from "../../domain/Address.ts"
import { extensionsOf } from "../../ledger/entries/Account.ts"
import type { State } from "../../ledger/State.ts"
import { ProtocolRegistry } from "../../protocols/ProtocolRegistry.ts"
import type { ExitContext, HeldPosition, Owed, ReadAt } from "../../protocols/ProtocolRegistry.ts"
import type { CloseInput } from "../CloseInput.ts"
import { FeeSettings } from "../FeeSettings.ts"
import { simulateCall, type SimulationContext } from "./CallSimulator.ts"
import { type CallSimulation, callsOf, type Credits, type Exits, isForfeited, linesFor, noExits, type PlannedExit, positionDecision, toBeLeft } from "./Exits.ts"
import { inOrder } from "./ExitOrder.ts"
import { meaningOf } from "./FailedCall.ts"
import { neededFor, netOf } from "./Moves.ts"
import { hasRoom } from "./PayoutLines.ts"
import { isProgress } from "./Progress.ts"
import { readPurchases } from "./RepayPurchase.ts"
import { callReserve, spendableIn } from "./SpendableTokens.ts"
import { readTrades } from "./TradeQuotes.ts"
import { readTokenAssets, readTokenBalances, type TokenAssets, tokenOf } from "./TokenAssets.ts"
import { readingsThatTell, unreadableIn } from "./Unreadable.ts"

/** Calls simulated side by side. */
const concurrency = 4

/** How often a call is built anew because others changed what it was built from. */
const readAgain = 2

export interface ExitQuestion {
  readonly input: CloseInput
  readonly snapshot: AccountSnapshot
  /** What was read of the account, under the header of the next ledger. */
  readonly world: State
  /** Stroops a contract transaction bids besides its resource fee. */
  readonly inclusionFee: bigint
  /** Both simulate whatever can be, so that neither foresees anything else than the other; a builder waits for the ledger that is right for the call it hands over. */
  readonly purpose: "plan" | "build"
}

/** More of a token than any debt. */
const plenty = 1n << 100n

/** Whether a call may have been made from another ledger than the one that simulated it, which then shows other amounts or other code. */
const isOutdated = ({ _tag }: CallSimulation): boolean => _tag === "Changed" || _tag === "Unsafe"

/** Whether all that is in the way of an exit is a debt that cannot be paid now. */
const isShort = ({ exit }: PlannedExit): boolean => exit._tag === "Refused" && exit.refusal._tag === "RepayAssetShort"

const positive = (units: bigint): bigint => (units > 0n ? units : 0n)

/** What exits before another one leave less of a token, base units: as it stands now, and with what they ask for beyond it until it is known. */
interface Taken {
  readonly now: bigint
  readonly most: bigint
}

const nothingTaken: Taken = { now: 0n, most: 0n }

/** A debt that lacks some of a token takes all there is. */
const takenOf = ({ exit }: PlannedExit, { amount, token }: Owed, left: Surroundings["spendable"]): Taken => {
  if (exit._tag === "Calls") return { now: -netOf(exit.calls, token), most: neededFor(exit.calls, token) }
  if (exit._tag !== "Refused" || exit.refusal._tag !== "RepayAssetShort") return nothingTaken
  const all = token === exit.refusal.token ? left(token) : amount
  return { now: all, most: all }
}

/** What can be spent once a call has paid and taken. */
const withCredits = (assets: TokenAssets, spendable: Surroundings["spendable"], credits: Credits): Surroundings["spendable"] => (token) => {
  const asset = assets.get(token)
  return positive(spendable(token) + (asset === undefined ? 0n : credits.get(asset) ?? 0n))
}

/** What the owner decided, as a protocol is told it. */
const decidedBy = (answer: PlannedExit["answer"], passphrase: string): Pick<ExitContext, "withoutRewards" | "givenUp" | "buysWith"> => {
  const spend = answer?.choice === "buy_repay_asset_then_exit" ? answer.params?.spendAsset : undefined
  return {
    withoutRewards: answer?.choice === "exit_without_rewards",
    givenUp: answer?.choice === "acknowledge_forfeit",
    ...(spend === undefined ? {} : { buysWith: ContractAddress.make(tokenOf(spend, passphrase)) })
  }
}

/** What every way out is read with. */
interface Surroundings {
  readonly at: ReadAt
  readonly assets: TokenAssets
  /** Base units. */
  readonly spendable: (token: ContractAddress) => bigint
  /** What a protocol is told of the account that leaves a position. */
  readonly contextOf: (answer: PlannedExit["answer"]) => Omit<ExitContext, "view" | "found">
}

const tokensOf = (positions: ReadonlyArray<Pick<HeldPosition, "pays" | "owes" | "rewards">>): ReadonlyArray<ContractAddress> => [
  ...new Set(positions.flatMap(({ owes, pays, rewards = [] }) => [...pays, ...[...owes, ...rewards].map(({ token }) => token)]))
]

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

      const surroundings = ({ input: { feePayer, source }, snapshot: { header }, world }: ExitQuestion, tokens: ReadonlyArray<ContractAddress>): Effect.Effect<Surroundings, ChainFailure> =>
        Effect.map(
          Effect.all([readTokenAssets(entries, passphrase, tokens), readTokenBalances(entries, source, tokens)], { concurrency: 2, batching: true }),
          ([assets, balances]) => {
            const spendable = spendableIn({ world, source, passphrase, assets, balances, feeReserve: feePayer === "source" ? callReserve : 0n })
            return {
              at: { sequence: header.ledgerSeq, closeTime: header.closeTime },
              assets,
              spendable,
              contextOf: (answer) => ({ user: source, spendable, ...decidedBy(answer, passphrase) })
            }
          }
        )

      const exitOf = ({ input: { answers } }: ExitQuestion, { at, contextOf }: Surroundings, position: HeldPosition): Effect.Effect<PlannedExit, ChainFailure> => {
        const id = positionDecision(position)
        const answer = answers.get(id)
        return Effect.map(protocols.exit(at, position, contextOf(answer)), (exit) => ({ id, position, answer, exit, simulation: null, foreseen: [] }))
      }

      /**
       * Each in its turn: what those before it take is not there for it. Where that makes it short, it is told what it lacks with all that
       * they may ask for, so that what is brought or bought is still enough when their debts have grown.
       */
      const inTurn = (question: ExitQuestion, around: Surroundings, exits: ReadonlyArray<PlannedExit>): Effect.Effect<ReadonlyArray<PlannedExit>, ChainFailure> => {
        const taken = new Map<ContractAddress, Taken>()
        const left = (which: keyof Taken) => (token: ContractAddress): bigint => positive(around.spendable(token) - (taken.get(token) ?? nothingTaken)[which])
        const again = (one: PlannedExit, which: keyof Taken) =>
          exitOf(question, { ...around, contextOf: (answer) => ({ ...around.contextOf(answer), spendable: left(which) }) }, one.position)
        const settled = (one: PlannedExit): Effect.Effect<PlannedExit, ChainFailure> => {
          if (!one.position.owes.some(({ token }) => taken.has(token))) return Effect.succeed(one)
          return Effect.flatMap(again(one, "now"), (now) => (isShort(now) ? again(one, "most") : Effect.succeed(now)))
        }
        return Effect.forEach(inOrder(exits), (one) =>
          Effect.tap(settled(one), (now) =>
            Effect.sync(() => {
              for (const owed of isForfeited(now) ? [] : now.position.owes) {
                const before = taken.get(owed.token) ?? nothingTaken
                const more = takenOf(now, owed, left("most"))
                taken.set(owed.token, { now: before.now + positive(more.now), most: before.most + more.most })
              }
            })))
      }

      /** An exit that a shortage stops now, with what follows when the shortage is over. */
      const foreseeing = ({ at, contextOf }: Surroundings) => (one: PlannedExit): Effect.Effect<PlannedExit, ChainFailure> =>
        !isShort(one) ? Effect.succeed(one) : Effect.map(
          protocols.exit(at, one.position, { ...contextOf(one.answer), spendable: () => plenty }),
          (exit) => ({ ...one, foreseen: exit._tag === "Calls" ? exit.calls : [] })
        )

      const planned = (question: ExitQuestion, around: Surroundings, positions: ReadonlyArray<HeldPosition>): Effect.Effect<Pick<Exits, "assets" | "planned">, ChainFailure> =>
        Effect.gen(function*() {
          const now = yield* Effect.forEach(positions, (position) => exitOf(question, around, position), { batching: true, concurrency: "unbounded" })
          const exits = yield* Effect.forEach(yield* inTurn(question, around, now), foreseeing(around), { batching: true, concurrency: "unbounded" })
          const called = exits.flatMap(callsOf).flatMap(({ holds, payouts }) => [...payouts, ...holds].map(({ token }) => token))
          const more = yield* readTokenAssets(entries, passphrase, [...new Set(called)].filter((token) => !tokensOf(positions).includes(token)))
          return { planned: exits, assets: new Map([...around.assets, ...more]) }
        })

      const withSimulations = (question: ExitQuestion, around: Surroundings, exits: Exits): Effect.Effect<Exits, ChainFailure> =>
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
            payouts.every(({ expected, token }) => linesFor(exits, [token]).every((asset) => hasRoom(world, source, asset, expected)))
          const callable = toBeLeft(exits).filter(({ exit }) => exit._tag === "Calls" && ready(exit.calls[0]))
          const handedOver = purpose === "build" ? callable[0]?.id : undefined
          const readFor = new Set(callable.map(({ position: { protocol } }) => protocol))
          const facts = { user: source, world, assets: exits.assets, spendable: around.spendable }

          /** A call that others may have outdated meanwhile is read and simulated again. */
          const simulated = (one: PlannedExit, again: number): Effect.Effect<PlannedExit, ChainFailure> => {
            if (one.exit._tag !== "Calls") return Effect.succeed(one)
            const [call] = one.exit.calls
            const protocol = protocols.all.find(({ name }) => name === one.position.protocol)
            return Effect.flatMap(simulateCall(context, call, one.id === handedOver), (told) => {
              const simulation = told._tag === "Failed" ? meaningOf(protocol, call, told, facts) : told
              return isOutdated(simulation) && again > 0
                ? Effect.flatMap(exitOf(question, around, one.position), (anew) => simulated(anew, again - 1))
                : Effect.succeed({ ...one, simulation })
            })
          }

          const [settled, read] = yield* Effect.all([
            Effect.forEach(callable, (one) => simulated(one, readAgain), { concurrency }),
            entries.answers(snapshot.protocols.flatMap((reading) => (reading._tag === "Read" && readFor.has(reading.protocol.name) ? reading.keys : [])))
          ], { concurrency: 2 })
          const judged = yield* Effect.forEach(Arr.zip(callable, settled), ([first, one]): Effect.Effect<PlannedExit, ChainFailure> => {
            const { answer, exit, position, simulation } = one
            if (exit._tag !== "Calls" || simulation?._tag !== "Ready") return Effect.succeed(one)
            // What was read beside a call that was outdated may be outdated as well.
            const foreseen = { changes: simulation.changes, read: exit === first.exit ? read : [] }
            const context = { ...around.contextOf(answer), spendable: withCredits(exits.assets, around.spendable, simulation.credits) }
            return Effect.map(protocols.exitAfter(around.at, position, context, foreseen), (after) =>
              isProgress(exit, after) ? one : { ...one, simulation: { _tag: "Endless" } })
          }, { concurrency, batching: true })
          const byId = new Map(judged.map((one) => [one.id, one]))
          return { ...exits, planned: exits.planned.map((one) => byId.get(one.id) ?? one) }
        })

      const read = Effect.fn("ExitReader.read")(function*(question: ExitQuestion) {
        const readings = yield* readingsThatTell(question.snapshot.protocols)
        const positions = readings.flatMap((reading) => (reading._tag === "Read" ? reading.positions : []))
        const unreadable = readings.flatMap(unreadableIn)
        const { inclusionFee } = question
        if (positions.length === 0) return { ...noExits, inclusionFee, unreadable }
        const around = yield* surroundings(question, tokensOf(positions))
        const exits = yield* planned(question, around, positions)
        const bought = yield* readPurchases(api, entries, question.input.source, question.world, exits)
        const traded = yield* readTrades(api, entries, question.input.source, exits)
        const marketEntries = [...bought.marketEntries, ...traded.marketEntries]
        return yield* withSimulations(question, around, { ...exits, ...bought, ...traded, marketEntries, inclusionFee, unreadable })
      })
      return ExitReader.of({ read })
    })
  )
}
