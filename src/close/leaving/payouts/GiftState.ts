import { showAmount } from "../../../domain/Amount.ts"
import { native } from "../../../domain/Asset.ts"
import { type Decision, mostGiftIds } from "../../../domain/Decision.ts"
import { accountKey } from "../../../xdr/LedgerKeys.ts"
import { largestUnits } from "../../situation/BaseUnits.ts"
import { DecisionId } from "../../situation/DecisionId.ts"
import type { Exits } from "../../situation/Exits.ts"
import { usualResourceFee } from "../../situation/Fees.ts"
import { spendable, trustlineIn } from "../../situation/Holdings.ts"
import { mayTakeBack } from "../../situation/IssuerPower.ts"
import { exceedsMost } from "../../situation/LaterGifts.ts"
import type { PlannedExit } from "../../situation/PlannedExit.ts"
import type { Situation } from "../../situation/Situation.ts"
import { isNamedByOwnCalls } from "./OwnPosition.ts"
import { isListed, payoutProceeds, payoutValue, type Proceeds, tokensPaid } from "./PayoutValue.ts"
import { hasNoWayOut } from "./WayOut.ts"

/** Gifted positions of one protocol that get a decision point each. */
const mostSingle = 20

/** Gifted positions without a known buyer: one decision point each, or one for each protocol. */
const mostWithoutMarket = 200

const feeOf = ({ exits: { inclusionFee } }: Situation, { simulation }: PlannedExit): bigint => {
  switch (simulation?._tag) {
    case "Ready":
    case "Restore":
      return simulation.resources.resourceFee + inclusionFee
    case "TooDear":
      return simulation.resourceFee + inclusionFee
    default:
      return usualResourceFee + inclusionFee
  }
}

/** Why an asset that a gift pays is not wanted unasked; null: it may come. */
const unwanted = (situation: Situation, one: PlannedExit): string | null => {
  const { exits: { assets }, input: { source }, ledgerState } = situation
  const tokens = [...tokensPaid(one).keys()]
  if (tokens.some((token) => !assets.has(token))) return "It pays a contract token, not a classic asset."
  for (const asset of tokens.map((token) => assets.get(token) ?? native)) {
    if (asset === native) continue
    const line = trustlineIn(ledgerState, source, asset)
    if (line !== null && line.balance > 0n) continue
    if (mayTakeBack(ledgerState, source, asset)) {
      return `It pays ${asset}, whose issuer may freeze or claw back the payout and so block the merge.`
    }
    if (line === null) return `It pays ${asset}, to which the account has no trustline.`
  }
  return null
}

const lumensOf = ({ input: { source }, ledgerState }: Situation): bigint => {
  const found = ledgerState.get(accountKey(source))?.data
  return found?.type === "account" ? spendable(found.account, ledgerState.header.baseReserve) : 0n
}

const showWorth = ({ fee, receive }: Proceeds): string =>
  fee === 0n ? showAmount(receive) : `${showAmount(receive)}, less ${showAmount(fee)} for the fee of selling it through contracts`

/** Whether there was no room to quote some of what a position pays. It may have a buyer. */
const isUnquoted = ({ exits: { unquotedGifts } }: Situation, one: PlannedExit): boolean =>
  [...tokensPaid(one).keys()].some((token) => unquotedGifts.has(token))

/** Why a position that others can give is not left unasked; null: it is, by default. */
const reasonToAsk = (situation: Situation, one: PlannedExit): string | null => {
  if (hasNoWayOut(situation, one)) return "It cannot be exited now."
  const reason = unwanted(situation, one)
  if (reason !== null) return reason
  const [fee, worth] = [feeOf(situation, one), payoutProceeds(situation, one)]
  const cost = `The exit costs ${showAmount(fee)} lumens for the call`
  if (worth === null) {
    return isUnquoted(situation, one)
      ? `${cost}, and the payout was not quoted: the limit of tokens that one close quotes was reached.`
      : `${cost}, and the payout has no known buyer.`
  }
  if (worth.receive <= fee + worth.fee) return `${cost}, and the payout is quoted at ${showWorth(worth)}.`
  return situation.input.feePayer === "source" && lumensOf(situation) < fee
    ? `${cost}, and the account can spend ${showAmount(lumensOf(situation))}.`
    : null
}

/** An answer about many as the answer about one of them. */
const asOwn = (one: PlannedExit, { choice, params }: Decision): Decision =>
  choice === "exit"
    ? { id: one.id, choice, ...(params === undefined ? {} : { params }) }
    : { id: one.id, choice: "acknowledge_forfeit", params: { maxAmount: largestUnits.toString() } }

interface OpenExit {
  readonly one: PlannedExit
  readonly reason: string
}

