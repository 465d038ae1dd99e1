import { HashSet } from "effect"
import { nextClose } from "../../chain/CloseInterval.ts"
import { showAmount } from "../../domain/Amount.ts"
import type { DecisionPoint } from "../../domain/Decision.ts"
import { fault } from "../../ledger/LedgerFault.ts"
import type { LedgerState } from "../../ledger/LedgerState.ts"
import { type ClaimGroup, claimsIn } from "../claims/Claims.ts"
import { type Release, releasesIn } from "../claims/Releases.ts"
import { unreadFailure, unreadPoint } from "../claims/UnreadClaims.ts"
import { blockersOf } from "../gates/Gates.ts"
import { unfinished, withoutForfeits } from "../leaving/payouts/WayOut.ts"
import { exitFailures, exitPoints } from "../leaving/points/ExitPoints.ts"
import { laterPoint } from "../leaving/points/GiftPoints.ts"
import { payoutPoints } from "../leaving/points/PayoutPoints.ts"
import { allowancePoints, salePoints, tokenFailures, tokenPoints } from "../leaving/tokens/TokenPoints.ts"
import { staysOpen, type UnlockTimes, unlockTimes } from "../leaving/UnlockTimes.ts"
import { disposalPoints } from "../market/DisposalPoints.ts"
import { offerTermsOf } from "../market/SaleOffer.ts"
import { withUnsellable } from "../market/UnsellableAssets.ts"
import { acknowledgement } from "../situation/Acknowledgement.ts"
import type { AnswerFailure } from "../situation/AnswerFailure.ts"
import { DecisionId } from "../situation/DecisionId.ts"
import type { Blocker } from "../situation/Gate.ts"
import { callsOf, isForfeited } from "../situation/PlannedExit.ts"
import { called, type Done, nothingDone } from "../situation/Progress.ts"
import { succeeded } from "../situation/ResultCodes.ts"
import type { Situation } from "../situation/Situation.ts"
import { assetValue } from "../situation/TokenValues.ts"
import { assumed, isMemoLacking, withLumens, withoutLent } from "./LiftedBlockers.ts"
import { receivedLumens, withMergedLumens } from "./MergedLumens.ts"
import { nextTransaction, type PlannedTransaction } from "./PlannedTransaction.ts"
import {
  failedProjection,
  failsByRelease,
  lackingIn,
  leewayIn,
  remainder,
  sequenceBlockers,
  type Shortfall,
  shortfallBlockers
} from "./ProjectionBlockers.ts"

/** Enough for the largest account the ledger allows, many times over. */
const maxTransactions = 400

/** The whole close played through on the ledger model: every transaction, and every blocker. */
export interface Projection {
  readonly transactions: ReadonlyArray<PlannedTransaction>
  readonly blockers: ReadonlyArray<Blocker>
  /** Every question of the close, whichever transaction asks it. */
  readonly points: ReadonlyArray<DecisionPoint>
  /** What can be claimed at the start. */
  readonly claims: ReadonlyArray<ClaimGroup>
  /** Answers about claims, what is held in contracts, and sponsorships that no longer fit. */
  readonly failures: ReadonlyArray<{ readonly id: string; readonly failure: AnswerFailure }>
  /** What cools down; null: nothing. */
  readonly waiting: UnlockTimes | null
  /** Whether something is still in a protocol where the projection ends. */
  readonly open: boolean
  /** The ledger after the first transaction; null when there is none, or it fails. */
  readonly afterFirst: LedgerState | null
  /** Stroops the destination receives at the end, without what the account was only taken to have; zero when the close does not get there. */
  readonly received: bigint
  /** Whether the last transaction of the projection merges the account. */
  readonly merges: boolean
  /** Blockers that the projection assumes to be lifted, in words: a memo, lumens. */
  readonly assumed: ReadonlyArray<string>
}

/** Whether a transaction has a blocker. The ledger model may accept it anyway. */
const isBlocked = ({ groups }: PlannedTransaction): boolean => groups.some(({ blockers }) => blockers.length > 0)

/** The transactions of a close as far as they go, and what they did about positions. */
interface ProjectedTransactions {
  readonly transactions: ReadonlyArray<PlannedTransaction>
  readonly done: Done
  /** Null: lumens suffice. */
  readonly short: Shortfall | null
  /** Stroops that the account was taken to have beyond what it has, so that the projection could go on. */
  readonly lent: bigint
  /** How much more all that lacks may be by the time lumens have arrived, stroops. */
  readonly leeway: bigint
}

