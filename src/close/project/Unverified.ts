import { showAmount, stroops } from "../../domain/Amount.ts"
import { isSale } from "../../domain/ChoiceEffect.ts"
import { counted } from "../../domain/CountedNoun.ts"
import type { Decision } from "../../domain/Decision.ts"
import { showTime } from "../../domain/Instant.ts"
import { newerProtocol } from "../../domain/NewerProtocol.ts"
import { modelProtocol } from "../../ledger/ModelProtocol.ts"
import { assumedPurchases } from "../leaving/buying/RepayPurchase.ts"
import { undecidedGifts } from "../leaving/points/GiftPoints.ts"
import { sharedPoolWarnings } from "../leaving/tokens/TokenWarnings.ts"
import { agreedSales } from "../market/AgreedMarket.ts"
import { lackingOnceFed } from "../situation/DebtCover.ts"
import { DecisionId, subjectTag } from "../situation/DecisionId.ts"
import { type Exits, toBeLeft } from "../situation/Exits.ts"
import type { Situation } from "../situation/Situation.ts"
import type { Projection } from "./Projection.ts"

/** That the ledger's own rules may have changed since the model was checked, in words. */
export const newerThanModel = ({ ledgerState }: Pick<Situation, "ledgerState">): ReadonlyArray<string> => {
  const newer = newerProtocol(ledgerState.header.ledgerVersion, modelProtocol)
  return newer === null ? [] : [newer]
}

/** What concerns the close and this version cannot read, in words. */
const unread = ({ unreadable }: Situation): ReadonlyArray<string> =>
  unreadable.length === 0 ? [] : [
    `Not read, because of a newer ledger protocol's format: ${
      counted(unreadable.length, "entry", "entries")
    } of other accounts (the first is of the kind ${unreadable[0]?.type}). To the projection they are missing.`
  ]

/** What debts will still lack when the exits that are made for them first have paid, in words. */
const stillShort = (exits: Exits): ReadonlyArray<string> =>
  toBeLeft(exits).flatMap((one) => {
    const lacking = lackingOnceFed(exits, one)
    if (lacking === null || lacking.units <= 0n) return []
    const { token, units } = lacking
    const asset = exits.assets.get(token)
    return [
      `${one.id} will still lack ${
        asset === undefined ? `${units} of ${token}` : `${showAmount(units)} ${asset}`
      } after the positions that pay it first are exited. It can be bought then.`
    ]
  })

/** Exits that were not simulated yet because there are so many, in words. */
const notReached = (exits: Exits): ReadonlyArray<string> => {
  const [first, ...others] = toBeLeft(exits).flatMap(({ id, simulation }) => (simulation?._tag === "Unreached" ? [id] : []))
  if (first === undefined) return []
  const more = others.length === 0 ? "" : ` and of ${counted(others.length, "more position")}`
  return [`The exit of ${first}${more} was not simulated in time. Whether it succeeds, and for what fee, is known after other exits.`]
}

/** Indexes with the same text, in order. */
const sameOf = (texts: ReadonlyArray<string | null>): ReadonlyArray<readonly [text: string, indexes: string]> => {
  const indexes = new Map<string, Array<number>>()
  for (const [index, text] of texts.entries()) {
    if (text !== null) indexes.set(text, [...(indexes.get(text) ?? []), index])
  }
  return [...indexes].map(([text, found]) => [text, found.join(", ")])
}

/** What calls do that was simulated or is only expected, in words: each reason once. */
const callDoubts = ({ transactions }: Projection): ReadonlyArray<string> => [
  ...sameOf(transactions.map(({ doubt, simulatedAt }) => (doubt !== null || simulatedAt === null ? null : String(simulatedAt))))
    .map(([ledger, indexes]) => `The effects of the transactions of index ${indexes} are as simulated on ledger ${ledger}.`),
  ...sameOf(transactions.map(({ doubt }) => doubt)).map(([doubt, indexes]) =>
    `Transactions of index ${indexes}: the call ${doubt}. Its payouts are those of the ledger that was read.`
  )
]

/** Assets whose disposal is assumed: nothing is decided, or a sale that cannot be made as agreed. In words. */
const undecidedAssets = ({ input: { answers } }: Situation, { points }: Projection): ReadonlyArray<string> => {
  const isAssumed = (decision: Decision | undefined): boolean => decision === undefined || isSale(decision.choice)
  const open =
    points.filter((point) => point.required && !point.answered && subjectTag(point.id) === "asset" && isAssumed(answers.to(point))).length
  return open === 0 ? [] : [
    `Not decided: ${counted(open, "asset")}. The projection assumes the conversion if there is a quote, else the return to the issuer.`
  ]
}

/** Why a projection that nothing blocks ends without a merge, in words. */
const noMerge = ({ destination }: Situation): string =>
  destination === null
    ? "Without a destination there is no merge in the projection."
    : "The projection ends before the merge. If its last transaction fails, the result codes of that transaction say why."

/** What a projection takes for granted (`projection.unverified`), in words; empty when all of it was played on what is on the ledger. */
export const unverified = (
  situation: Situation,
  projected: Projection
): ReadonlyArray<string> => {
  const { assumed, blockers, merges, open, waiting } = projected
  return [
    ...newerThanModel(situation),
    ...unread(situation),
    ...assumed,
    ...(blockers.length > 0 && !merges ? ["A blocker stops the close, so its end could not be projected."] : []),
    ...undecidedAssets(situation, projected),
    ...undecidedGifts(situation.exits),
    ...assumedPurchases(situation),
    ...agreedSales(
      [...situation.market.unquoted].map((asset) => ({ asset, amount: stroops(0n) })),
      situation.market.unquoted,
      situation.input.answers
    )
      .map(({ asset }) => `${DecisionId.asset(asset)} was not quoted in time. The projection counts it at its agreed floor.`),
    ...callDoubts(projected),
    ...sharedPoolWarnings(situation),
    ...stillShort(situation.exits),
    ...notReached(situation.exits),
    ...(waiting === null ? [] : [`A position cools down until ${showTime(waiting.merge)}. Later steps are not projected.`]),
    ...(waiting === null && open && blockers.length === 0
      ? ["How a position is exited is known only after the next transaction. Later steps are not projected."]
      : []),
    ...(merges || blockers.length > 0 || open ? [] : [noMerge(situation)]),
    ...situation.market.truncated.map((book) => `Only the best offers of the book ${book} were read, so more may arrive than projected.`)
  ]
}