/** Answers to questions about many, by the positions that they name. They are about no other. */
const groupAnswers = ({ answers }: Situation["input"]): ReadonlyMap<string, Decision> =>
  new Map(
    [...answers.subjects("positions").map(({ protocol }) => answers.positions(protocol)), answers.otherPositions].flatMap((answer) =>
      answer === undefined ? [] : (answer.params?.ids ?? []).map((id) => [id, answer] as const)
    )
  )

/**
 * The answer about many that covers a position; undefined: none does. Given up is only what would be a question by itself, and what no own call
 * named: such an answer was given for what strangers gave, and a deposit may have come to it since.
 */
const groupAnswerFor = (situation: Situation, reasons: ReadonlyMap<string, string>) => {
  const answered = groupAnswers(situation.input)
  return (one: PlannedExit): Decision | undefined => {
    const answer = answered.get(one.id)
    const isQuestion = reasons.has(one.id) && !isNamedByOwnCalls(situation.snapshot, one)
    return answer?.choice === "exit" || isQuestion ? answer : undefined
  }
}

/**
 * Positions by id, with the id of the decision point that they share. Only groups of more than `most` positions share one; it names at most
 * `mostGiftIds`.
 */
const grouped = (asked: ReadonlyArray<OpenExit>, most: number, groupOf: (one: PlannedExit) => string): ReadonlyMap<string, string> => {
  const groups = Map.groupBy(asked.map(({ one }) => one), groupOf)
  return new Map(
    [...groups].filter(([, all]) => all.length > most).flatMap(([group, all]) =>
      all.slice(0, mostGiftIds).map(({ id }) => [id, group] as const)
    )
  )
}

/**
 * Those that nothing is known to buy, beyond a number, and of the rest those of one protocol, beyond a smaller one. What the account's own
 * calls named keeps a point of its own, so that no number of gifts hides it.
 */
const groupsOf = (situation: Situation, asked: ReadonlyArray<OpenExit>): ReadonlyMap<string, string> => {
  const strange = asked.filter(({ one }) => !isNamedByOwnCalls(situation.snapshot, one))
  const unsold = grouped(
    strange.filter(({ one }) => payoutValue(situation, one) === null && !isUnquoted(situation, one)),
    mostWithoutMarket,
    () => DecisionId.otherPositions
  )
  const rest = strange.filter(({ one }) => !unsold.has(one.id))
  return new Map([...unsold, ...grouped(rest, mostSingle, ({ position: { protocol } }) => DecisionId.positions(protocol))])
}

/** Whether a position is left behind because it came later. An answer that names it counts, unless it has done its work. */
const isLater = (situation: Situation, one: PlannedExit): boolean => {
  const { input: { answers, later } } = situation
  const { gift } = one
  if (later === null || gift === undefined || !gift.cameLater) return false
  if (answers.has(one) && !gift.leftSince) return false
  return !exceedsMost(later, () => payoutProceeds(situation, one, (token) => isListed(situation, token))?.receive ?? null)
}

/**
 * The exits, with the gift state of each position that others can give. A position is left behind where `isLater` holds; its exit is then not
 * judged. Any other is exited by default where that risks nothing, or treated as decided, alone or in a group. The rest stay open, and
 * later steps leave them out.
 */
export const withGiftStates = (situation: Situation): Exits => {
  const { exits, input } = situation
  const given = exits.planned.filter(({ exit, gift }) => gift !== undefined && exit._tag !== "Gone")
  if (given.length === 0) return exits
  const later = new Set(given.filter((one) => isLater(situation, one)).map(({ id }) => id))
  const reasons = new Map(
    given.filter(({ id }) => !later.has(id)).flatMap((one) => {
      const reason = reasonToAsk(situation, one)
      return reason === null ? [] : [[one.id, reason] as const]
    })
  )
  const groupAnswer = groupAnswerFor(situation, reasons)
  const asked = given.flatMap((one) => {
    const reason = reasons.get(one.id)
    return reason === undefined || input.answers.has(one) || groupAnswer(one) !== undefined ? [] : [{ one, reason }]
  })
  const groups = groupsOf(situation, asked)
  const isGiven = new Set(given.map(({ id }) => id))
  return {
    ...exits,
    planned: exits.planned.map((one) => {
      if (later.has(one.id)) return { ...one, giftState: { _tag: "Later" as const } }
      const [reason, together] = [reasons.get(one.id), groupAnswer(one)]
      if (input.answers.has(one)) return reason === undefined ? one : { ...one, giftState: { _tag: "Named" as const, reason } }
      if (together !== undefined && isGiven.has(one.id)) {
        return { ...one, answer: asOwn(one, together), giftState: { _tag: "Grouped" as const, group: together.id } }
      }
      return reason === undefined ? one : { ...one, giftState: { _tag: "Open" as const, reason, group: groups.get(one.id) ?? null } }
    })
  }
}
