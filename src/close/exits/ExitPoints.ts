import { type AssetId, dashed } from "../../domain/Asset.ts"
import type { DecisionOption, DecisionPoint } from "../../domain/Decision.ts"
import { PlanChanged } from "../../domain/failure/Planning.ts"
import { showAmount } from "../../domain/Amount.ts"
import { assetDecision } from "../DecisionId.ts"
import { disposalOf } from "../Disposal.ts"
import { lineIn } from "../Holdings.ts"
import type { Situation } from "../Situation.ts"
import type { Obstacle } from "../Unit.ts"
import { Workbench } from "../Workbench.ts"
import { credited } from "./Credited.ts"
import { callsOf, claimable, declinesRewards, forfeitedUnits, isForfeited, linesFor, paidTokens, type PlannedExit, toBeLeft, type Unreadable } from "./Exits.ts"
import { expectedOf } from "./Expected.ts"
import { withRoom } from "./PayoutLines.ts"
import { purchaseOption } from "./RepayPurchase.ts"
import { showReward } from "./RewardsLeft.ts"

const isHindered = ({ exit }: PlannedExit): boolean => exit._tag === "Refused"

const optionsOf = (situation: Situation, one: PlannedExit): ReadonlyArray<DecisionOption> => {
  const forfeit: DecisionOption = {
    id: "acknowledge_forfeit",
    note: "The position stays behind in the contract, where nobody can ever reach it again. maxAmount counts its shares in base units.",
    params: { maxAmount: forfeitedUnits(one).toString() }
  }
  return [
    { id: "exit", recommended: true, note: "Everything that is held there comes back to the account." },
    ...purchaseOption(situation, one),
    ...(claimable(one).length === 0 ? [] : [{
      id: "exit_without_rewards",
      note: `As exit, but rewards that could be claimed are given up: ${claimable(one).map((reward) => showReward(situation.exits, reward)).join(", ")} now.`
    }]),
    ...(isHindered(one) ? [forfeit] : [])
  ]
}

const pointOf = (situation: Situation, one: PlannedExit): DecisionPoint => ({
  id: one.id,
  type: "position",
  subject: `A position in ${one.position.protocol}, contract ${one.position.contract} (${one.position.key})`,
  options: optionsOf(situation, one),
  default: "exit",
  required: false,
  answered: one.answer !== undefined
})

export const unreadDecision = ({ protocol }: Pick<Unreadable, "protocol">): string => `positions_unread:${protocol}`

const unreadPoint = ({ input }: Situation, one: Unreadable): DecisionPoint => ({
  id: unreadDecision(one),
  type: "positions_unread",
  subject: one.items.length === 0
    ? `Positions in ${one.protocol}, which cannot be read: ${one.reason ?? "unknown"}`
    : `Something in ${one.protocol} that cannot be read, in ${[...new Set(one.items.map(({ contract }) => contract))].join(", ")}`,
  options: [{ id: "i_accept_unread_positions", note: "Whatever is held there is given up: nobody can ever reach it again once the account is gone." }],
  default: null,
  required: true,
  answered: input.answers.has(unreadDecision(one))
})

/** What accrues until an exit is made, per thousand, rounded up: the most that is given away leaves room for it. */
const withAccrual = (amount: bigint): bigint => amount + amount / 1_000n + 1n

/** An option about a balance that is still to come. */
const forLater = (amount: bigint) => (option: DecisionOption): DecisionOption =>
  option.params?.maxAmount === undefined ? option : {
    ...option,
    note: `${option.note ?? ""} maxAmount leaves room for what accrues until then.`.trim(),
    params: { ...option.params, maxAmount: showAmount(withAccrual(amount)) }
  }

/** The question as it is asked of any balance, with a quote for what the line holds and what is to come; null where that is nothing, or cannot arrive. */
const quotedPoint = (situation: Situation, asset: AssetId, expected: bigint): DecisionPoint | null => {
  const { input: { source }, passphrase, world } = situation
  const amount = (lineIn(world, source, asset)?.balance ?? 0n) + expected
  if (amount <= 0n) return null
  const ready = withRoom(Workbench.open(world, source, passphrase), source, asset, expected)
  const line = ready === null ? null : lineIn(ready.state, source, asset)
  if (ready === null || line === null) return null
  const bench = Workbench.open(credited(ready.state, source, new Map([[asset, expected]])), source, passphrase)
  const [point] = disposalOf(situation, bench, source, { ...line, balance: amount }).points
  // What the answer fits is seen when the balance is there: until then any answer is one.
  return point === undefined ? null : { ...point, options: point.options.map(forLater(amount)), answered: situation.input.answers.has(point.id) }
}

/** Every asset that leaving positions can pay is asked about before the first transaction: afterwards it would be too late to ask. */
const payoutPoints = (situation: Situation): ReadonlyArray<DecisionPoint> => {
  const { exits, input } = situation
  const tokens = toBeLeft(exits).flatMap((one) => [
    ...paidTokens(one),
    ...one.position.owes.map(({ token }) => token),
    ...callsOf(one).flatMap(({ payouts }) => payouts.map(({ token }) => token))
  ])
  const coming = expectedOf(exits)
  return linesFor(exits, tokens).map((asset) => {
    const expected = coming.get(asset) ?? 0n
    const quoted = quotedPoint(situation, asset, expected)
    if (quoted !== null) return quoted
    return {
      id: assetDecision(asset),
      type: "asset",
      subject: `What leaving positions pays in ${dashed(asset)}`,
      options: [
        { id: "convert_to_native", note: "Add minReceive, the least that the whole amount must bring. GET /paths quotes an amount." },
        { id: "return_to_issuer", note: "Gives the balance away for nothing: it is destroyed.", params: { maxAmount: showAmount(0n) } },
        { id: "transfer_to_account", note: "Add the destination; it needs a trustline with room for the balance.", params: { maxAmount: showAmount(0n) } }
      ].map(forLater(expected > 0n ? expected : 0n)),
      default: null,
      required: true,
      answered: input.answers.has(assetDecision(asset))
    }
  })
}

/** Whether anything about a position is the owner's to decide: one that is left is asked about no more, unless rewards in it are given up. */
const isAsked = (one: PlannedExit): boolean => one.exit._tag !== "Gone" || (declinesRewards(one) && claimable(one).length > 0)

/** Every question about positions, and about what leaving them pays. */
export const exitPoints = (situation: Situation): ReadonlyArray<DecisionPoint> => [
  ...payoutPoints(situation),
  ...situation.exits.planned.filter(isAsked).map((one) => pointOf(situation, one)),
  ...situation.exits.unreadable.map((one) => unreadPoint(situation, one))
]

/** More would be left behind than was agreed, or the ledger went on faster than it could be read. */
const isOutdated = (one: PlannedExit): boolean =>
  isForfeited(one) ? forfeitedUnits(one) > BigInt(one.answer?.params?.maxAmount ?? "0") : one.simulation?._tag === "Changed"

/** Positions that are no longer as the caller, or the call, took them to be: asking again helps. */
export const exitObstacles = ({ exits }: Situation): ReadonlyArray<{ readonly id: string; readonly obstacle: Obstacle }> =>
  exits.planned.filter(isOutdated).map(({ id }) => ({ id, obstacle: new PlanChanged({ planHash: null, changes: [{ kind: "altered", subject: id }] }) }))
