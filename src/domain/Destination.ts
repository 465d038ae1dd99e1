import { Schema } from "effect"
import { AccountAddress } from "./Address.ts"
import { DestinationAddress } from "./DestinationAddress.ts"
import { MemoType } from "./Memo.ts"
import { optional } from "./OptionalField.ts"

/** What is known of a destination before anything is planned. */
export const DestinationReport = Schema.Struct({
  address: DestinationAddress.annotations({ description: "The destination." }),
  kind: Schema.Literal("exchange", "exchange_unverified", "account", "unfunded").annotations({
    description:
      "`exchange`: listed in the registry, fresh or expired. `exchange_unverified`: public lists name it as an exchange's, and the operator has not checked it. `unfunded`: no such account on the ledger."
  }),
  requiresMediator: Schema.Boolean.annotations({ description: "A merge is not credited there: the mediator forwards by payment." }),
  requiresMemo: Schema.Boolean.annotations({ description: "The registry asks for a memo." }),
  memoType: Schema.Union(MemoType, Schema.Literal("none")).annotations({
    jsonSchema: {
      type: "string",
      enum: [...MemoType.literals, "none"],
      description: "The kind of memo that the registry asks for. `none`: no memo."
    }
  }),
  memoRequiredByAccount: Schema.Boolean.annotations({
    description: "The account asks for a memo itself (SEP-29 data entry). False for a muxed address, whose id stands for one."
  }),
  muxedProblem: optional(Schema.NullOr(Schema.String)).annotations({
    description: "Of a muxed address (M...): why a close does not take it. Null: it does. Left out for other addresses."
  }),
  name: Schema.NullOr(Schema.String).annotations({ description: "Name in the registry, verified or not; or null." }),
  registryFresh: Schema.Boolean.annotations({ description: "False: the registry has expired and must not be relied on." }),
  mediatorAvailable: Schema.Boolean.annotations({ description: "A mediator is configured on this network." }),
  mediator: Schema.NullOr(AccountAddress).annotations({
    description:
      "The address of that mediator, by the word of this service. Compare it with what the operator publishes elsewhere before you name it to a verifier. Null: none is configured."
  })
}).annotations({ identifier: "DestinationReport", description: "What a destination is and what it needs to credit a deposit." })
export type DestinationReport = typeof DestinationReport.Type
