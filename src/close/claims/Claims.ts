import { largestAmount, showAmount } from "../../domain/Amount.ts"
import { type AssetId, native } from "../../domain/Asset.ts"
import type { Decision, DecisionOption, DecisionPoint } from "../../domain/Decision.ts"
import type { DecisionAbout } from "../../domain/DecisionAbout.ts"
import type { PlanChanged } from "../../domain/failure/Planning.ts"
import { showTime } from "../../domain/Instant.ts"
import type { BalanceId } from "../../domain/Ledger.ts"
import { parseTotal } from "../../domain/Total.ts"
import type { LedgerState } from "../../ledger/LedgerState.ts"
import { amountChanged } from "../situation/AnswerFailure.ts"
import type { CloseInput } from "../situation/CloseInput.ts"
import { subjectTag } from "../situation/DecisionId.ts"
import { holdingsIn, stateViews, trustlineIn } from "../situation/Holdings.ts"
import { issuerExists, mayTakeBack, needsNoTrustline, newTrustlineProblem } from "../situation/IssuerPower.ts"
import { type OpenClaim, totalOf } from "../situation/OpenClaims.ts"
import { assetValue } from "../situation/TokenValues.ts"
import { earliestClose, validityOf } from "../situation/Validity.ts"
import { claimBook } from "./ClaimBook.ts"
import { forfeitOption, mostForfeited, othersPoint } from "./ClaimOptions.ts"
import type { ClaimSituation } from "./ClaimSituation.ts"
import { allOf, type TimedClaimSet, timedSet, unclaimable } from "./TimedClaims.ts"

/** Claimable balances that are decided together, with what the owner decided. */
export interface ClaimGroup {
  /** The id of the decision. */
  readonly id: string
  /** Null: balances of many assets, which can only be left behind. */
  readonly asset: AssetId | null
  /** Those that can be claimed from now until the transaction expires. */
  readonly claimable: ReadonlyArray<OpenClaim>
  /** The moment from which the first of those can be claimed that open later; null when there are none. */
  readonly laterFrom: bigint | null
  readonly way: "claim" | "forfeit"
  /** The answer no longer fits what is there. */
  readonly failure: PlanChanged | null
  readonly point: () => DecisionPoint
}

/** Whether and how balances of an asset can arrive: the same for all of them. */
interface Reception {
  /** Why nothing can arrive; null when it can, on the trustline there is or on one that is added. */
  readonly blockedBy: string | null
  /** The largest balance that can ever arrive at once: the limit of a trustline stays as it is where the issuer is gone. */
  readonly most: bigint
  readonly needsTrustline: boolean
  readonly mayTakeBack: boolean
}

const receptionOf = ({ input: { source } }: ClaimSituation, state: LedgerState, asset: AssetId): Reception => {
  if (needsNoTrustline(source, asset)) return { blockedBy: null, most: largestAmount, needsTrustline: false, mayTakeBack: false }
  const trustline = trustlineIn(state, source, asset)
  const unauthorized = trustline?.authorized === false ? "The issuer does not authorise the trustline." : null
  return {
    blockedBy: trustline === null ? newTrustlineProblem(state, asset) : unauthorized,
    most: trustline === null || issuerExists(state, asset) ? largestAmount : trustline.limit,
    needsTrustline: trustline === null,
    mayTakeBack: mayTakeBack(state, source, asset)
  }
}

const risk = "Its issuer can freeze or claw back the balance until it leaves the account. Claim it only if it is worth that risk."

/** When the balances of a set can be claimed that the transaction cannot claim, as sentences with a space before each. */
const otherTimes = ({ lapsingNote, later, laterFrom }: TimedClaimSet): string =>
  `${laterFrom === null ? "" : ` ${later.length} more can be claimed from ${showTime(laterFrom)} on.`}${lapsingNote}`

const optionsOf = (
  situation: ClaimSituation,
  timed: TimedClaimSet & { readonly asset: AssetId },
  { blockedBy, mayTakeBack, needsTrustline }: Reception
): ReadonlyArray<DecisionOption> => {
  const { asset, claimable, id } = timed
  const behind = unclaimable(timed)
  const all = totalOf(allOf(timed))
  const risky = mayTakeBack || claimable.some(({ clawback }) => clawback)
  const arrives = behind.length === 0
    ? "The balance arrives and leaves with the rest of its asset."
    : `You give up what this transaction cannot claim.${otherTimes(timed)}`
  const claim: DecisionOption = {
    id: needsTrustline ? "add_trustline_then_claim" : "claim",
    recommended: behind.length === 0 && !risky,
    note: `${arrives}${risky ? ` ${risk}` : ""}`,
    ...(behind.length === 0 ? {} : { params: { maxAmount: showAmount(totalOf(behind)) } })
  }
  return [
    ...(claimable.length === 0 || blockedBy !== null ? [] : [claim]),
    forfeitOption(
      [assetValue(asset, all)],
      mostForfeited(situation, { asset, id }, all),
      `${otherTimes(timed)}${blockedBy === null ? "" : ` ${blockedBy}`}`
    )
  ]
}

