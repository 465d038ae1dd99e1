import type { Question } from "../client/Question.ts"
import { brief, displayed, short } from "./Foreign.ts"
import { priceImpactWords } from "./PriceImpact.ts"
import { bold, faint, green, paragraph, red } from "./Screen.ts"

type Option = Question["options"][number]
type Value = NonNullable<Option["loses"]>[number]

/** Names for choices, where the choice's own is none for people. */
const names: Readonly<Record<string, string>> = {
  i_control_this_address: "Yes, I control this address",
  convert_to_native: "Sell for lumens",
  convert_through_contracts: "Sell for lumens through contracts",
  return_to_issuer: "Give back to the issuer",
  transfer_to_account: "Send to another account",
  acknowledge_residue: "Leave behind",
  claim: "Claim",
  add_trustline_then_claim: "Add a trustline and claim",
  forfeit: "Give up",
  acknowledge_forfeit: "Give up",
  exit: "Leave the position",
  exit_without_rewards: "Leave the position, give up its rewards",
  buy_repay_asset_then_exit: "Buy what is owed, then leave the position",
  withdraw: "Withdraw",
  revoke: "Revoke",
  keep: "Keep",
  top_up_then_revoke: "Pay the owner's reserve, then revoke",
  transfer_sponsorship: "Hand over to another sponsor",
  leave_what_came_later: "Leave behind what comes later",
  i_accept_unread_positions: "Give up what cannot be read",
  i_accept_unread_claims: "Give up what was not listed",
  i_accept_abandoning_issued_assets: "Close although others hold what this account issued"
}

/** What people call a choice. */
export const choiceName = (id: string): string => names[id] ?? id

const valueText = ({ amount, asset, lumens, symbol, token }: Value): string => {
  const name = symbol ?? short(asset ?? token ?? "")
  const units = token === undefined ? brief(amount) : `${amount} base units of`
  return `${units} ${name}${lumens === null || asset === "native" ? "" : ` (${brief(lumens)} XLM)`}`
}

/** What a choice brings and costs. */
const costs = (option: Option): ReadonlyArray<string> => {
  const { loses, needs, note, params, quote } = option
  const impact = quote === undefined ? null : priceImpactWords(quote.priceImpactBps)
  return [
    ...(quote === undefined ? [] : [`brings ${brief(quote.receive)} XLM now`]),
    ...(params?.minReceive === undefined ? [] : [`at least ${brief(params.minReceive)} XLM, or nothing is sold`]),
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

/** A question with its choices, and what each costs. */
export const questionText = (foreign: Question, number: number): ReadonlyArray<string> => {
  const question = displayed(foreign)
  return [
    "",
    `${bold(`Question ${number}`)}  ${short(question.subject)}`,
    ...why(question),
    ...question.options.flatMap((option, index) => [
      `  ${index + 1}  ${bold(choiceName(option.id))}${option.recommended === true ? green("  recommended") : ""}  ${faint(option.id)}`,
      ...costs(option).flatMap((cost) => paragraph(short(cost), "     "))
    ])
  ]
}
