import { showAmount } from "../../domain/Amount.ts"
import { native } from "../../domain/Asset.ts"
import type { Decision } from "../../domain/Decision.ts"
import type { ProtocolName } from "../../domain/Position.ts"
import { accountKey } from "../../ledger/LedgerKey.ts"
import { isLeftBehind } from "./CameLater.ts"
import { otherPositionsDecision, positionsDecision } from "./DecisionId.ts"
import { type Exits, largestUnits, type PlannedExit } from "./Exits.ts"
import { usualResourceFee } from "./Fees.ts"
import { spendable, trustlineIn } from "./Holdings.ts"
import { mayTakeBack } from "./IssuerPower.ts"
import { assetsPaid, payoutValue } from "./PayoutValue.ts"
import type { Situation } from "./Situation.ts"
import { hasNoWayOut } from "./WayOut.ts"

/** Gifted positions of one protocol that are asked about one by one. */
const mostSingle = 20

/** Gifted positions that nothing is known to buy, asked about one by one or by protocol. */
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
  const { input: { source }, ledgerState } = situation
  const { assets, others } = assetsPaid(situation, one)
  if (others) return "It pays a token that is no asset of the ledger."
  for (const asset of assets.keys()) {
    if (asset === native) continue
    const line = trustlineIn(ledgerState, source, asset)
    if (line !== null && line.balance > 0n) continue
    if (mayTakeBack(ledgerState, source, asset)) {
      return `It pays ${asset}, whose issuer may freeze or take back what arrives, and with it lock the account.`
    }
    if (line === null) return `It pays ${asset}, to which the account has no trustline.`
  }
  return null
}

const lumensOf = ({ input: { source }, ledgerState }: Situation): bigint => {
  const found = ledgerState.get(accountKey(source))?.data
  return found?.type === "account" ? spendable(found.account, ledgerState.header.baseReserve) : 0n
}

/** Why a position that others can give is not left unasked; null: it is, by default. */
export const reasonToAsk = (situation: Situation, one: PlannedExit): string | null => {
  if (hasNoWayOut(situation, one)) return "There is no way out of it now."
  const reason = unwanted(situation, one)
  if (reason !== null) return reason
  const [fee, worth] = [feeOf(situation, one), payoutValue(situation, one)]
  const cost = `Leaving it takes ${showAmount(fee)} lumens for the call`
  if (worth === null) return `${cost}, and nothing is known to buy what it pays.`
  if (worth <= fee) return `${cost}, and what it pays is quoted at ${showAmount(worth)}.`
  return situation.input.feePayer === "source" && lumensOf(situation) < fee
    ? `${cost}, and the account may spend ${showAmount(lumensOf(situation))}.`
    : null
}

/** An answer about many as the answer about one of them. */
const asOwn = (one: PlannedExit, { choice, params }: Decision): Decision =>
  choice === "exit"
    ? { id: one.id, choice, ...(params === undefined ? {} : { params }) }
    : { id: one.id, choice: "acknowledge_forfeit", params: { maxAmount: largestUnits.toString() } }

interface Asked {
  readonly one: PlannedExit
  readonly reason: string
  /** The question that asks about it with others. */
  readonly group: string | null
}

/** Gifts that are asked about, each with the question it is part of: beyond a number they are asked together, or where that was answered. */
const grouped = (situation: Situation, asked: ReadonlyArray<Omit<Asked, "group">>): ReadonlyArray<Asked> => {
  const { decisions } = situation.input
  const unsold = asked.filter(({ one }) => payoutValue(situation, one) === null)
  const together = new Set(
    unsold.length > mostWithoutMarket || decisions.has(otherPositionsDecision) ? unsold.map(({ one }) => one.id) : []
  )
  const rest = asked.filter(({ one }) => !together.has(one.id))
  const counts = new Map<ProtocolName, number>()
  for (const { one: { position: { protocol } } } of rest) counts.set(protocol, (counts.get(protocol) ?? 0) + 1)
  return asked.map((each) => {
    const { id, position: { protocol } } = each.one
    if (together.has(id)) return { ...each, group: otherPositionsDecision }
    const many = (counts.get(protocol) ?? 0) > mostSingle || decisions.has(positionsDecision(protocol))
    return { ...each, group: many ? positionsDecision(protocol) : null }
  })
}

/**
 * The exits with what becomes of positions that others can give: left by default where nothing is risked by it, else as answered, alone
 * or with others; left behind where they came later than the owner answered for; and otherwise open, which leaves them out of what follows.
 */
export const withStandings = (situation: Situation): Exits => {
  const { exits, input } = situation
  const given = exits.planned.filter(({ exit, gift }) => gift !== undefined && exit._tag !== "Gone")
  if (given.length === 0) return exits
  const reasons = new Map(given.flatMap((one) => {
    const reason = reasonToAsk(situation, one)
    return reason === null ? [] : [[one.id, reason] as const]
  }))
  const asked = given.flatMap((one) => {
    const reason = reasons.get(one.id)
    return reason === undefined || input.decisions.has(one.id) ? [] : [{ one, reason }]
  })
  const isLater = ({ gift, id, ...rest }: PlannedExit): boolean =>
    gift !== undefined && !gift.brought &&
    isLeftBehind(input, { id, modified: gift.modified, lumens: () => payoutValue(situation, { ...rest, id }) })
  const later = new Set(asked.filter(({ one }) => isLater(one)).map(({ one }) => one.id))
  const open = new Map(grouped(situation, asked.filter(({ one }) => !later.has(one.id))).map((each) => [each.one.id, each]))
  return {
    ...exits,
    planned: exits.planned.map((one) => {
      if (later.has(one.id)) return { ...one, standing: { kind: "later" as const } }
      const [each, named] = [open.get(one.id), reasons.get(one.id)]
      if (each === undefined) return named === undefined ? one : { ...one, standing: { kind: "named" as const, reason: named } }
      const { group, reason } = each
      const answer = group === null ? undefined : input.decisions.get(group)
      return answer === undefined || group === null
        ? { ...one, standing: { kind: "open" as const, reason, group } }
        : { ...one, answer: asOwn(one, answer), standing: { kind: "grouped" as const, group } }
    })
  }
}