/** Balances of one asset as fields: the only one of its decision, or all of it. */
const aboutClaims = (timed: TimedClaimSet & { readonly asset: AssetId }): DecisionAbout => {
  const { asset, id, laterFrom } = timed
  const all = allOf(timed)
  const [first] = all
  const amount = showAmount(totalOf(all))
  const from = laterFrom === null ? null : showTime(laterFrom)
  if (first === undefined || subjectTag(id) !== "claim") return { kind: "claims", count: all.length, asset, amount, from }
  const end = first.spans.find((span) => span.end === null || laterFrom === null || span.end > laterFrom)?.end ?? null
  return { kind: "claim", balanceId: first.balance.id, asset, amount, from, until: end === null ? null : showTime(end) }
}

/** What may be left behind by an answer, against what would be. */
const answerFailure = (answer: Decision, mayClaim: boolean, leftBehind: bigint): PlanChanged | null => {
  const most = parseTotal(answer.params?.maxAmount ?? "0") ?? 0n
  return (answer.choice === "forfeit" || mayClaim) && leftBehind <= most ? null : amountChanged(answer.id)
}

/** The reception of an asset for these balances: blocked where one of them is too large for the trustline. */
const withRoom = ({ claimable }: TimedClaimSet, reception: Reception): Reception =>
  reception.blockedBy === null && claimable.some(({ balance: { amount } }) => amount > reception.most)
    ? { ...reception, blockedBy: "The trustline's limit is too low for it. The issuer no longer exists, so the limit cannot be raised." }
    : reception

const assetGroup = (situation: ClaimSituation, timed: TimedClaimSet, asset: AssetId, ofAsset: Reception): ClaimGroup => {
  const { claimable, id, laterFrom } = timed
  const [all, behind] = [allOf(timed), unclaimable(timed)]
  const reception = withRoom(timed, ofAsset)
  const answer = situation.input.answers.to(timed)
  const mayClaim = claimable.length > 0 && reception.blockedBy === null
  const way = mayClaim && answer?.choice !== "forfeit" ? "claim" : "forfeit"
  // Lumens need no trustline, and have no issuer who could take them back.
  const byDefault = asset === native && mayClaim && behind.length === 0
  const failure = answer === undefined ? null : answerFailure(answer, mayClaim, totalOf(way === "claim" ? behind : all))
  return {
    id,
    asset,
    claimable,
    laterFrom,
    way,
    failure,
    point: () => ({
      id,
      type: subjectTag(id) === "claim" ? "claim" : "claims",
      subject: `${all.length === 1 ? "A claimable balance" : `${all.length} claimable balances`} of ${showAmount(totalOf(all))} ${asset}`,
      about: aboutClaims({ ...timed, asset }),
      options: optionsOf(situation, { ...timed, asset }, reception),
      default: byDefault ? "claim" : null,
      required: !byDefault || failure !== null,
      answered: answer !== undefined && failure === null
    })
  }
}

const othersGroup = ({ input }: ClaimSituation, timed: TimedClaimSet): ClaimGroup => {
  const { claimable, id, laterFrom } = timed
  const answer = input.answers.otherClaims
  const left = allOf(timed)
  const failure = answer === undefined || left.length <= (answer.params?.maxCount ?? 0) ? null : amountChanged(id)
  return {
    id,
    asset: null,
    claimable,
    laterFrom,
    way: "forfeit",
    failure,
    point: () => othersPoint(left.map(({ balance }) => balance), answer !== undefined && failure === null)
  }
}

const views = stateViews<CloseInput, ReadonlyArray<ClaimGroup>>()

/** What the account can claim in a state of the ledger, now or later, with the owner's answers. */
export const claimsIn = (situation: ClaimSituation, state: LedgerState): ReadonlyArray<ClaimGroup> =>
  views(state, situation.input, () => readClaims(situation, state))

const readClaims = (situation: ClaimSituation, state: LedgerState): ReadonlyArray<ClaimGroup> => {
  const { sets } = claimBook(situation)
  const holdings = sets.length === 0 ? null : holdingsIn(state, situation.input.source)
  if (holdings === null) return []
  const { maxTime, since } = validityOf(situation, holdings, "high", state.header)
  const window = { from: earliestClose(situation, state.header), start: since, to: maxTime }
  const receptions = new Map<AssetId, Reception>()
  const receptionAt = (asset: AssetId): Reception => {
    const known = receptions.get(asset) ?? receptionOf(situation, state, asset)
    receptions.set(asset, known)
    return known
  }
  return sets
    .map((set) => timedSet(set, state, window))
    .filter((timed) => allOf(timed).length > 0)
    .map((
      timed
    ) => (timed.asset === null ? othersGroup(situation, timed) : assetGroup(situation, timed, timed.asset, receptionAt(timed.asset))))
}

/** The ids of the balances that will be claimed. */
export const claimedBalances = (groups: ReadonlyArray<ClaimGroup>): ReadonlySet<BalanceId> =>
  new Set(groups.filter(({ way }) => way === "claim").flatMap(({ claimable }) => claimable.map(({ balance }) => balance.id)))

/** What will be claimed, by asset, in the order of the groups. */
export const claimsByAsset = (groups: ReadonlyArray<ClaimGroup>): ReadonlyMap<AssetId, ReadonlyArray<OpenClaim>> => {
  const claims = new Map<AssetId, Array<OpenClaim>>()
  for (const { asset, claimable, way } of groups) {
    if (way !== "claim" || asset === null || claimable.length === 0) continue
    const known = claims.get(asset)
    if (known === undefined) claims.set(asset, [...claimable])
    else for (const claim of claimable) known.push(claim)
  }
  return claims
}
