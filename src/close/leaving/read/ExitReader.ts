import type { xdr } from "@stellar/stellar-sdk"
import { Context, Effect, Layer } from "effect"
import type { ChainFailure } from "../../../chain/ChainFailure.ts"
import { ContractRpc } from "../../../chain/ContractRpc.ts"
import { LedgerApi } from "../../../chain/LedgerApi.ts"
import { LedgerEntries } from "../../../chain/LedgerEntries.ts"
import { NetworkSettings } from "../../../chain/NetworkSettings.ts"
import { SecondWitness } from "../../../chain/witness/SecondWitness.ts"
import { native } from "../../../domain/Asset.ts"
import { NetworkUnavailable } from "../../../domain/failure/Upstream.ts"
import { concurrently } from "../../../fibers/Concurrently.ts"
import { extensionsOf } from "../../../ledger/entries/Account.ts"
import { type ProtocolReading, ProtocolRegistry } from "../../../protocols/ProtocolRegistry.ts"
import { assetContract } from "../../../stellar/AssetTokens.ts"
import { AllowanceLookup } from "../../../tokens/AllowanceLookup.ts"
import { OwnerEvents } from "../../../tokens/OwnerEvents.ts"
import { TokenReader } from "../../../tokens/TokenReader.ts"
import { type Exits, noExits, type PlannedExit, toBeLeft, type Unreadable } from "../../situation/Exits.ts"
import { FeeSettings } from "../../situation/FeeSettings.ts"
import { noHistory, type OwnTransactions } from "../../situation/OwnTransactions.ts"
import { routeMemory } from "../../situation/RepeatedFailure.ts"
import { withNewReading } from "../payouts/OwnRewards.ts"
import { readReferred, readUnnamed } from "./DoubtfulContracts.ts"
import { simulateExits } from "./ExitSimulations.ts"
import { readGiftRoutes } from "./GiftRoutes.ts"
import { withGifts } from "./Gifts.ts"
import { asJudged, isChanged, judgedAll, rewardFactsOf } from "./JudgedRewards.ts"
import { allowanceKeysFor, readAllowances, readNamedAllowances, together } from "./LiveAllowances.ts"
import { exitOf, isShort } from "./OneExit.ts"
import { plannedExits, tokensOf } from "./PlannedExits.ts"
import { readPurchases } from "./PurchaseWays.ts"
import { readOwnTransactions } from "./ReadOwnTransactions.ts"
import { readRewardWorths, type RewardWorths } from "./RewardReading.ts"
import { readTrades } from "./SaleRoutes.ts"
import { type ExitQuestion, readSurroundings, type Surroundings, withClaims } from "./Surroundings.ts"

/** A reading that says something, if only that its decoder cannot cope. */
type TellingReading = Exclude<ProtocolReading, { _tag: "Unread" }>

/** Why asking again may bring what is missing; null where it would not. */
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

/** Fails where a source gave no answer, for the account or for the list of contracts: nothing is closed over what may be known shortly. */
const readingsThatTell = (readings: ReadonlyArray<ProtocolReading>): Effect.Effect<ReadonlyArray<TellingReading>, ChainFailure> =>
  Effect.forEach(readings, (reading) => {
    const failure = failureOf(reading)
    return failure !== null ? Effect.fail(failure) : Effect.succeed(reading._tag === "Unread" ? [] : [reading])
  }).pipe(Effect.map((all) => all.flat()))

/** What cannot be read of a protocol, however often it is tried. */
const unreadableIn = (reading: TellingReading): ReadonlyArray<Unreadable> => {
  const protocol = reading.protocol.name
  if (reading._tag === "Broken") {
    return [{ protocol, items: [], reason: reading.reason, contracts: [...(reading.protocol.contracts)].toSorted(), gap: null }]
  }
  const gap = reading.found?.doubt?.gap ?? null
  const contracts = [...new Set(reading.unrecognized.map(({ contract }) => contract))].toSorted()
  return contracts.length === 0 && gap === null ? [] : [{ protocol, items: reading.unrecognized, reason: null, contracts, gap }]
}

