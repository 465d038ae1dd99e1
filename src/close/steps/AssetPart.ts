import type { AccountAddress } from "../../domain/Address.ts"
import { largestAmount, showAmount, stroops } from "../../domain/Amount.ts"
import type { AssetId } from "../../domain/Asset.ts"
import { PlanChanged } from "../../domain/failure/Planning.ts"
import { parseTotal } from "../../domain/Total.ts"
import { type Disposal, disposalOf } from "../market/Disposal.ts"
import { isDustByAnswer } from "../market/DustShare.ts"
import { type AtomicGroup, atomicGroup, type PlannedStep } from "../situation/AtomicGroup.ts"
import { type HeldTrustline, trustlineIn } from "../situation/Holdings.ts"
import { issuerExists } from "../situation/IssuerPower.ts"
import { type OpenClaim, totalOf } from "../situation/OpenClaims.ts"
import { codeOf, spokenAmount } from "../situation/SpokenAmount.ts"
import { noPrice } from "../situation/TokenWork.ts"
import type { Workbench } from "../situation/Workbench.ts"
import type { StepView } from "./StepRule.ts"

/** The removal of an empty trustline. */
export const trustlineRemoval = (source: AccountAddress, asset: AssetId): PlannedStep => ({
  type: "REMOVE_TRUSTLINES",
  title: `Remove the trustline to ${codeOf(asset)}`,
  description: "Its reserve is freed.",
  asset,
  operations: [{ type: "change_trust", source, asset, limit: stroops(0n) }]
})

/** The claim of one balance. */
export const claimStep = (source: AccountAddress, { balance: { amount, asset, id } }: OpenClaim): PlannedStep => ({
  type: "CLAIM_BALANCES",
  title: `Claim ${spokenAmount({ of: asset, units: amount })}`,
  description: "The whole claimable balance arrives.",
  moves: { pays: [{ of: asset, units: amount }], takes: [] },
  asset,
  entry: id,
  operations: [{ type: "claim_claimable_balance", source, balanceId: id }]
})

/** What is left of an asset to claim and to dispose of. */
export interface Remainder {
  readonly asset: AssetId
  readonly claims: ReadonlyArray<OpenClaim>
  /** Everything of the asset that will have been disposed of in the end, units; may be more than an amount. */
  readonly total: bigint
  /** The trustline stays, because a position still pays into it. */
  readonly keepsTrustline: boolean
}

/** One part: what is claimed by it, what must be done to the trustline before, and what remains for the next. */
export interface Part {
  readonly before: ReadonlyArray<PlannedStep>
  readonly claimed: ReadonlyArray<OpenClaim>
}

const headroom = (
  trustline: HeldTrustline | null
): bigint => (trustline === null ? 0n : trustline.limit - trustline.balance - trustline.buyingLiabilities)

/** As many of the first balances as `most` operations claim and so many units leave room for. */
const fittingClaims = (claims: ReadonlyArray<OpenClaim>, most: number, units: bigint): ReadonlyArray<OpenClaim> => {
  let left = units
  const cut = claims.slice(0, Math.max(0, most)).findIndex(({ balance: { amount } }) => (left -= amount) < 0n)
  return claims.slice(0, cut < 0 ? Math.max(0, most) : cut)
}

/** The trustline is added or its limit raised for exactly what the part brings, so that nothing else fits onto it. */
const trustlineStep = ({ holdings }: StepView, asset: AssetId, trustline: HeldTrustline | null, brought: bigint): PlannedStep => ({
  type: "ADD_TRUSTLINE",
  title: trustline === null ? `Add a trustline to ${codeOf(asset)}` : `Raise the limit of the trustline to ${codeOf(asset)}`,
  description: "Its limit covers the next claim and no more.",
  asset,
  operations: [{
    type: "change_trust",
    source: holdings.address,
    asset,
    limit: stroops(brought + (trustline === null ? 0n : trustline.balance + trustline.buyingLiabilities))
  }]
})

/** The disposal, and the removal of the trustline where it does not stay. */
const closingOperations = ({ keepsTrustline }: Remainder): number => (keepsTrustline ? 1 : 2)

/**
 * The next part of an asset, over its trustline as it is (null: there is none), in a transaction with so many operations of room: what is done to
 * the trustline, as many claims as fit, and what disposes of all that is held then. Without claims where the trustline is too full for any.
 */
export const nextPart = (view: StepView, remainder: Remainder, trustline: HeldTrustline | null, room: number): Part => {
  const { asset, claims } = remainder
  if (claims.length === 0) return { before: [], claimed: [] }
  const asItIs = fittingClaims(claims, room - closingOperations(remainder), headroom(trustline))
  const most = trustline !== null && !issuerExists(view.workbench(), asset)
    ? headroom(trustline)
    : largestAmount - (trustline === null ? 0n : trustline.balance + trustline.buyingLiabilities)
  const raised = fittingClaims(claims, room - closingOperations(remainder) - 1, most)
  return raised.length > asItIs.length
    ? { before: [trustlineStep(view, asset, trustline, totalOf(raised))], claimed: raised }
    : { before: [], claimed: asItIs }
}

