import type { BlockerReason } from "./Blocker.ts"
import { type Help, help } from "./Help.ts"

/** Cause and remedy of everything that can block a close; a reason without them does not compile. */
export const blockerHelp: Readonly<Record<BlockerReason, Help>> = {
  auth_immutable: help(
    "The account has the flag AUTH_IMMUTABLE. The ledger never merges such an account, and never lets the flag be cleared.",
    "It cannot be closed. Move its balances by ordinary payments. Its reserve stays.",
    "owner"
  ),
  subentry_mismatch: help(
    "The account counts more sub-entries than could be listed: the ledger API lags, or the account holds an entry that no step removes.",
    "Plan again after a minute. If the blocker persists, compare the account on another ledger API and inform the operator.",
    "time",
    "operator"
  ),
  sponsorship_incomplete: help(
    "The account pays base reserves for entries of other accounts, and not all of those entries could be listed.",
    "Plan again after a minute. If the blocker persists, the operator's ledger API does not list every sponsored entry.",
    "time",
    "operator"
  ),
  sponsorship_unaffordable: help(
    "Another account must take over reserves that this account pays for it, and does not have enough lumens.",
    "Send the missing lumens to the account in `subject`. Or choose another sponsor, or let this account pay them.",
    "owner",
    "others"
  ),
  sponsored_claimable_balance: help(
    "The account pays the reserve of a claimable balance. This ends only when the balance is claimed, or when another account sponsors it.",
    "Have a claimant claim it, or choose a new sponsor, who also signs.",
    "owner",
    "others"
  ),
  trustline_deauthorized: help(
    "The issuer of the asset does not authorise this trustline. Its balance cannot move, and the trustline cannot be removed.",
    "Ask the issuer to authorise the trustline, or to claw the balance back.",
    "others"
  ),
  signers_insufficient: help(
    "All keys that can still sign have a lower total weight than a merge needs.",
    "The threshold cannot be lowered without reaching it. Only a pre-authorised transaction can still change that.",
    "owner"
  ),
  master_key_disabled: help(
    "The master key has weight zero, and the other signers together do not reach the high threshold.",
    "The threshold cannot be lowered without reaching it. Only a pre-authorised transaction can still change that.",
    "owner"
  ),
  sequence_too_far: help(
    "The account's sequence number is higher than the ledger's current starting number. The ledger rejects a merge until it catches up.",
    "Wait, and submit nothing that raises the account's number further. The starting number rises by 2^32 with each ledger.",
    "time"
  ),
  positions_unread: help(
    "The account may hold positions in a protocol that this service cannot read, and a merge would strand them.",
    "If the plan has a point `positions_unread:...`, exit the positions with the protocol's own app, then give the rest up by name. If it"
      + " does not, "
      + "the operator lists the contracts or updates to a version that reads them.",
    "owner",
    "operator"
  ),
  position_unrecognized: help(
    "An item in a known protocol has an unknown form: other code, or data that does not decode.",
    "Exit it with the protocol's own app, or give it up where the plan offers that.",
    "owner",
    "operator"
  ),
  position_locked: help(
    "A position cannot be exited now: the asset of a debt is missing, the pool is out of cash, the contract rejects the call, or the call is unsafe.",
    "The message names the reason. Send or buy the missing asset, wait until the pool can pay, or choose an option that gives"
      + " something up.",
    "owner",
    "time"
  ),
  rewards_unread: help(
    "The rewards of a position are known only to its contract, and the query to the contract failed.",
    "Plan again shortly. Or choose exit_without_rewards, which gives up those that could not be read.",
    "time",
    "owner"
  ),
  payout_trustline_missing: help(
    "The exit of a position pays an asset that the account cannot receive: no trustline, no authorisation, or too low a limit.",
    "Send lumens for one more base reserve so that the trustline can be added, or ask the issuer to authorise it.",
    "owner",
    "others"
  ),
  tokens_unread: help(
    "Contract tokens were not read, or an exit pays one that this service cannot move on.",
    "Move those tokens with a wallet that supports them.",
    "owner",
    "operator"
  ),
  token_unreadable: help(
    "A contract token does not return the account's balance, or its code is not known.",
    "Move the token with a wallet that supports it, or give it up where the plan offers that.",
    "owner"
  ),
  pool_unreadable: help(
    "A liquidity pool whose shares the account holds could not be read, so their value is not known.",
    "Plan again after a minute. If the blocker persists, the operator checks the sources of ledger data.",
    "time",
    "operator"
  ),
  frozen_entry: help(
    "The network's validators have frozen the account, its destination or a trustline by vote. No transaction may touch it.",
    "Send another destination if the destination is frozen. Everything else only the validators can unfreeze.",
    "owner",
    "others"
  ),
  destination_unusable: help(
    "The destination cannot take the lumens. It does not exist, it is locked (no signatures can ever move what it receives), it is the mediator, or public lists name it as an exchange's address that is unchecked.",
    "Send another destination. If it does not exist, fund it first: a merge cannot create an account. If it is an unchecked exchange address, the operator must check it.",
    "owner"
  ),
  insufficient_lumens: help(
    "The account cannot pay the fee or the reserve of a later transaction of the close.",
    "Send the account the lumens that the message names; if it also names the total for the whole close, send that. Send a little more, because the rent of a call can grow. If the message offers it, another account can pay the fee (`feePayer` `fee_bump`).",
    "owner"
  ),
  projection_failed: help(
    "A transaction of the close fails on the ledger model, with the result codes in the message.",
    "Choose another option for its step, or fix the cause, and plan again. The service never returns a transaction that fails.",
    "owner"
  ),
  below_accepted_minimum: help(
    "At current quotes the close brings less than the request's `accept.minReceivedLumens`, after the fees still to pay.",
    "Plan without `accept`, check `estimate.minReceivedLumens`, and accept that amount. Or wait for better prices.",
    "owner",
    "time"
  ),
  memo_required: help(
    "The destination credits deposits by memo: the exchange registry says so, or the account itself requires one (SEP-29).",
    "Send `memo` with the memo that the exchange assigned to you, of the type the message names.",
    "owner",
    "caller"
  ),
  registry_expired: help(
    "The exchange registry has expired. Its memo rules may be wrong, and a wrong rule loses the money.",
    "Set EXCHANGE_REGISTRY_FILE to a checked registry, or close into your own address.",
    "operator",
    "owner"
  ),
  mediator_unavailable: help(
    "The exchange credits payments only. The mediator that makes the payment is missing, not ready, or paused: it holds too much, or its account was used in a way that no close explains.",
    "Set the network's mediator, fund its base reserve, move its surplus, or look at its transactions. Or close into your own address.",
    "operator",
    "owner"
  ),
  network_fee_above_limit: help(
    "The network's base fee is above the limit that the operator set.",
    "Wait until it falls, or raise MAX_FEE_STROOPS_PER_OPERATION.",
    "time",
    "operator"
  ),
  not_supported_yet: help(
    "The account holds an entry that this version cannot remove.",
    "Remove it with another tool and plan again.",
    "owner"
  )
}
