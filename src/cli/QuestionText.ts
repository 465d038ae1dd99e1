import { brief } from "../client/BriefAmount.ts"
import { choiceName } from "../client/ChoiceName.ts"
import type { Question } from "../client/Question.ts"
import { displayed, short } from "./Foreign.ts"
import { priceImpactWords } from "./PriceImpact.ts"
import { bold, faint, green, paragraph, red } from "./Screen.ts"

type Option = Question["options"][number]
type Value = NonNullable<Option["loses"]>[number]

const valueText = ({ amount, asset, lumens, symbol, token }: Value): string => {
  const name = symbol ?? short(asset ?? token ?? "")
  const units = token === undefined ? brief(amount) : `${amount} base units of`
  return `${units} ${name}${lumens === null || asset === "native" ? "" : ` (${brief(lumens)} XLM)`}`
}

/** Amounts that an answer agrees to: what is spent, paid to others or given away. */
const bounds = ({ maxAmount, maxLumens, maxSpend, spendAsset }: NonNullable<Option["params"]>): ReadonlyArray<string> => [
  ...(maxSpend === undefined && spendAsset === undefined
    ? []
    : [`spends at most ${maxSpend === undefined ? "an open amount" : brief(maxSpend)} of ${spendAsset ?? "an open asset"}`]),
  ...(maxLumens === undefined ? [] : [`pays at most ${brief(maxLumens)} XLM to others`]),
  ...(maxAmount === undefined ? [] : [`covers at most ${brief(maxAmount)} of it`])
]

/** The floor of a sale, and the amount that it holds for. */
const floorText = ({ amount, minReceive }: NonNullable<Option["params"]>): ReadonlyArray<string> => {
  if (minReceive !== undefined) {
    return [`at least ${brief(minReceive)} XLM${amount === undefined ? "" : ` for ${brief(amount)} of it`}, or nothing is sold`]
  }
  return amount === undefined ? [] : [`sells ${brief(amount)} of it`]
}

/** What a choice brings and costs. */
const costs = (option: Option): ReadonlyArray<string> => {
  const { loses, needs, note, params, quote } = option
  const impact = quote === undefined ? null : priceImpactWords(quote.priceImpactBps)
  return [
    ...(quote === undefined ? [] : [`brings ${brief(quote.receive)} XLM now`]),
    ...(params === undefined ? [] : [...floorText(params), ...bounds(params)]),
    ...(impact === null ? [] : [impact.isBad ? red(impact.words) : impact.words]),
    ...(loses === undefined
      ? []
      : [red(loses.length === 0 ? "what you lose is not known" : `you lose ${loses.map(valueText).join(", ")}`)]),
    ...(note === undefined ? [] : [note]),
    ...(needs.length === 0 ? [] : [`asks for ${needs.join(", ")}`])
  ]
}

const why = ({ againstLumens, floorLumens, reason }: Question): ReadonlyArray<string> => {
  const floor = floorLumens === null ? "nothing" : `${brief(floorLumens)} XLM`
  const against = againstLumens === null ? "more" : `${brief(againstLumens)} XLM`
  switch (reason) {
    case "unanswered":
      return []
    case "below_market":
      return paragraph(`The sale would be agreed from ${floor} on, and your own source quotes ${against}.`).map(red)
    case "floor_lowered":
      return paragraph(`The sale would be agreed from ${floor} on, and before it was ${against}.`).map(red)
  }
}

/** A question with its choices, and what each costs. Its id and those of its choices stand whole, as `--decide` takes them. */
export const questionText = (foreign: Question, number: number): ReadonlyArray<string> => {
  const question = displayed(foreign)
  return [
    "",
    `${bold(`Question ${number}`)}  ${short(question.subject)}`,
    faint(`  ${question.id}`),
    ...why(question),
    ...question.options.flatMap((option, index) => [
      `  ${index + 1}  ${bold(choiceName(option.id))}${option.recommended === true ? green("  recommended") : ""}  ${faint(option.id)}`,
      ...costs(option).flatMap((cost) => paragraph(short(cost), "     "))
    ])
  ]
}
