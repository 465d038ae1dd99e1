import type { BlockerReason } from "./Blocker.ts"
import { type Help, help } from "./Help.ts"

/** Cause and remedy of everything that can block a close; a reason without them does not compile. */
export const blockerHelp: Readonly<Record<BlockerReason, Help>> = {
  auth_immutable: help(
    "The account has the flag AUTH_IMMUTABLE. The ledger never merges such an account, and never lets the flag be cleared.",
    "It cannot be closed. Move what it holds by ordinary payments; its reserve stays.",
    "owner"
  ),
  subentry_mismatch: help(
    "The account counts more sub-entries than could be listed: the ledger API lags, or the account holds something no step removes.",
    "Plan again after a minute. If it stays, compare the account on another ledger API and tell the operator.",
    "time",
    "operator"
  ),
  sponsorship_incomplete: help(
    "The account pays base reserves for entries of others, and not all of those entries could be listed.",
    "Plan again after a minute. If it stays, the operator's ledger API does not list every sponsored entry.",
    "time",
    "operator"
  ),
  sponsorship_unaffordable: help(
    "Somebody would have to take over reserves that this account pays for them, and has not the lumens for it.",
    "Let the account in `subject` receive the missing lumens, or answer the decision with another sponsor or with lumens of this account.",
    "owner",
    "others"
  ),
  sponsored_claimable_balance: help(
    "The account pays the reserve of a claimable balance. That ends only when it is claimed, or when somebody else sponsors it.",
    "Have it claimed by a claimant, or answer the decision with a new sponsor, who signs too.",
    "owner",
    "others"
  ),
  trustline_deauthorized: help(
    "The issuer of the asset does not authorise this trustline, so that its balance cannot move and the trustline cannot be removed.",
    "Ask the issuer to authorise the trustline, or to claw the balance back.",
    "others"
  ),
  signers_insufficient: help(
    "All keys that can still sign have less weight together than a merge needs.",
    "The threshold cannot be lowered without reaching it. Only a transaction that was authorised in advance may still change that.",
    "owner"
  ),
  master_key_disabled: help(
    "The master key has weight zero and the other signers do not reach the high threshold together.",
    "The threshold cannot be lowered without reaching it. Only a transaction that was authorised in advance may still change that.",
    "owner"
  ),
  sequence_too_far: help(
    "The account's sequence number is higher than those the ledger hands out now. The ledger refuses a merge until it has caught up.",
    "Wait, and submit nothing that raises the number further. Each ledger that closes raises it by 2^32.",
    "time"
  ),
  positions_unread: help(
    "The account may hold positions in a protocol that this service cannot read, and a merge would strand them.",
    "Where the plan asks `positions_unread:...`, leave them by the protocol's own means and then give the rest up by name. Where it"
      + " does not, "
      + "the operator lists the contracts or waits for a version that reads them.",
    "owner",
    "operator"
  ),
  position_unrecognized: help(
    "Something in a known protocol has a form that this version does not know: other code, or data that does not decode.",
    "Leave it by the protocol's own means, or give it up where the plan offers that.",
    "owner",
    "operator"
  ),
  position_locked: help(
    "A position cannot be left now: a debt lacks its asset, the pool has not the cash, the contract refuses, or its call was unsafe.",
    "The message names the reason. Bring or buy what is missing, wait until the pool can pay, or answer with a choice that gives"
      + " something up.",
    "owner",
    "time"
  ),
  rewards_unread: help(
    "What a position has earned is known to its contract alone, and the contract could not be asked.",
    "Ask again shortly. Or answer exit_without_rewards: then whatever was earned is given up.",
    "time",
    "owner"
  ),
  payout_trustline_missing: help(
    "Leaving a position pays an asset that the account cannot receive: it has no trustline, no authorisation, or no room in it.",
    "Send the lumens for one more base reserve so that the trustline can be added, or ask the issuer to authorise it.",
    "owner",
    "others"
  ),
  tokens_unread: help(
    "Contract tokens were not read, or an exit pays one that this service cannot carry on.",
    "Move those tokens by a wallet that knows them.",
    "owner",
    "operator"
  ),
  token_unreadable: help(
    "A contract token does not answer for the account's balance, or its code is not known.",
    "Move the token by a wallet that knows it, or give it up where the plan offers that.",
    "owner"
  ),
  pool_unreadable: help(
    "A liquidity pool whose shares the account holds could not be read, so what they are worth is not known.",
    "Plan again after a minute. If it stays, the operator looks at the sources of ledger data.",
    "time",
    "operator"
  ),
  frozen_entry: help(
    "The network's validators have frozen the account, its destination or a trustline by vote. No transaction may touch it.",
    "Name another destination if that is what is frozen. For anything else only the validators can lift it.",
    "owner",
    "others"
  ),
  destination_unusable: help(
    "The destination cannot take the lumens: it does not exist, no signatures could ever move what it receives, it is the mediator, or public lists name it as an exchange's address that is unchecked.",
    "Name another destination. Fund it first where it does not exist: a merge cannot create it. An unchecked exchange address has to be checked by the operator.",
    "owner"
  ),
  insufficient_lumens: help(
    "The account cannot pay the fee or the reserve of a transaction that must come.",
    "Send it the lumens the message names, with room for what the rent of a call grows by meanwhile, at once what the whole close lacks where it names that, or let somebody else pay the fee (`feePayer` `fee_bump`) where it says so.",
    "owner"
  ),
  projection_failed: help(
    "A transaction of the close fails on the ledger model, with the result codes the message names.",
    "Answer the decision it rests on otherwise, or change what stands in its way, and plan again. Nothing that fails is handed over.",
    "owner"
  ),
  below_accepted_minimum: help(
    "At the quotes of now the close brings less than the request's `accept.minReceivedLumens`, after the fees that are still to come.",
    "Plan without `accept`, look at `estimate.minReceivedLumens`, and accept that, or wait for better prices.",
    "owner",
    "time"
  ),
  memo_required: help(
    "The destination credits by memo, because the exchange registry says so or the account itself asks for one (SEP-29).",
    "Send `memo` with the memo that the exchange assigned to you, of the type the message names.",
    "owner",
    "caller"
  ),
  registry_expired: help(
    "The exchange registry is past its last day, so its memo rules may be wrong, and a wrong rule loses the money.",
    "Put a registry that was checked into EXCHANGE_REGISTRY_FILE, or close into an address of your own.",
    "operator",
    "owner"
  ),
  mediator_unavailable: help(
    "The exchange credits payments only, and the mediator who makes the payment is missing, not ready, or paused for holding too much.",
    "Set the network's mediator, fund its base reserve, or move its surplus. Or close into an address of your own.",
    "operator",
    "owner"
  ),
  network_fee_above_limit: help(
    "The network asks for a larger base fee than the operator allows.",
    "Wait until it falls, or raise MAX_FEE_STROOPS_PER_OPERATION.",
    "time",
    "operator"
  ),
  not_supported_yet: help(
    "The account holds something that this version cannot dispose of.",
    "Dispose of it by other means and plan again.",
    "owner"
  )
}
