import type { WarningCode } from "./Blocker.ts"
import { type Help, help } from "./Help.ts"

/** Cause and remedy of every warning; a code without them does not compile. */
export const warningHelp: Readonly<Record<WarningCode, Help>> = {
  source_failed: help(
    "A source of ledger data did not answer, or its answer cannot be relied on, so something may be held that was not read.",
    "Read again shortly.",
    "time"
  ),
  source_lagging: help("A source is behind another one or behind the clock, so amounts may have changed.", "Read again shortly.", "time"),
  candidates_dropped: help(
    "There are more claimable balances, contracts or tokens than one read looks at.",
    "Close what is listed first; the plan asks about the rest.",
    "caller"
  ),
  clawback_enabled: help(
    "The issuer can take a balance back at any moment until it is disposed of.",
    "Dispose of it soon, and do not count on it.",
    "owner"
  ),
  allowance_live: help(
    "Somebody may take tokens from the account. That outlives the merge, and revives if the account is ever created again.",
    "Revoke it before the close by a wallet, or do not use the address again.",
    "owner"
  ),
  allowance_unreadable: help(
    "A token keeps allowances in a way of its own and does not say what is left of one, so that it is not listed.",
    "Ask whoever made the token, or revoke it by a wallet that knows it.",
    "owner"
  ),
  decimals_unknown: help(
    "A token does not tell how many decimals its amounts have.",
    "Take its amounts as base units.",
    "caller"
  ),
  unknown_contracts: help(
    "What the account gave to contracts outside the known protocols cannot be seen in full.",
    "Check the protocols you have used before you close.",
    "owner"
  ),
  forfeit_acknowledged: help(
    "Something is left behind for ever, as decided.",
    "Nothing, unless that was a mistake: then change the decision.",
    "owner"
  ),
  rewards_too_small: help(
    "Rewards are worth less than their claim costs, or came in since the last claim, and are given up.",
    "Nothing; claim them yourself before if you want them.",
    "owner"
  ),
  position_too_small: help(
    "The account holds so few shares of a pair or pool that one of its tokens comes to none for them: it refuses to pay anything.",
    "Nothing: they are left behind, and the message says what they come to. As owner, add shares to them before closing if that is too much.",
    "owner"
  ),
  liquidation_possible: help(
    "A position stands so that others may liquidate it before it is left.",
    "Leave it soon, or strengthen it first.",
    "owner"
  ),
  registry_expired: help(
    "The exchange registry is past its last day, so that no address can be recognised as an exchange's for certain.",
    "Put a registry that was checked into EXCHANGE_REGISTRY_FILE. As owner, be sure that the destination is no exchange.",
    "operator",
    "owner"
  ),
  balance_unconfirmed: help(
    "The ledger API lists something that the contract RPC does not show yet, or shows in a form of a newer ledger protocol than this service reads.",
    "Read again shortly and do not rely on it. For a newer form, the operator updates the service.",
    "time"
  ),
  straddled_read: help("The account changed while it was read, so the parts may not fit together.", "Read again.", "caller"),
  time_bound_extended: help(
    "A transaction may be signed for longer than usual.",
    "Keep in mind that it stays usable until its time bound.",
    "owner"
  ),
  preauthorized_transaction: help(
    "A transaction authorised in advance is a signer of the account and stays valid until the account is gone.",
    "Know what it does: whoever has it can submit it before the close ends.",
    "owner"
  ),
  tokens_not_checked: help(
    "Contract tokens may be held that are not listed: not all transfers were looked through in time, or a token tells no balance. Or one that was named is no token of its own, or not there.",
    "Read again shortly, and name tokens you know of in `tokens`. Look with a wallet at those that tell no balance before you close.",
    "time",
    "owner"
  ),
  protocol_not_read: help("Positions in a protocol cannot be read here.", "Look there by its own means before you close.", "owner"),
  history_only: help(
    "That the close is complete rests in part on the ledger API's history alone: the other source does not reach that far back.",
    "Nothing. Send `mergeHash` where you know it, and ask soon after a close.",
    "caller"
  ),
  history_not_scanned: help(
    "The account's own history, or what token contracts told of it, was read back to a certain ledger only, or not all of it could be read.",
    "Check contracts that the account called before it, and that nothing else names.",
    "owner"
  ),
  lists_have_gap: help(
    "Contracts of a protocol may exist that are in no list here. A position in one of those is not shown.",
    "Look in the protocol itself for what you hold there. The operator closes the gap with `npm run contracts:scan`.",
    "operator"
  ),
  came_later: help(
    "Something came after the ledger that the answer to `later` names, and is left behind.",
    "Leave the answer out to be asked.",
    "owner"
  ),
  amount_changed: help(
    "More or less of an asset is sold than its floor was agreed for.",
    "Nothing: less is sold for no less each, and more keeps the floor. Answer again for a floor made for the new amount.",
    "owner"
  ),
  protocol_newer_than_model: help(
    "The ledger runs a protocol that is newer than the ledger model, so its rules may have changed since the model was checked.",
    "Update the service (`/health/deep` names both protocols). As owner, read each transaction before you sign it, and what came of it after.",
    "operator",
    "owner"
  ),
  price_impact: help(
    "A sale brings clearly less than its amount at the best price on its route: the market for it is thin.",
    "Sell part of it yourself elsewhere, wait for more buyers, or accept the price by answering the decision point.",
    "owner"
  ),
  single_source: help(
    "Only one contract RPC told what is held in protocols or contract tokens, or the events that name such tokens.",
    "Configure endpoints of two origins in `*_RPC_URLS`.",
    "operator"
  ),
  gates_at_build: help(
    "Before a transaction that cannot be undone is handed over, the build compares what it rests on with a second source: another contract RPC, or every endpoint for a merge through the mediator. The plan queries neither.",
    "Nothing. If the build fails because the sources differ or lag, request the next transaction again.",
    "caller"
  ),
  code_by_reference: help(
    "Which code a contract runs is for another contract to say, and may change at any time.",
    "Nothing: a call that was built runs the code of then, or fails. As owner, know whom you trust.",
    "owner"
  ),
  code_known_by_interface: help(
    "A contract runs code that no list has. A factory of its protocol names it, and it declares every function and type that is relied on. Or it is a factory or router of the contracts file, whose lists are read by the shape of their entries.",
    "Check what it does before you sign, or wait for a newer contracts file. Operators refuse such code with CODE_BY_INTERFACE=off.",
    "owner",
    "operator"
  )
}