const amountFailure = ({ situation }: StepView, { asset, total }: Remainder): PlanChanged | null => {
  const answer = situation.input.answers.asset(asset)
  const most = parseTotal(answer?.params?.maxAmount ?? "")
  if (answer === undefined || most === null || total <= most) return null
  const change = { kind: "amount", subject: answer.id, agreed: showAmount(most), current: showAmount(total) } as const
  return new PlanChanged({ planHash: null, changes: [change] })
}

const afterSteps = (bench: Workbench, steps: ReadonlyArray<PlannedStep>): Workbench | null =>
  steps.length === 0 ? bench : bench.attempt(steps.flatMap(({ operations }) => operations)).after

/**
 * Whether all that a part disposes of was claimed by it, and is dust of what the owner sells. Where the issuer is gone nothing is left unclaimed:
 * a trustline that was removed could not be added again.
 */
const isClaimedDust = ({ situation, workbench }: StepView, asset: AssetId, current: HeldTrustline | null, balance: bigint): boolean => {
  const answer = situation.input.answers.asset(asset)
  return answer !== undefined && (current === null || current.balance === 0n) && isDustByAnswer(answer, balance) &&
    issuerExists(workbench(), asset)
}

/** Whether a group leaves unclaimed what its part would claim. */
export const leavesUnclaimed = ({ operations }: AtomicGroup, { claimed }: Part): boolean =>
  claimed.length > 0 && !operations.some(({ type }) => type === "claim_claimable_balance")

/** A part once everything of it has arrived. */
interface ArrivedPart {
  readonly arriving: ReadonlyArray<PlannedStep>
  readonly arrived: Workbench
  /** As it is then. */
  readonly trustline: HeldTrustline
  readonly keepsTrustline: boolean
}

const handlingStep = (disposal: Disposal, asset: AssetId, keepsTrustline: boolean): PlannedStep => ({
  type: "HANDLE_ASSETS",
  title: disposal.title,
  description: keepsTrustline
    ? "The whole balance leaves. More will arrive on this trustline."
    : "The whole balance leaves.",
  asset,
  moves: disposal.moves,
  operations: [disposal.operation]
})

const arrivedGroup = (
  view: StepView,
  remainder: Remainder,
  current: HeldTrustline | null,
  { arrived, arriving, keepsTrustline, trustline }: ArrivedPart
): AtomicGroup => {
  const { holdings, situation } = view
  const { asset } = remainder
  const isDust = isClaimedDust(view, asset, current, trustline.balance)
  const disposal = disposalOf(situation, arrived, holdings.address, trustline)
  const removal = keepsTrustline ? [] : [trustlineRemoval(holdings.address, asset)]
  if (isDust && (disposal.failure !== null || disposal.quoted.receive === 0n)) return atomicGroup(current === null ? [] : removal)
  return atomicGroup([...arriving, handlingStep(disposal, asset, keepsTrustline), ...removal], {
    points: disposal.points,
    failure: disposal.failure ?? amountFailure(view, remainder),
    paysOthers: disposal.paysOthers,
    // A later build may leave dust unclaimed.
    quoted: isDust ? { ...noPrice, receive: disposal.quoted.receive } : disposal.quoted,
    disposed: { asset, amount: trustline.balance },
    tried: disposal.after === null ? null : afterSteps(disposal.after, removal)
  })
}

/**
 * The part as one group, over the trustline as it is before: nothing of it stands in a transaction without the rest. Dust that does not
 * sell at the agreed price stays unclaimed, so that no stranger's gift holds up the close; an empty trustline is removed then.
 */
export const partGroup = (view: StepView, remainder: Remainder, current: HeldTrustline | null, { before, claimed }: Part): AtomicGroup => {
  const { workbench, holdings } = view
  const { asset, claims } = remainder
  // Where the issuer is gone a trustline that was removed could not be added again for the next part.
  const keepsTrustline = remainder.keepsTrustline || (claimed.length < claims.length && !issuerExists(workbench(), asset))
  const arriving = [...before, ...claimed.map((one) => claimStep(holdings.address, one))]
  const arrived = afterSteps(workbench(), arriving)
  const trustline = arrived === null || arriving.length === 0 ? current : trustlineIn(arrived, holdings.address, asset)
  // The dry run tells why what arrives cannot.
  if (arrived === null || trustline === null || trustline.balance === 0n) return atomicGroup(arriving)
  return arrivedGroup(view, remainder, current, { arriving, arrived, trustline, keepsTrustline })
}