/** The same transaction. A defect where the model did what no ledger does: an answer that rests on it could lose money. */
const sound = (transaction: PlannedTransaction): PlannedTransaction => {
  const broken = transaction.applied.broken()
  return broken.length === 0 ? transaction : fault(`a projected transaction breaks the ledger: ${broken.join("; ")}`)
}

const projectTransactions = function*(situation: Situation, mayMerge: boolean): Generator<void, ProjectedTransactions> {
  const transactions: Array<PlannedTransaction> = []
  let [done, blocked] = [nothingDone, false]
  let ledgerState = situation.ledgerState
  let [short, lent, leeway, lentAt]: [Shortfall | null, bigint, bigint, number] = [null, 0n, 0n, -1]
  const ended = (): ProjectedTransactions => ({ transactions, done, short, lent, leeway })
  while (transactions.length < maxTransactions) {
    const next = yield* nextTransaction(situation, ledgerState, mayMerge && !blocked, done)
    const lacking = lackingIn(next)
    if (lacking > 0n) short ??= { next, before: transactions.length, done }
    // Lent once a transaction: what still cannot be paid then lacks something else.
    if (lacking > 0n && lentAt < transactions.length) {
      lentAt = transactions.length
      lent += lacking
      leeway += leewayIn(next)
      ledgerState = withLumens(ledgerState, situation.input.source, lacking)
      continue
    }
    if (next._tag !== "Transaction") return ended()
    transactions.push(sound(next))
    blocked ||= isBlocked(next)
    if (next.progress !== null) done = HashSet.add(done, next.progress)
    if (next.merges || !succeeded(next.applied.result)) return ended()
    const { closeTime, ledgerSeq } = ledgerState.header
    ledgerState = next.applied.state.at({ ledgerSeq: ledgerSeq + 1, closeTime: nextClose(closeTime, situation.closeInterval) })
    yield
  }
  return ended()
}

const destinationPoint = (situation: Situation): ReadonlyArray<DecisionPoint> => {
  const { destination } = situation
  if (destination === null) {
    return [{
      id: DecisionId.unnamedDestination,
      type: "destination",
      subject: "Where the lumens go",
      about: { kind: "destination", address: null },
      options: [],
      default: null,
      required: true,
      answered: false
    }]
  }
  return destination.listing === null && destination.unverified === null ? [acknowledgement(situation, destination.address)] : []
}

/** The first assets of an issuer that others hold, in words. */
const issuedInWords = (out: Situation["issuedAssets"]): string =>
  `Others hold what this account issued: ${
    out.slice(0, 5).map(({ asset, outstanding }) => `${showAmount(outstanding)} ${asset}`).join(", ")
  }${out.length > 5 ? ` and ${out.length - 5} more` : ""}`

/**
 * The decision point of an issuer whose assets others hold. After the close it can no longer authorise or redeem them. Where nothing lists what
 * an account issued, its owner has to say.
 */
const issuerPoints = ({ input, issuedAssets, snapshot: { unlisted } }: Situation): ReadonlyArray<DecisionPoint> => {
  const out = issuedAssets.filter(({ outstanding }) => outstanding > 0n)
  if (out.length === 0 && unlisted !== true) return []
  return [{
    id: DecisionId.issuer(input.source),
    type: "issuer",
    subject: unlisted === true ? "Whether others hold assets that this account issued: nothing lists them here" : issuedInWords(out),
    about: { kind: "issuer", address: input.source, count: out.length },
    options: [{
      id: "i_accept_abandoning_issued_assets",
      loses: out.map(({ asset, outstanding }) => assetValue(asset, outstanding)),
      note: unlisted === true
        ? "The account issued nothing, or what it issued stays with its holders, and no issuer backs it any more."
        : "The assets stay with their holders, and no issuer backs them any more."
    }],
    default: null,
    required: true,
    answered: input.answers.issuer(input.source) !== undefined
  }]
}

/** Whether the first of some transactions merges the account. */
const mergesNext = ([first]: ReadonlyArray<PlannedTransaction>): boolean => first?.merges ?? false

/** What is decided about as a whole and not transaction by transaction: claims and sponsorships. */
const decided = (situation: Situation, state: LedgerState, merging: boolean) => {
  const claims = claimsIn(situation, state)
  return [
    unreadPoint(situation, merging) ?? [],
    ...claims.map(({ point }) => point()),
    ...releasesIn(situation, state).map(({ point }) => point)
  ].flat()
}