/** The account's own history, back to the oldest word on which something was bought; nothing where no call and no purchase rests on it. */
const historyFor = (
  api: LedgerApi["Type"],
  { input: { source }, snapshot }: ExitQuestion,
  exits: Pick<Exits, "planned">
): Effect.Effect<OwnTransactions, ChainFailure> => {
  const bought = exits.planned.flatMap((
    one
  ) => (isShort(one) && one.answer?.choice === "buy_repay_asset_then_exit" ? BigInt(one.answer.params?.sequence ?? "0") : []))
  const oldest = bought.reduce<bigint | null>((least, sequence) => (least === null || sequence < least ? sequence : least), null)
  const usedIn = extensionsOf(snapshot.accountEntry).sequence?.seqLedger ?? 0
  if (oldest === null || oldest >= snapshot.accountEntry.seqNum) {
    return toBeLeft(exits).some(({ exit }) => exit._tag === "Calls")
      ? readOwnTransactions(api, source, { usedIn, andAfter: Math.max(0, snapshot.header.ledgerSeq - routeMemory) })
      : Effect.succeed(noHistory)
  }
  // An API that has not seen the account's last transaction says nothing about what was bought.
  return snapshot.ledgerApiLedger < usedIn
    ? Effect.succeed({ transactions: [], whole: false, since: null })
    : readOwnTransactions(api, source, { sequence: oldest })
}

/** What leaving everything held in protocols takes. */
export class ExitReader extends Context.Tag("closeout/close/ExitReader")<ExitReader, {
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
      const events = yield* OwnerEvents
      const lookup = yield* AllowanceLookup
      const reader = yield* TokenReader
      const { network, passphrase } = yield* NetworkSettings
      const { mostResourceFee } = yield* FeeSettings
      const sources = { entries, protocols, rpc }

      const read = Effect.fnUntraced(function*(question: ExitQuestion) {
        // What a source did not tell in time it may tell when it is asked again.
        const late = () => new NetworkUnavailable({ network, source: "contract_rpc" })
        const readings = yield* Effect.catchTag(readingsThatTell(question.snapshot.protocols), "DeadlineExceeded", late)
        const positions = readings.flatMap((reading) => (reading._tag === "Read" ? reading.positions : []))
        const unreadable = readings.flatMap(unreadableIn)
        const { inclusionFee } = question
        const { input: { answers, source }, snapshot: { allowances, tokens } } = question
        const named = readNamedAllowances(lookup, source, answers, tokens.told?.approvals ?? [])
        const liveOf = (keys: ReadonlyArray<xdr.LedgerKey>) =>
          Effect.map(
            Effect.all([readAllowances(entries, source, [...keys, ...allowances]), named], { concurrency: 2, batching: true }),
            (found) => together(...found)
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
        const unjudged = yield* readSurroundings({ entries, reader }, passphrase, question, tokensOf(positions))
        const market = { api: question.market, entries, own: source }
        const { routes, tokenList } = question
        const selling = { market, entries, routes, tokenList, lumens: assetContract(native, passphrase) }

        /** How all is left, with these claims. `worth`: what rewards are worth, where it was read before. */
        const leaving = Effect.fnUntraced(function*(around: Surroundings, worth: RewardWorths | null) {
          const asked = { protocols, question, around }
          const exits = yield* plannedExits(asked, entries, passphrase, positions)
          const given = yield* withGifts({ api, entries, events }, question, exits.planned)
          const foreseen: Exits = { ...noExits, ...exits, planned: given, carried, inclusionFee, mostResourceFee, unreadable }
          const readAgain = (one: PlannedExit) => Effect.map(exitOf(asked, one.position), (anew) => withNewReading(one, anew))
          // None of these rests on what another one finds.
          const [simulated, bought, traded, gifts, history, live, unnamed, worths] = yield* concurrently([
            simulateExits(sources, question, around, { exits: foreseen, readAgain }),
            readPurchases(market, question, foreseen),
            readTrades(market, exits),
            readGiftRoutes(market, { ...question, passphrase }, foreseen),
            historyFor(api, question, exits),
            liveOf(allowanceKeysFor(source, positions, tokensOf)),
            readUnnamed(witness, question.snapshot, exits.planned),
            worth === null ? readRewardWorths(selling, question, around, foreseen) : Effect.succeed(worth),
            question.foresee(foreseen)
          ])
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
        const claims = judgedAll(rewardFacts, whole.planned)
        // Most exits make all their claims, and are left as they were read.
        const { read: judged } = [...claims.values()].some(isChanged)
          ? yield* leaving(withClaims(unjudged, claims), worths)
          : { read: asJudged(whole, claims) }
        return { ...judged, rewardFacts, referred: yield* readReferred(judged.planned) }
      })
      return ExitReader.of({ read })
    })
  )
}
