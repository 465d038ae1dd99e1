import type { WarningCode } from "./Blocker.ts"
import { type Help, help } from "./Help.ts"

/** Cause and remedy of every warning; a code without them does not compile. */
export const warningHelp: Readonly<Record<WarningCode, Help>> = {
  source_failed: help(
    "A source of ledger data did not respond, or its response is unreliable, so something held may be missing.",
    "Read again shortly.",
    "time"
  ),
  source_lagging: help("A source is behind another one or behind the clock, so amounts may have changed.", "Read again shortly.", "time"),
  candidates_dropped: help(
    "There are more claimable balances, contracts or tokens than one request reads.",
    "Close the listed ones first. The plan has a decision point for the rest.",
    "caller"
  ),
  clawback_enabled: help(
    "The issuer can claw back a balance at any time until it leaves the account.",
    "Sell or move it soon, and do not count on it.",
    "owner"
  ),
  allowance_live: help(
    "A spender may take tokens from the account. The allowance outlives the merge and works again if the account is ever created again.",
    "In a close, choose `revoke` at the point `allowance:<token>:<spender>`. Without a close, use `POST /{network}/allowances/revoke`. Or do not use the address again.",
    "owner"
  ),
  allowance_unreadable: help(
    "A token stores allowances in its own way and does not report what is left of one. That allowance is not listed.",
    "Ask the token's issuer, or revoke it with a wallet that supports the token.",
    "owner"
  ),
  decimals_unknown: help(
    "A token does not report how many decimals its amounts have.",
    "Read its amounts as base units.",
    "caller"
  ),
  unknown_contracts: help(
    "Deposits in contracts outside the known protocols cannot all be detected.",
    "Check the protocols you have used before you close.",
    "owner"
  ),
  forfeit_acknowledged: help(
    "Something is left behind permanently, as decided.",
    "Do nothing, or change the decision if it was a mistake.",
    "owner"
  ),
  rewards_too_small: help(
    "Rewards are given up because they are worth less than their claim costs, or arrived after the last claim.",
    "Do nothing, or claim them yourself before the close.",
    "owner"
  ),
  position_too_small: help(
    "The account holds very few shares of a pair or pool. One of its tokens rounds to zero for them, so the contract rejects the withdrawal.",
    "Do nothing: they are left behind, and the message has their value. If that is too much to lose, the owner adds shares before the close.",
    "owner"
  ),
  liquidation_possible: help(
    "Others may liquidate a position before it is exited.",
    "Exit it soon, or add collateral first.",
    "owner"
  ),
  registry_expired: help(
    "The exchange registry has expired, so exchange addresses cannot be recognised reliably.",
    "Set EXCHANGE_REGISTRY_FILE to a checked registry. The owner makes sure that the destination is not an exchange.",
    "operator",
    "owner"
  ),
  balance_unconfirmed: help(
    "The ledger API lists an entry that the contract RPC does not show yet. Or the entry is in the format of a newer ledger protocol than this service reads.",
    "Read again shortly and do not rely on the entry. For a newer format, the operator updates the service.",
    "time"
  ),
  straddled_read: help("The account changed while it was read, so its parts may be of different ledgers.", "Read again.", "caller"),
  time_bound_extended: help(
    "A transaction may be signed for longer than usual.",
    "Remember that it stays valid until its time bound.",
    "owner"
  ),
  preauthorized_transaction: help(
    "A pre-authorised transaction is a signer of the account and stays valid until the account is merged.",
    "Check what it does: anyone who has it can submit it before the close ends.",
    "owner"
  ),
  tokens_not_checked: help(
    "The account may hold contract tokens that are not listed: not all transfers were scanned in time, or a token returns no balance. Or a token in the request is not a separate token, or does not exist.",
    "Read again shortly. Name tokens you know: in `tokens` of an account read, in a plan by a decision about `token:<contract>`. Check tokens without a balance with a wallet.",
    "time",
    "owner"
  ),
  protocol_not_read: help("This service cannot read positions in a protocol.", "Check the protocol's own app before you close.", "owner"),
  history_only: help(
    "That the close is complete rests in part on the history of one source alone. The other source does not reach that far back, or there is none.",
    "Do nothing. Send `mergeHash` if you know it, and plan soon after a close.",
    "caller"
  ),
  history_not_scanned: help(
    "The account's own history, or its token events, was read back to a certain ledger only, or could not be read completely.",
    "Check contracts that the account called before that ledger and that no other source names.",
    "owner"
  ),
  lists_have_gap: help(
    "This service may not list every contract of a protocol. A position in an unlisted contract is not shown.",
    "Check the protocol's own app for your positions. The operator closes the gap with `npm run contracts:scan`.",
    "operator"
  ),
  came_later: help(
    "Something arrived after the ledger in the decision about `later`, and is left behind.",
    "To decide about it, leave out the decision about `later`.",
    "owner"
  ),
  amount_changed: help(
    "The amount sold differs from the amount that its floor was agreed for.",
    "Do nothing: a smaller sale keeps the same price per unit, and a larger one keeps the floor. For a floor made for the new amount, decide again.",
    "owner"
  ),
  protocol_newer_than_model: help(
    "The ledger runs a newer protocol than the ledger model, so its rules may differ from the model.",
    "Update the service (`/health/deep` names both protocols). The owner reads each transaction before signing, and checks its result afterwards.",
    "operator",
    "owner"
  ),
  envelope_large: help(
    "The request has `smallEnvelopes`, and a transaction stays larger than 5000 bytes with its signatures. A contract call cannot be split.",
    "Sign it with another signer if your hardware wallet does not take it.",
    "owner"
  ),
  price_impact: help(
    "A sale brings clearly less than its amount at the best price on its path: the market for it is thin.",
    "Sell part of it yourself elsewhere, wait for more buyers, or accept the price in the decision.",
    "owner"
  ),
  single_source: help(
    "Only one contract RPC returned the positions, the contract tokens, or the events that name such tokens.",
    "Set endpoints of two origins in `*_RPC_URLS`. Where they are set, one did not respond: the caller can request the transaction again later.",
    "operator"
  ),
  gates_at_build: help(
    "Before the build returns a transaction that cannot be undone, it compares its data with a second source: another contract RPC, or every endpoint for a merge through the mediator. The plan queries neither.",
    "Do nothing. If the build fails because the sources differ or lag, request the next transaction again.",
    "caller"
  ),
  code_by_reference: help(
    "Another contract decides which code a contract runs, and may change it at any time.",
    "Do nothing: a built call runs the code of the build, or fails. The owner decides whether to trust the protocol.",
    "owner"
  ),
  code_known_by_interface: help(
    "A contract runs code that no list has. A factory of its protocol names the contract, and it declares every function and type that an exit uses. Or it is a factory or router of the contracts file, whose lists are read by the shape of their entries.",
    "Check what it does before you sign, or wait for a newer contracts file. Operators can reject such code with CODE_BY_INTERFACE=off.",
    "owner",
    "operator"
  ),
  not_listed: help(
    "The operator serves this network without a ledger API (`*_RPC_ONLY`). Nothing lists claimable balances, issued assets or order books there.",
    "Look the account up in an explorer before you close it, and name what is missing in `entries`. The operator may set `*_LEDGER_API_URLS`.",
    "owner",
    "operator"
  )
}
