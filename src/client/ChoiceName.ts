import type { Choice } from "../domain/ChoiceEffect.ts"

const names: Readonly<Record<Choice, string>> = {
  i_control_this_address: "Yes, I control this address",
  convert_to_native: "Sell it for lumens",
  convert_through_contracts: "Sell it for lumens through contracts",
  return_to_issuer: "Give it back to the issuer, for nothing",
  transfer_to_account: "Send it to another account",
  acknowledge_residue: "Leave it behind",
  claim: "Claim it",
  add_trustline_then_claim: "Claim it, on a new trustline",
  forfeit: "Give it up",
  exit: "Leave the position",
  exit_without_rewards: "Leave it without its rewards",
  buy_repay_asset_then_exit: "Buy what is owed, then leave",
  acknowledge_forfeit: "Leave it behind",
  withdraw: "Withdraw it",
  keep: "Keep it as it is",
  revoke: "Revoke it",
  top_up_then_revoke: "Pay what its owner lacks, then revoke",
  transfer_sponsorship: "Hand it to another sponsor",
  leave_what_came_later: "Leave behind what comes later",
  i_accept_unread_positions: "Give up what cannot be read",
  i_accept_unread_claims: "Give up what was not listed",
  i_accept_abandoning_issued_assets: "Close although others hold what this account issued"
}

/** A choice in words, for people. One that this version does not know is called by its own name. */
export const choiceName = (choice: string): string => (Object.hasOwn(names, choice) ? names[choice as Choice] : choice.replaceAll("_", " "))
