import { Context, Effect, Layer } from "effect"
import type { ChainFailure } from "../../../chain/ChainFailure.ts"
import { ContractRpc } from "../../../chain/ContractRpc.ts"
import { LedgerApi } from "../../../chain/LedgerApi.ts"
import { LedgerEntries } from "../../../chain/LedgerEntries.ts"
import { NetworkSettings } from "../../../chain/NetworkSettings.ts"
import { SecondWitness } from "../../../chain/SecondWitness.ts"
import { ContractAddress } from "../../../domain/Address.ts"
import { type ExitContext, type HeldPosition, type Owed, ProtocolRegistry } from "../../../protocols/ProtocolRegistry.ts"
import { extensionsOf } from "../../../ledger/entries/Account.ts"
import { FeeSettings } from "../../model/FeeSettings.ts"
import { callsOf, type Exits, isForfeited, noExits, type PlannedExit, positionDecision, toBeLeft } from "../../model/Exits.ts"
import { readGiftRoutes } from "./GiftRoutes.ts"
import { withGifts } from "./Gifts.ts"
import { inOrder } from "./ExitOrder.ts"
import { type ExitQuestion, simulateExits, type Surroundings } from "./ExitSimulations.ts"
import { neededFor, netOf } from "../../model/TokenMoves.ts"
import { readAllowances } from "./LiveAllowances.ts"
import { noHistory, type OwnTransactions } from "../../model/OwnTransactions.ts"
import { readOwnTransactions } from "../OwnTransactions.ts"
import { readPurchases } from "./PurchaseWays.ts"
import { withSaneAmounts } from "./SaneAmounts.ts"
import { spendableIn } from "./SpendableTokens.ts"
import { callReserve } from "../../model/Fees.ts"
import { readReferred } from "./ReferredContracts.ts"
import { lessListed } from "../TwoBalances.ts"
import { validityOf } from "../../model/Validity.ts"
import { readTrades } from "./TradeQuotes.ts"
import { readTokenAssets, readTokenBalances, tokenOf } from "../../model/TokenAssets.ts"
import { readUnnamed } from "./UnnamedContracts.ts"
import { readingsThatTell, unreadableIn } from "./Unreadable.ts"

/** The longest time from building a call to its being applied, seconds. */
const longestCall = 600n

/** More of a token than any debt. */
const plenty = 1n << 100n

/** Whether all that is in the way of an exit is a debt that cannot be paid now. */
const isShort = ({ exit }: PlannedExit): boolean => exit._tag === "Refused" && exit.refusal._tag === "RepayAssetShort"

const positive = (units: bigint): bigint => (units > 0n ? units : 0n)

/** What exits before another one leave less of a token, base units: as it stands now, and with what they ask for beyond it until it is known. */
interface Taken {
  readonly now: bigint
  readonly most: bigint
}

const nothingTaken: Taken = { now: 0n, most: 0n }

