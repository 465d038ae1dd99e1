import { oneOf } from "./Leaf.ts"

/** What an answer does with what its decision is about. */
export const ChoiceEffect = /* @__PURE__ */ oneOf([
  "sells",
  "moves",
  "claims",
  "exits",
  "buys_and_exits",
  "consents",
  "keeps",
  "revokes",
  "moves_sponsorship",
  "gives_up_rewards",
  "pays_others",
  "leaves_behind",
  "destroys"
], {
  identifier: "ChoiceEffect",
  description:
    "What the choice does. `destroys`, `leaves_behind`, `gives_up_rewards` and `pays_others` cost the owner something, which `loses` lists. `sells`: converts into lumens. `moves`: sends it to an account that the owner names. `consents`: confirms a fact, and moves nothing."
})
export type ChoiceEffect = typeof ChoiceEffect.Type

/** The effect of every choice that a decision point offers. A choice that is not listed here cannot be offered. */
const effects = {
  convert_to_native: "sells",
  convert_through_contracts: "sells",
  transfer_to_account: "moves",
  claim: "claims",
  add_trustline_then_claim: "claims",
  exit: "exits",
  withdraw: "exits",
  buy_repay_asset_then_exit: "buys_and_exits",
  i_control_this_address: "consents",
  keep: "keeps",
  revoke: "revokes",
  transfer_sponsorship: "moves_sponsorship",
  exit_without_rewards: "gives_up_rewards",
  top_up_then_revoke: "pays_others",
  forfeit: "leaves_behind",
  acknowledge_forfeit: "leaves_behind",
  acknowledge_residue: "leaves_behind",
  leave_what_came_later: "leaves_behind",
  i_accept_unread_claims: "leaves_behind",
  i_accept_unread_positions: "leaves_behind",
  return_to_issuer: "destroys",
  i_accept_abandoning_issued_assets: "destroys"
} as const satisfies Record<string, ChoiceEffect>

export const Choice = /* @__PURE__ */ oneOf(/* @__PURE__ */ Object.keys(effects) as ReadonlyArray<keyof typeof effects>, {
  identifier: "Choice",
  description: "The name of a way to answer. `effect` says what it does."
})
export type Choice = typeof Choice.Type

/** Effects that cost the owner something. */
const losing = ["destroys", "leaves_behind", "gives_up_rewards", "pays_others"] as const

/** Choices that cost the owner something: their options list it, are never recommended and never a default. */
export type LosingChoice = { [One in Choice]: (typeof effects)[One] extends (typeof losing)[number] ? One : never }[Choice]

/** Choices that cost the owner nothing. */
export type KeepingChoice = Exclude<Choice, LosingChoice>

export const effectOf = (choice: Choice): ChoiceEffect => effects[choice]

const sales: ReadonlySet<string> = new Set(Object.entries(effects).flatMap(([choice, effect]) => (effect === "sells" ? [choice] : [])))

/** Whether a choice, as a decision names it, sells something. */
export const isSale = (choice: string): boolean => sales.has(choice)

/** Whether an effect costs the owner something. */
export const losesValue = (effect: ChoiceEffect): boolean => losing.some((one) => one === effect)

/** Whether an effect destroys something or leaves it behind: such an option comes last. */
export const givesUp = (effect: ChoiceEffect): boolean => effect === "destroys" || effect === "leaves_behind"