/**
 * All decision points from a state of the ledger on, each once. They concern the destination, what the account holds, and its transactions.
 */
export const pointsOf = (
  situation: Situation,
  transactions: ReadonlyArray<PlannedTransaction>,
  state: LedgerState
): ReadonlyArray<DecisionPoint> => {
  const asked = [
    ...destinationPoint(situation),
    laterPoint(situation),
    ...issuerPoints(situation),
    ...payoutPoints(situation),
    ...exitPoints(situation),
    ...tokenPoints(situation),
    ...allowancePoints(situation),
    ...decided(situation, state, mergesNext(transactions)),
    ...disposalPoints(transactions.flatMap(({ groups }) => groups), offerTermsOf(situation)),
    ...salePoints(situation)
  ]
  return withUnsellable(situation, Array.from(new Map(asked.map((point) => [point.id, point])).values()))
}

/**
 * Whether what blocks may be why a projection ends in a transaction that fails: its merge, something in it, lumens that were only lent,
 * releases of sponsorships where nothing else fails, or a position that stays open. What is wrong with the account as a whole is not.
 */
const isAccountedFor = ({ short, transactions }: ProjectedTransactions, releases: ReadonlyArray<Release>, open: boolean): boolean => {
  const last = transactions.at(-1)
  return open || short !== null || last === undefined || last.merges || isBlocked(last) || failsByRelease(last, releases)
}

/** Decisions of positions that are not left where the lumens for it come to their end. */
const stuckIn = ({ exits }: Situation, { short }: ProjectedTransactions): ReadonlySet<string> =>
  short === null ? new Set() : unfinished(exits, (one) => callsOf(one).every((_, index) => HashSet.has(short.done, called(one, index))))

/**
 * Plays the close through to its end, or as far as it gets. With any blocker, the merge is left out. A large account is some work:
 * it yields wherever others may go first.
 */
export function* project(given: Situation): Generator<void, Projection> {
  const claims = claimsIn(given, given.ledgerState)
  const releases = releasesIn(given, given.ledgerState)
  const gated = [...blockersOf(given), ...releases.flatMap(({ blockers }) => blockers)]
  yield
  const played = yield* projectTransactions(given, gated.every(isMemoLacking))
  const { done, lent, short, transactions } = played
  yield
  // Whether something may be given up for want of lumens is seen as if nothing were.
  const whole = given.exits.planned.some(isForfeited) ? { ...given, exits: withoutForfeits(given.exits) } : given
  const stuck = stuckIn(whole, whole === given ? played : yield* projectTransactions(whole, false))
  const situation = { ...given, exits: { ...given.exits, stuck } }
  const open = staysOpen(situation.exits, done)
  const last = transactions.at(-1)
  const known = [
    ...gated,
    // Of lumens that lack there is one word, below.
    ...transactions.flatMap(({ groups }) =>
      groups.flatMap(({ blockers }) => blockers.filter(({ lacksLumens }) => lacksLumens === undefined))
    ),
    ...sequenceBlockers(situation, transactions.length),
    ...(short === null ? [] : shortfallBlockers(short, played))
  ]
  const first = transactions[0]
  yield
  const points = pointsOf(situation, transactions, situation.ledgerState)
  yield
  const unread = unreadFailure(situation, mergesNext(transactions))
  const received = last === undefined ? 0n : withoutLent(receivedLumens(last), lent)
  return {
    transactions: withMergedLumens(transactions, received),
    blockers: [
      ...known,
      ...remainder(situation, known, open, last),
      ...(known.length > 0 && isAccountedFor(played, releases, open) ? [] : failedProjection(transactions, points))
    ],
    points,
    claims,
    failures: [
      ...exitFailures(situation),
      ...tokenFailures(situation),
      ...(unread === null ? [] : [{ id: DecisionId.unreadClaims, failure: unread }]),
      ...claims.flatMap(({ id, failure }) => (failure === null ? [] : [{ id, failure }])),
      ...releases.flatMap(({ failure, point }) => (failure === null ? [] : [{ id: point.id, failure }]))
    ],
    waiting: unlockTimes(situation.exits),
    open,
    afterFirst: first !== undefined && succeeded(first.applied.result) ? first.applied.state : null,
    received,
    merges: last?.merges ?? false,
    assumed: assumed(gated, lent)
  }
}
