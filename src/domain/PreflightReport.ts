import { Schema } from "effect"
import { AccountAddress } from "./Address.ts"
import { Amount } from "./Amount.ts"
import { BlockerReason } from "./Blocker.ts"
import { counted } from "./CountedNoun.ts"
import { DecisionType } from "./Decision.ts"
import { Int } from "./Leaf.ts"
import { Network } from "./Network.ts"

/** Blockers of one kind. */
const PreflightBlocker = Schema.Struct({
  reason: BlockerReason,
  count: Int.annotations({ description: "How many there are." }),
  message: Schema.String.annotations({ description: "What the first of them is, in words." }),
  helpUrl: Schema.String.annotations({ description: "Page that explains cause and remedy." })
}).annotations({ identifier: "PreflightBlocker", description: "Blockers of one kind." })

/** Open decisions of one kind. */
const PreflightDecision = Schema.Struct({
  type: DecisionType,
  count: Int.annotations({ description: "How many there are." }),
  message: Schema.String.annotations({ description: "What its owner has to say, in words." })
}).annotations({ identifier: "PreflightDecision", description: "Open decisions of one kind." })

/** Whether an account could be closed now, into a destination that is not named yet. */
export const PreflightReport = Schema.Struct({
  address: AccountAddress.annotations({ description: "The account that was read." }),
  network: Network,
  ledger: Int.annotations({ description: "The ledger that was read." }),
  readAt: Schema.String.annotations({ description: "Close time of that ledger, ISO 8601." }),
  mergeable: Schema.Boolean.annotations({
    description:
      "True: nothing blocks the merge, every transaction is known, and only the destination is to be decided. Whether a destination fits is not checked."
  }),
  status: Schema.Literal("ready", "needs_decisions", "blocked").annotations({
    description: "As in a plan, without the destination. `ready` where `mergeable`, and where only a position has to be left first."
  }),
  blockers: Schema.Array(PreflightBlocker).annotations({ description: "What blocks the close, by kind." }),
  decisions: Schema.Array(PreflightDecision).annotations({ description: "Required decisions, by kind. A plan has their options." }),
  transactionCount: Schema.NullOr(Int).annotations({
    description: "Transactions of the close as far as they are known, the merge included. Null: it waits for something."
  }),
  lumens: Schema.Struct({
    held: Amount.annotations({ description: "Lumens on the account now, reserves included." }),
    atLeast: Schema.NullOr(Amount).annotations({
      description:
        "Lumens that come back at least, after the largest fees. An open decision counts as bringing nothing, and as costing what its answers offer to pay others. The contract calls of positions that are still to be decided are not counted. Null: something blocks, or a position has to be left before the rest is known."
    })
  }).annotations({ identifier: "PreflightLumens", description: "Lumens on the account, and what comes back of them." })
}).annotations({
  identifier: "PreflightReport",
  description: "Whether an account can be merged, what blocks it, and what comes back at least."
})
export type PreflightReport = typeof PreflightReport.Type

const each = (one: string, several: string, choices: string) => (count: number): string => `${counted(count, one, several)}: ${choices}.`

const words: Readonly<Record<DecisionType, (count: number) => string>> = {
  destination: () => "Confirm that you control the destination.",
  asset: each("asset", "assets", "sell, return or transfer"),
  assets: () => "Assets without a known buyer: return them, or decide each one.",
  token: each("contract token", "contract tokens", "sell, transfer or leave behind"),
  tokens: () => "Contract tokens that strangers sent: leave them behind, or decide each one.",
  claim: each("claimable balance", "claimable balances", "claim or give up"),
  claims: each("group of claimable balances", "groups of claimable balances", "claim or give up"),
  claims_unread: () => "Claimable balances that could not be listed: accept that you give them up.",
  later: () => "Balances that strangers add during the close: leave them behind.",
  position: each("position", "positions", "leave it, or give it up"),
  positions: each("group of positions that others gave", "groups of positions that others gave", "leave them, or give them up"),
  positions_unread: each("protocol", "protocols", "something there cannot be read, so exit it with the protocol's own app or give it up"),
  pool: each("pool share", "pool shares", "withdraw"),
  allowance: each("allowance", "allowances", "revoke or keep"),
  issuer: () => "Others hold, or may hold, assets that this account issued: accept that no issuer backs them any more.",
  sponsorship: each("sponsored entry", "sponsored entries", "say who pays the reserve")
}

/** What so many open decisions of a kind ask for, in words. */
export const decisionWords = (type: DecisionType, count: number): string => words[type](count)
