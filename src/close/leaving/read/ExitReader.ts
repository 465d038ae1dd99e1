import type { xdr } from "@stellar/stellar-sdk"
import { Context, Effect, Layer } from "effect"
import type { ChainFailure } from "../../../chain/ChainFailure.ts"
import { ContractRpc } from "../../../chain/ContractRpc.ts"
import { LedgerEntries } from "../../../chain/LedgerEntries.ts"
import { NetworkSettings } from "../../../chain/NetworkSettings.ts"
import { SecondWitness } from "../../../chain/witness/SecondWitness.ts"
import { native } from "../../../domain/Asset.ts"
import { NetworkUnavailable } from "../../../domain/failure/Upstream.ts"
import { type ProtocolReading, ProtocolRegistry } from "../../../protocols/ProtocolRegistry.ts"
import { assetContract } from "../../../stellar/AssetTokens.ts"
import { AllowanceLookup } from "../../../tokens/AllowanceLookup.ts"
import { OwnerEvents } from "../../../tokens/OwnerEvents.ts"
import { TokenReader } from "../../../tokens/TokenReader.ts"
import { type Exits, noExits, toBeLeft, type Unreadable } from "../../situation/Exits.ts"
import { FeeSettings } from "../../situation/FeeSettings.ts"
import { noHistory, type OwnTransactions } from "../../situation/OwnTransactions.ts"
import type { PlannedExit } from "../../situation/PlannedExit.ts"
import { routeMemory } from "../../situation/RepeatedFailure.ts"
import { withNewReading } from "../payouts/OwnRewards.ts"
import { readReferredContracts, readUnnamedContracts } from "./DoubtfulContracts.ts"
import { type ExitFacts, type ExitQuestion, readExitFacts, withClaims } from "./ExitFacts.ts"
import { simulateExits } from "./ExitSimulations.ts"
import { readGiftRoutes } from "./GiftRoutes.ts"
import { withGifts } from "./Gifts.ts"
import { changesClaims, judgeClaims, rewardFactsOf, withJudgedClaims } from "./JudgedRewards.ts"
import { allowanceKeysFor, distinctAllowances, readAllowances, readNamedAllowances } from "./LiveAllowances.ts"
import { ownLedger } from "./OwnTransactionReader.ts"
import { plannedExits, tokensOf } from "./PlannedExits.ts"
import { readPurchaseRoutes } from "./PurchaseRoutes.ts"
import { isShort, readExit } from "./ReadExit.ts"
import { readRewardWorths, type RewardWorths } from "./RewardWorths.ts"
import { readTradeRoutes } from "./SaleRoutes.ts"

/** A reading with a result, be it that its decoder failed. */
type UsableReading = Exclude<ProtocolReading, { _tag: "Unread" }>

/** The failure that a retry may cure; null where a retry brings nothing new. */
const failureOf = (reading: ProtocolReading): ChainFailure | null => {
  switch (reading._tag) {
    case "Unread":
      return reading.failure
    case "Broken":
      return null
    case "Read": {
      // What does not decode, decodes no better the next time: then it is the owner's to decide.
      const failure = reading.found?.doubt?.failure ?? null
      return failure?._tag === "UpstreamUnusable" ? null : failure
    }
  }
}

/**
 * The readings with a result. Fails where a source did not answer, for the account or for the list of contracts: the close waits for what a
 * retry can read.
 */
const usableReadings = (readings: ReadonlyArray<ProtocolReading>): Effect.Effect<ReadonlyArray<UsableReading>, ChainFailure> =>
  Effect.forEach(readings, (reading) => {
    const failure = failureOf(reading)
    return failure !== null ? Effect.fail(failure) : Effect.succeed(reading._tag === "Unread" ? [] : [reading])
  }).pipe(Effect.map((all) => all.flat()))

/** The parts of a protocol that no retry can read. */
const unreadableIn = (reading: UsableReading): ReadonlyArray<Unreadable> => {
  const protocol = reading.protocol.name
  if (reading._tag === "Broken") {
    return [{ protocol, items: [], reason: reading.reason, contracts: [...(reading.protocol.contracts)].toSorted(), gap: null }]
  }
  const gap = reading.found?.doubt?.gap ?? null
  const contracts = [...new Set(reading.unrecognized.map(({ contract }) => contract))].toSorted()
  return contracts.length === 0 && gap === null ? [] : [{ protocol, items: reading.unrecognized, reason: null, contracts, gap }]
}

/** The account's own history, back to the oldest answer that buys something. Empty where no call and no purchase rests on it. */
const historyFor = (
  { ownTransactions, snapshot }: ExitQuestion,
  exits: Pick<Exits, "planned">
): Effect.Effect<OwnTransactions, ChainFailure> => {
  const bought = exits.planned.flatMap((
    one
  ) => (isShort(one) && one.answer?.choice === "buy_repay_asset_then_exit" ? BigInt(one.answer.params?.sequence ?? "0") : []))
  const oldest = bought.reduce<bigint | null>((least, sequence) => (least === null || sequence < least ? sequence : least), null)
  if (oldest === null || oldest >= snapshot.accountEntry.seqNum) {
    return toBeLeft(exits).some(({ exit }) => exit._tag === "Calls")
      ? ownTransactions({ failuresAnd: Math.max(0, snapshot.header.ledgerSeq - routeMemory) })
      : Effect.succeed(noHistory)
  }
  // An API that has not seen the account's last transaction says nothing about what was bought.
  return snapshot.ledgerApiLedger < ownLedger(snapshot)
    ? Effect.succeed({ transactions: [], whole: false })
    : ownTransactions({ sequence: oldest })
}

