import { Schema } from "effect"
import { counted } from "../CountedNoun.ts"
import { Int } from "../Leaf.ts"
import { Network } from "../Network.ts"
import { optional } from "../OptionalField.ts"

/** A source answered something that does not decode, or a ledger that closes in the future (then `ageSeconds` is below zero). */
export class UpstreamUnusable extends Schema.TaggedError<UpstreamUnusable>()("UpstreamUnusable", {
  source: Schema.Literal("contract_rpc", "ledger_api", "explorer").annotations({ description: "The source that answered." }),
  ageSeconds: optional(Int).annotations({
    description: "Age of its newest ledger. Below zero: that ledger closes in the future."
  })
}) {
  override get message() {
    return this.ageSeconds === undefined
      ? "A source of ledger data returned an unusable response. Try again later."
      : `The newest ledger of the contract RPC closes ${
        counted(-this.ageSeconds, "second")
      } from now, or this machine's clock is wrong. Try again later.`
  }
}
const sourceNames = { contract_rpc: "contract RPC", ledger_api: "ledger API" } as const

/** No endpoint of one source of the network answers (`source`), or the network is not configured. */
export class NetworkUnavailable extends Schema.TaggedError<NetworkUnavailable>()("NetworkUnavailable", {
  network: Network,
  source: optional(Schema.Literal("contract_rpc", "ledger_api")).annotations({
    description: "The source that does not answer; left out where the network is not configured."
  })
}) {
  override get message() {
    return this.source === undefined
      ? `${this.network} is switched off here. Use a network that GET / shows as enabled, or ask the operator to set the URLs of ${this.network}.`
      : `The ${sourceNames[this.source]} of ${this.network} does not respond. Try again later.`
  }
}
/** Every endpoint refuses for too many requests. */
export class UpstreamRateLimited extends Schema.TaggedError<UpstreamRateLimited>()("UpstreamRateLimited", {
  retryAfterSeconds: Int.annotations({ description: "Seconds to wait before a retry." })
}) {
  override get message() {
    return "The sources of ledger data rate limit this service now. Try again later."
  }
}
/** The ledger API is too many ledgers behind to be relied on. */
export class LedgerApiLagging extends Schema.TaggedError<LedgerApiLagging>()("LedgerApiLagging", {
  behind: Int.annotations({ description: "Ledgers by which it is behind." })
}) {
  override get message() {
    return `The ledger API is ${counted(this.behind, "ledger")} behind, so something held could be missed. Try again later.`
  }
}
/** The contract RPC is too far behind the ledger API, or behind the clock, to be relied on. Each figure is null where it was not the reason. */
export class ContractRpcLagging extends Schema.TaggedError<ContractRpcLagging>()("ContractRpcLagging", {
  behind: Schema.NullOr(Int).annotations({ description: "Ledgers by which it is behind the ledger API. Null: not the reason." }),
  ageSeconds: Schema.NullOr(Int).annotations({ description: "Age of its newest ledger in seconds. Null: not the reason." })
}) {
  override get message() {
    if (this.ageSeconds !== null) {
      return `The newest ledger of the contract RPC is ${
        counted(this.ageSeconds, "second")
      } old, or this machine's clock is wrong. Try again later.`
    }
    return "No contract RPC shows the account as the ledger API does, so recent changes could be missing. Try again shortly."
  }
}
/** The network asks for more per operation than the operator's setting allows. Stroops. */
export class NetworkFeeAboveLimit extends Schema.TaggedError<NetworkFeeAboveLimit>()("NetworkFeeAboveLimit", {
  feeStroops: Schema.String.annotations({ description: "What the network asks for an operation, in stroops." }),
  limitStroops: Schema.String.annotations({ description: "The most that this service pays, in stroops." })
}) {
  override get message() {
    return `The network charges ${
      counted(this.feeStroops, "stroop")
    } an operation, and this service bids at most ${this.limitStroops}. Try again later.`
  }
}
/** Two sources of ledger data contradict each other, and it is not for want of time. */
export class SourcesDisagree extends Schema.TaggedError<SourcesDisagree>()("SourcesDisagree", {
  about: Schema.String.annotations({ description: "What they tell differently: an account, a transaction." })
}) {
  override get message() {
    return "The sources of ledger data disagree, so the service trusts neither. Try again later."
  }
}

/** Other requests take all turns until half of what this one may take is over. */
export class ServiceBusy extends Schema.TaggedError<ServiceBusy>()("ServiceBusy", {
  retryAfterSeconds: Int.annotations({ description: "Seconds to wait before a retry." })
}) {
  override get message() {
    return "The service is overloaded, and this request would wait too long. Try again later."
  }
}
/** The exchange registry is past its last day. */
export class RegistryExpired extends Schema.TaggedError<RegistryExpired>()("RegistryExpired", {
  validUntil: Schema.String.annotations({ description: "The last day of the registry." })
}) {
  override get message() {
    return `The exchange registry expired on ${this.validUntil}. A wrong memo rule loses the money, so nothing is built for this destination. Close into your own address, or ask the operator for a checked registry.`
  }
}
/** No mediator is configured, which an exchange destination needs. */
export class MediatorNotConfigured extends Schema.TaggedError<MediatorNotConfigured>()("MediatorNotConfigured", {}) {
  override get message() {
    return "This destination needs the mediator, and this network has none configured. Close into your own address, or ask the operator to set one."
  }
}
/** The mediator holds more than it may lose. */
export class MediatorOverfunded extends Schema.TaggedError<MediatorOverfunded>()("MediatorOverfunded", {}) {
  override get message() {
    return "The mediator holds too many lumens and is paused until the operator moves them."
  }
}
/** The mediator will not co-sign this envelope. */
export class MediatorRefused extends Schema.TaggedError<MediatorRefused>()("MediatorRefused", {
  rule: Schema.String.annotations({ description: "Name of the rule that the envelope breaks, or `mediator_paused`." })
}) {
  override get message() {
    return this.rule === "mediator_paused"
      ? "The mediator is paused until its operator has looked at what was done with its account."
      : `The mediator does not co-sign this transaction: it breaks the rule ${this.rule}.`
  }
}
/** The store of API keys does not answer. */
export class KeyStoreUnavailable extends Schema.TaggedError<KeyStoreUnavailable>()("KeyStoreUnavailable", {}) {
  override get message() {
    return "API keys cannot be checked right now. Try again shortly."
  }
}
/** Key management has no token configured. */
export class AdminNotConfigured extends Schema.TaggedError<AdminNotConfigured>()("AdminNotConfigured", {}) {
  override get message() {
    return "Key management is switched off on this service: no admin token is configured. The operator sets ADMIN_TOKEN to switch it on."
  }
}
/** The request's deadline passed. */
export class DeadlineExceeded extends Schema.TaggedError<DeadlineExceeded>()("DeadlineExceeded", {}) {
  override get message() {
    return "The request exceeded its deadline and was stopped. Try again."
  }
}
