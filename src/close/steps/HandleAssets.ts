import { BigInt as Big } from "effect"
import { showAmount, stroops } from "../../domain/Amount.ts"
import type { AssetId } from "../../domain/Asset.ts"
import { dashed } from "../../domain/Asset.ts"
import { blocker } from "../../domain/Blocker.ts"
import { InsufficientLumens } from "../../domain/failure/Planning.ts"
import { claimsByAsset } from "../claims/Claims.ts"
import type { AtomicGroup } from "../situation/AtomicGroup.ts"
import { DecisionId } from "../situation/DecisionId.ts"
import type { Blocker } from "../situation/Gate.ts"
import { type HeldTrustline, trustlineIn } from "../situation/Holdings.ts"
import { needsNoTrustline } from "../situation/IssuerPower.ts"
import type { OpenClaim } from "../situation/OpenClaims.ts"
import { leavesUnclaimed, nextPart, type Part, partGroup, type Remainder } from "./AssetPart.ts"
import type { StepRule, StepView } from "./StepRule.ts"

/** The least of a part with a claim: its trustline, the claim, the disposal, the removal of the trustline. */
const minPart = 4

/** An asset with a balance, and what will be claimed of it; null: there is nothing to be done about it now. */
const remainderOf = (
  { awaited, isNext, owed, situation }: StepView,
  asset: AssetId,
  balance: bigint,
  open: ReadonlyArray<OpenClaim>
): Remainder | null => {
  // What there was no time to quote leaves in a later transaction.
  if (isNext && situation.market.waiting.has(asset)) return null
  // What a debt is paid from stays as it is; so does what only waits for a payout.
  if (open.length + Number(balance > 0n) === 0 || (awaited.has(asset) && (owed.has(asset) || open.length === 0))) return null
  const total = open.reduce((sum, { balance: { amount } }) => sum + amount, balance)
  return { asset, claims: open, total, keepsTrustline: awaited.has(asset) }
}

type ClaimsByAsset = ReturnType<typeof claimsByAsset>

/** What is held of an asset on its trustline, and will be claimed of it. */
const remainderOnTrustline = (view: StepView, asset: AssetId, claimed: ClaimsByAsset): Remainder | null => {
  const trustline = trustlineIn(view.workbench(), view.holdings.address, asset)
  return trustline?.authorized === true ? remainderOf(view, asset, trustline.balance, claimed.get(asset) ?? []) : null
}

/** What will be claimed of assets without a trustline of any use. */
const remaindersWithoutTrustline = (view: StepView, claimed: ClaimsByAsset): ReadonlyArray<Remainder> => {
  const { holdings: { address }, workbench } = view
  return [...claimed.keys()]
    .filter((asset) => !needsNoTrustline(address, asset) && trustlineIn(workbench(), address, asset)?.authorized !== true)
    .toSorted((a, b) => (dashed(a) < dashed(b) ? -1 : 1))
    .flatMap((asset) => remainderOf(view, asset, 0n, claimed.get(asset) ?? []) ?? [])
}

/** Operations that may still follow in this transaction, and whose fees the ledger takes before the first of them: no more than it has room for. */
const followingOperations = ({ releases, room }: StepView, remainders: ReadonlyArray<Remainder>): number => {
  const most = Math.max(minPart, room.left())
  let operations = 2 * releases.filter(({ way }) => way._tag === "TopUp").length + 1
  for (const { claims } of remainders) {
    operations += claims.length + minPart - 1
    if (operations >= most) return most
  }
  return Math.min(operations, most)
}

const isAnswered = ({ situation: { input } }: StepView, asset: AssetId, claims: ReadonlyArray<OpenClaim>): boolean =>
  input.answers.claims(asset) !== undefined || claims.some(({ balance }) => input.answers.claim(balance.id) !== undefined)

/** The blocker of a claim whose trustline reserve the account cannot pay. The owner may still forfeit it by name. */
const reserveBlocker = ({ situation: { ledgerState } }: StepView, { asset, claims }: Remainder, free: bigint): Blocker => {
  const needed = stroops(BigInt(ledgerState.header.baseReserve))
  const left = stroops(Big.max(free, 0n))
  const message = `Claiming ${asset} needs a trustline, whose reserve is ${showAmount(needed)} lumens. After fees the account can spend ${
    showAmount(left)
  }. Send it lumens, or choose to forfeit the claim.`
  return {
    failure: new InsufficientLumens({ needed, spendable: left }),
    shown: blocker("insufficient_lumens", message, asset),
    liftedBy: [DecisionId.claims(asset), ...claims.map(({ balance }) => DecisionId.claim(balance.id))].map((id) => ({
      id,
      choice: "forfeit"
    }))
  }
}

/** A part in what is left of this transaction, or, where not even one claim fits, one for the next transaction. */
const partFor = (view: StepView, remainder: Remainder, trustline: HeldTrustline | null): Part => {
  const left = view.room.left()
  return nextPart(view, remainder, trustline, left >= minPart ? left : Math.max(minPart, view.room.whole))
}

/** The parts of one asset, one after the other; each leaves nothing of it behind. `later`: what comes after it. */
const partsOf = function*(view: StepView, whole: Remainder, later: () => ReadonlyArray<Remainder>): Iterable<AtomicGroup> {
  const { situation: { input, ledgerState } } = view
  for (let left = whole;;) {
    const { asset, claims } = left
    const trustline = trustlineIn(view.workbench(), view.holdings.address, asset)
    if (trustline === null) {
      const free = view.workbench().spendable(input.feePayer, followingOperations(view, [left, ...later()]))
      if (free < BigInt(ledgerState.header.baseReserve)) {
        if (isAnswered(view, asset, claims)) {
          yield { ...partGroup(view, left, trustline, partFor(view, left, trustline)), blockers: [reserveBlocker(view, left, free)] }
        }
        return
      }
    }
    const part = partFor(view, left, trustline)
    const next = partGroup(view, left, trustline, part)
    if (next.operations.length === 0) return
    yield next
    const rest = claims.slice(part.claimed.length)
    if (rest.length === 0 || leavesUnclaimed(next, part)) return
    left = { ...left, claims: rest }
  }
}

/**
 * Asset by asset, first those with a trustline, whose reserves and lumens the others may need: its trustline, its claims, the disposal of all that is
 * held of it, the removal of the trustline, in one transaction or in parts of one each. Between two of them nothing of the asset is open, so that
 * no one can lock the account by a gift.
 */
export const handleAssets: StepRule = function*(view) {
  const claimed = claimsByAsset(view.claims)
  const added = remaindersWithoutTrustline(view, claimed)
  const trustlines = view.holdings.trustlines
  // Most trustlines do not fit into this transaction: each is looked at when it is its turn, and changes nothing about those behind it.
  for (const [at, { asset }] of trustlines.entries()) {
    const remainder = remainderOnTrustline(view, asset, claimed)
    const later = () => [
      ...trustlines.slice(at + 1).flatMap((trustline) => remainderOnTrustline(view, trustline.asset, claimed) ?? []),
      ...added
    ]
    if (remainder !== null) yield* partsOf(view, remainder, later)
  }
  for (const [at, remainder] of added.entries()) yield* partsOf(view, remainder, () => added.slice(at + 1))
}