/** Reads how everything held in protocols is left. */
export class ExitReader extends Context.Tag("closeout/close/ExitReader")<ExitReader, {
  /**
   * Reads positions and their exits anew, and simulates them. Fails where a protocol could not be read, so that no close passes over what
   * is unknown.
   */
  readonly read: (question: ExitQuestion) => Effect.Effect<Exits, ChainFailure>
}>() {
  static readonly layer = Layer.effect(
    ExitReader,
    Effect.gen(function*() {
      const protocols = yield* ProtocolRegistry
      const entries = yield* LedgerEntries
      const rpc = yield* ContractRpc
      const witness = yield* SecondWitness
      const events = yield* OwnerEvents
      const lookup = yield* AllowanceLookup
      const reader = yield* TokenReader
      const { network, passphrase } = yield* NetworkSettings
      const { mostResourceFee } = yield* FeeSettings
      const sources = { entries, protocols, rpc, passphrase }

      const read = Effect.fnUntraced(function*(question: ExitQuestion) {
        // A source that did not answer in time may answer the second time.
        const late = () => new NetworkUnavailable({ network, source: "contract_rpc" })
        const readings = yield* Effect.catchTag(usableReadings(question.snapshot.protocols), "DeadlineExceeded", late)
        const positions = readings.flatMap((reading) => (reading._tag === "Read" ? reading.positions : []))
        const unreadable = readings.flatMap(unreadableIn)
        const { inclusionFee } = question
        const { input: { answers, source }, snapshot: { allowances, tokens } } = question
        const named = readNamedAllowances(lookup, source, answers, tokens.told?.approvals ?? [])
        const liveOf = (keys: ReadonlyArray<xdr.LedgerKey>) =>
          Effect.map(
            Effect.all([readAllowances(entries, source, [...keys, ...allowances]), named], { concurrency: 2, batching: true }),
            (found) => distinctAllowances(...found)
          )
        const carried = new Set([...tokens.held.map(({ contract }) => contract), ...tokens.unreadable])
        if (positions.length === 0) {
          return {
            ...noExits,
            carried,
            inclusionFee,
            mostResourceFee,
            unreadable,
            allowances: yield* liveOf([])
          }
        }
        const unjudged = yield* readExitFacts({ entries, reader }, passphrase, question, tokensOf(positions))
        const market = { api: question.market, entries, own: source }
        const { routes, tokenList } = question
        const selling = { market, entries, routes, tokenList, lumens: assetContract(native, passphrase) }

        /** The exits with these claims. `worth`: what rewards are worth, where it was read before. */
        const leaving = Effect.fnUntraced(function*(facts: ExitFacts, worth: RewardWorths | null) {
          const asked = { protocols, question, facts }
          const exits = yield* plannedExits(asked, entries, passphrase, positions)
          const given = yield* withGifts({ entries, events }, question, exits.planned)
          const foreseen: Exits = { ...noExits, ...exits, planned: given, carried, inclusionFee, mostResourceFee, unreadable }
          const readAgain = (one: PlannedExit) => Effect.map(readExit(asked, one.position), (anew) => withNewReading(one, anew))
          // In a build it may also mean that no later ledger came.
          const simulations = simulateExits(sources, question, facts, { exits: foreseen, readAgain })
          // None of these rests on what another one finds.
          const [simulated, bought, traded, gifts, history, live, unnamed, worths] = yield* Effect.all([
            question.purpose === "plan" ? Effect.catchTag(simulations, "DeadlineExceeded", late) : simulations,
            readPurchaseRoutes(market, question, foreseen),
            readTradeRoutes(market, exits),
            readGiftRoutes(market, { ...question, passphrase }, foreseen),
            historyFor(question, exits),
            liveOf(allowanceKeysFor(source, positions, tokensOf)),
            readUnnamedContracts(witness, question.snapshot, exits.planned),
            worth === null ? readRewardWorths(selling, question, facts, foreseen) : Effect.succeed(worth),
            question.foresee(foreseen)
          ], { concurrency: "unbounded" })
          const read: Exits = {
            ...simulated,
            ...bought,
            ...traded,
            ...gifts,
            marketEntries: [...bought.marketEntries, ...traded.marketEntries, ...gifts.marketEntries],
            history,
            allowances: live,
            unnamed
          }
          return { read, worths }
        })
        const { read: whole, worths } = yield* leaving(unjudged, null)
        const rewardFacts = rewardFactsOf(worths, question, whole)
        const claims = judgeClaims(rewardFacts, whole.planned)
        // Most exits make all their claims, and are left as they were read.
        const { read: judged } = [...claims.values()].some(changesClaims)
          ? yield* leaving(withClaims(unjudged, claims), worths)
          : { read: withJudgedClaims(whole, claims) }
        return { ...judged, rewardFacts, referred: yield* readReferredContracts(judged.planned) }
      })
      return ExitReader.of({ read })
    })
  )
}