/** A debt that lacks some of a token takes all there is. `later`: the same exit as it will be when what others lack has arrived. */
const takenOf = ({ exit }: PlannedExit, later: PlannedExit["exit"], { amount, token }: Owed, left: Surroundings["spendable"]): Taken => {
  if (exit._tag === "Calls") return { now: -netOf(exit.calls, token), most: later._tag === "Calls" ? -netOf(later.calls, token) : neededFor(exit.calls, token) }
  if (exit._tag !== "Refused" || exit.refusal._tag !== "RepayAssetShort") return nothingTaken
  const all = token === exit.refusal.token ? left(token) : amount
  return { now: all, most: all }
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

/** When what is bought is there at the latest, Unix seconds: nothing that is built now is usable any longer. */
const boughtBy = ({ input, snapshot: { accountEntry }, ledgerState: { header } }: ExitQuestion): bigint =>
  validityOf({ input, now: header.closeTime }, { account: accountEntry }, "med", header).maxTime

const tokensOf = (positions: ReadonlyArray<Pick<HeldPosition, "pays" | "owes" | "rewards">>): ReadonlyArray<ContractAddress> => [
  ...new Set(positions.flatMap(({ owes, pays, rewards = [] }) => [...pays, ...[...owes, ...rewards].map(({ token }) => token)]))
]

/** The account's own history, back to the oldest word on which something was bought; nothing where no call and no purchase rests on it. */
const historyFor = (
  api: LedgerApi["Type"],
  { input: { source }, snapshot }: ExitQuestion,
  exits: Pick<Exits, "planned">
): Effect.Effect<OwnTransactions, ChainFailure> => {
  const bought = exits.planned.flatMap((one) => (isShort(one) && one.answer?.choice === "buy_repay_asset_then_exit" ? BigInt(one.answer.params?.sequence ?? "0") : []))
  const oldest = bought.reduce<bigint | null>((least, sequence) => (least === null || sequence < least ? sequence : least), null)
  const usedIn = extensionsOf(snapshot.accountEntry).sequence?.seqLedger ?? 0
  if (oldest === null || oldest >= snapshot.accountEntry.seqNum) {
    return toBeLeft(exits).some(({ exit }) => exit._tag === "Calls") ? readOwnTransactions(api, source, { usedIn }) : Effect.succeed(noHistory)
  }
  // An API that has not seen the account's last transaction says nothing about what was bought.
  return snapshot.ledgerApiLedger < usedIn ? Effect.succeed({ transactions: [], whole: false }) : readOwnTransactions(api, source, { sequence: oldest })
}

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
      const witness = yield* SecondWitness
      const { passphrase } = yield* NetworkSettings
      const { mostResourceFee } = yield* FeeSettings
      const sources = { entries, protocols, rpc }

      const surroundings = (question: ExitQuestion, tokens: ReadonlyArray<ContractAddress>): Effect.Effect<Surroundings, ChainFailure> => {
        const { input: { feePayer, source }, snapshot, ledgerState } = question
        return Effect.map(
          Effect.all([readTokenAssets(entries, passphrase, tokens), readTokenBalances(entries, source, tokens)], { concurrency: 2, batching: true }),
          ([assets, balances]) => {
            const feeReserve = feePayer === "source" ? callReserve : 0n
            const spendable = spendableIn({ ledgerState, source, passphrase, assets, balances, feeReserve, less: (asset) => lessListed(snapshot, asset) })
            return {
              at: { sequence: snapshot.header.ledgerSeq, closeTime: snapshot.header.closeTime },
              assets,
              spendable,
              contextOf: (answer) => ({ user: source, spendable, arrivesBy: boughtBy(question), ...decidedBy(answer, passphrase) })
            }
          }
        )
      }

      const exitOf = ({ input: { decisions } }: ExitQuestion, { at, contextOf }: Surroundings, position: HeldPosition): Effect.Effect<PlannedExit, ChainFailure> => {
        const id = positionDecision(position)
        const answer = decisions.get(id)
        return Effect.map(protocols.exit(at, position, contextOf(answer)), (exit) => ({ id, position, answer, exit, simulation: null, foreseen: [] }))
      }

      /**
       * Each in its turn: what those before it take is not there for it. Where that makes it short, it is told what it lacks when their
       * debts have grown until what lacks has arrived and they are paid, so that what is brought or bought is still enough then.
       */
      const inTurn = (question: ExitQuestion, around: Surroundings, exits: ReadonlyArray<PlannedExit>): Effect.Effect<ReadonlyArray<PlannedExit>, ChainFailure> => {
        const taken = new Map<ContractAddress, Taken>()
        const left = (which: keyof Taken) => (token: ContractAddress): bigint => positive(around.spendable(token) - (taken.get(token) ?? nothingTaken)[which])
        const again = (one: PlannedExit, which: keyof Taken) =>
          exitOf(question, { ...around, contextOf: (answer) => ({ ...around.contextOf(answer), spendable: left(which) }) }, one.position)
        const isShared = (one: PlannedExit): boolean =>
          one.position.owes.some(({ token }) => exits.some((other) => other.id !== one.id && other.position.owes.some((owed) => owed.token === token)))
        /** As it is when it is left at the latest; where nobody owes the same, as it is. */
        const grown = (one: PlannedExit): Effect.Effect<PlannedExit["exit"], ChainFailure> =>
          one.exit._tag !== "Calls" || !isShared(one) ? Effect.succeed(one.exit) : protocols.exit(
            { ...around.at, closeTime: boughtBy(question) + longestCall },
            one.position,
            { ...around.contextOf(one.answer), spendable: left("now") }
          )
        const settled = (one: PlannedExit): Effect.Effect<PlannedExit, ChainFailure> => {
          if (!one.position.owes.some(({ token }) => taken.has(token))) return Effect.succeed(one)
          return Effect.flatMap(again(one, "now"), (now) => (isShort(now) ? again(one, "most") : Effect.succeed(now)))
        }
        const take = (one: PlannedExit, later: PlannedExit["exit"]): void => {
          for (const owed of isForfeited(one) ? [] : one.position.owes) {
            const before = taken.get(owed.token) ?? nothingTaken
            const more = takenOf(one, later, owed, left("most"))
            taken.set(owed.token, { now: before.now + positive(more.now), most: before.most + more.most })
          }
        }
        return Effect.forEach(inOrder(exits), (one) =>
          Effect.tap(settled(one), (now) => Effect.map(grown(now), (later) => take(now, later))))
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
          const assets = new Map([...around.assets, ...more])
          return { planned: exits.map(withSaneAmounts(assets)), assets }
        })

      const read = Effect.fn("ExitReader.read")(function*(question: ExitQuestion) {
        const readings = yield* readingsThatTell(question.snapshot.protocols)
        const positions = readings.flatMap((reading) => (reading._tag === "Read" ? reading.positions : []))
        const unreadable = readings.flatMap(unreadableIn)
        const { inclusionFee } = question
        if (positions.length === 0) return { ...noExits, inclusionFee, unreadable }
        const around = yield* surroundings(question, tokensOf(positions))
        const exits = yield* planned(question, around, positions)
        const [bought, traded, history, allowances, given, unnamed] = yield* Effect.all([
          readPurchases(api, entries, question.input.source, question.ledgerState, exits),
          readTrades(api, entries, question.input.source, exits),
          historyFor(api, question, exits),
          readAllowances(entries, question.input.source, tokensOf(positions), [...new Set(positions.map(({ contract }) => contract))]),
          withGifts({ api, entries }, question, exits.planned),
          readUnnamed(witness, question.snapshot, exits.planned)
        ], { concurrency: 6 })
        const gifts = yield* readGiftRoutes(api, entries, question.input, { ...exits, planned: given })
        const marketEntries = [...bought.marketEntries, ...traded.marketEntries, ...gifts.marketEntries]
        const found: Exits = {
          ...exits, planned: given, ...bought, ...traded, ...gifts, marketEntries, inclusionFee, mostResourceFee, stuck: new Set(), allowances, history, unnamed, unreadable, referred: new Set()
        }
        const simulated = yield* simulateExits(sources, question, around, { exits: found, readAgain: ({ position }) => exitOf(question, around, position) })
        return { ...simulated, referred: yield* readReferred(simulated.planned) }
      })
      return ExitReader.of({ read })
    })
  )
}
