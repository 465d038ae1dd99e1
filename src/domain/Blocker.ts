import { Schema } from "effect"
import { helpUrlOf } from "./Help.ts"
import { oneOf } from "./Leaf.ts"
import { optional } from "./OptionalField.ts"

/** Codes of items that only warn. An item with one of these never blocks. */
export const WarningCode = oneOf([
  "source_failed",
  "source_lagging",
  "candidates_dropped",
  "clawback_enabled",
  "allowance_live",
  "allowance_unreadable",
  "decimals_unknown",
  "unknown_contracts",
  "forfeit_acknowledged",
  "rewards_too_small",
  "position_too_small",
  "liquidation_possible",
  "registry_expired",
  "balance_unconfirmed",
  "straddled_read",
  "time_bound_extended",
  "preauthorized_transaction",
  "tokens_not_checked",
  "protocol_not_read",
  "history_only",
  "history_not_scanned",
  "lists_have_gap",
  "came_later",
  "amount_changed",
  "single_source",
  "protocol_newer_than_model",
  "price_impact",
  "envelope_large",
  "gates_at_build",
  "code_by_reference",
  "code_known_by_interface",
  "not_listed"
], { identifier: "WarningCode", description: "Stable identifier of a warning. `helpUrl` explains it." })
export type WarningCode = typeof WarningCode.Type

/** Stable identifiers of what blocks a close. */
export const BlockerReason = oneOf([
  "auth_immutable",
  "subentry_mismatch",
  "sponsorship_incomplete",
  "sponsorship_unaffordable",
  "sponsored_claimable_balance",
  "trustline_deauthorized",
  "signers_insufficient",
  "master_key_disabled",
  "sequence_too_far",
  "positions_unread",
  "position_unrecognized",
  "position_locked",
  "rewards_unread",
  "payout_trustline_missing",
  "tokens_unread",
  "token_unreadable",
  "pool_unreadable",
  "frozen_entry",
  "destination_unusable",
  "insufficient_lumens",
  "projection_failed",
  "below_accepted_minimum",
  "memo_required",
  "registry_expired",
  "mediator_unavailable",
  "network_fee_above_limit",
  "not_supported_yet"
], { identifier: "BlockerReason", description: "Stable identifier of a blocker. `helpUrl` explains it." })
export type BlockerReason = typeof BlockerReason.Type

/** An item that blocks (no `code`), or one that was acknowledged or only warns (with `code`). */
export const PlanBlocker = Schema.Struct({
  message: Schema.String.annotations({ description: "Plain-language explanation." }),
  helpUrl: optional(Schema.String).annotations({
    description:
      "Where to read on: cause, what to do, by whom. An address under `PUBLIC_URL`; without that setting a path of this service, which begins with `/`."
  }),
  code: optional(WarningCode).annotations({
    description: "Present: a warning that does not block. Absent: a hard blocker."
  }),
  reason: optional(BlockerReason).annotations({ description: "Stable identifier of a hard blocker." }),
  subject: optional(Schema.String).annotations({
    description: "What it is about: an asset, an entry, a contract."
  })
}).annotations({ identifier: "PlanBlocker", description: "Something that blocks the close, or (with `code`) a warning." })
export type PlanBlocker = typeof PlanBlocker.Type

const about = (subject: string | undefined) => (subject === undefined ? {} : { subject })

/** A hard blocker. */
export const blocker = (reason: BlockerReason, message: string, subject?: string): PlanBlocker => ({
  message,
  helpUrl: helpUrlOf("blocker", reason),
  reason,
  ...about(subject)
})

/** A warning: it does not block. */
export const warning = (code: WarningCode, message: string, subject?: string): PlanBlocker => ({
  message,
  helpUrl: helpUrlOf("warning", code),
  code,
  ...about(subject)
})
