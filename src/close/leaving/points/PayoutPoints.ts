import { showAmount } from "../../../domain/Amount.ts"
import { type AssetId, dashed } from "../../../domain/Asset.ts"
import type { DecisionPoint } from "../../../domain/Decision.ts"
import { disposalOf } from "../../market/Disposal.ts"
import { offeredMaximum } from "../../market/Floors.ts"
import { DecisionId } from "../../situation/DecisionId.ts"
import { classicAssetsOf, toBeLeft } from "../../situation/Exits.ts"
import { expectedMovesOf } from "../../situation/ExpectedMoves.ts"
import { trustlineIn } from "../../situation/Holdings.ts"
import { callsOf, type PlannedExit } from "../../situation/PlannedExit.ts"
import type { Situation } from "../../situation/Situation.ts"
import { assetValue } from "../../situation/TokenValues.ts"
import { leftUnasked, paidTokens } from "../../situation/UnclaimedRewards.ts"
import { Workbench } from "../../situation/Workbench.ts"
import { withCredits } from "../payouts/LedgerCredits.ts"
import { withRoom } from "../payouts/PayoutTrustlines.ts"
import { hasNoWayOut } from "../payouts/WayOut.ts"

/** Assets that positions which are still to be left may pay, or leave over. */
const payoutAssets = ({ exits }: Situation): ReadonlyArray<AssetId> =>
  classicAssetsOf(
    exits,
    toBeLeft(exits).flatMap((one) => [
      ...paidTokens(one),
      ...one.position.owes.map(({ token }) => token),
      ...callsOf(one).flatMap(({ payouts }) => payouts.map(({ token }) => token))
    ])
  )

/** Whether a position may turn out not to be left as its calls say. One that only lacks some of its debt is left once that is bought. */
const mayStay = (situation: Situation, one: PlannedExit): boolean => one.foreseen.length === 0 && hasNoWayOut(situation, one)

/** Assets of which positions take something when they are left and pay nothing, so that what will remain is known. */
const onlyTaken = (situation: Situation): ReadonlySet<AssetId> => {
  const { exits } = situation
  const open = toBeLeft(exits)
  const paid = new Set(
    classicAssetsOf(
      exits,
      open.flatMap((one) => [...paidTokens(one), ...callsOf(one).flatMap(({ payouts }) => payouts.map(({ token }) => token))])
    )
  )
  const takenBy = (some: ReadonlyArray<PlannedExit>) =>
    classicAssetsOf(exits, some.flatMap((one) => callsOf(one).flatMap(({ holds }) => holds.map(({ token }) => token))))
  const uncertain = new Set(takenBy(open.filter((one) => mayStay(situation, one))))
  return new Set(takenBy(open).filter((asset) => !paid.has(asset) && !uncertain.has(asset)))
}

/** Stroops of an asset that there are once positions are left. */
const remainingOf = ({ input: { source }, ledgerState }: Situation, asset: AssetId, expected: bigint): bigint =>
  (trustlineIn(ledgerState, source, asset)?.balance ?? 0n) + expected

/** Assets of rewards that stay behind now, and that an answer names: the answer stays in use when a claim stops being worth its fee. */
const namedRewards = ({ exits, input: { answers } }: Situation): ReadonlyArray<AssetId> =>
  classicAssetsOf(exits, toBeLeft(exits).flatMap(leftUnasked).map(({ token }) => token)).filter((asset) =>
    answers.asset(asset) !== undefined
  )

/**
 * The decision point as for any balance, with a quote for the trustline's balance and the expected payout. Null where nothing remains to
 * sell, or where the payout cannot arrive.
 */
const quotedPoint = (situation: Situation, asset: AssetId, expected: bigint): DecisionPoint | null => {
  const { input: { source }, ledgerState } = situation
  const amount = remainingOf(situation, asset, expected)
  if (amount <= 0n) return null
  const ready = withRoom(Workbench.open(ledgerState, source), source, asset, expected)
  const line = ready === null ? null : trustlineIn(ready.state, source, asset)
  if (ready === null || line === null) return null
  const bench = Workbench.open(withCredits(ready.state, source, new Map([[asset, expected]])), source)
  const [point] = disposalOf(situation, bench, source, { ...line, balance: amount }).points
  // What the answer fits is seen when the balance is there: until then any answer is one.
  return point === undefined ? null : { ...point, answered: point.answered || situation.input.answers.has(point) }
}

const unquotedPoint = ({ input }: Situation, asset: AssetId, expected: bigint): DecisionPoint => {
  const maxAmount = showAmount(offeredMaximum(expected, null))
  const amount = expected > 0n ? { params: { amount: showAmount(expected) } } : {}
  return {
    id: DecisionId.asset(asset),
    type: "asset",
    subject: `The payout of positions in ${dashed(asset)}`,
    about: { kind: "asset", asset, amount: showAmount(expected) },
    options: [
      {
        id: "convert_to_native",
        note: "Add minReceive, the least lumens that the whole amount must bring. GET /paths quotes an amount.",
        ...amount
      },
      {
        id: "transfer_to_account",
        note: "Add the destination. It needs a trustline with a sufficient limit for the balance.",
        params: { maxAmount }
      },
      {
        id: "return_to_issuer",
        note: "Destroys the balance: you get nothing for it.",
        loses: [assetValue(asset, expected)],
        params: { maxAmount }
      }
    ],
    default: null,
    required: true,
    answered: input.answers.asset(asset) !== undefined
  }
}

/**
 * A decision point for every asset that exits of positions can pay. The owner must decide before the first transaction: afterwards is too
 * late. An asset that the exits use up entirely gets none. If some of it is left over, the projection adds a decision point.
 */
export const payoutPoints = (situation: Situation): ReadonlyArray<DecisionPoint> => {
  const coming = expectedMovesOf(situation.exits, situation.ledgerState, situation.input.source)
  const taken = onlyTaken(situation)
  const isUsedUp = (asset: AssetId): boolean => taken.has(asset) && remainingOf(situation, asset, coming.get(asset) ?? 0n) <= 0n
  const assets = [...new Set([...payoutAssets(situation), ...namedRewards(situation)])]
  return assets.filter((asset) => !isUsedUp(asset)).map((asset) => {
    const expected = coming.get(asset) ?? 0n
    return quotedPoint(situation, asset, expected) ?? unquotedPoint(situation, asset, expected)
  })
}
