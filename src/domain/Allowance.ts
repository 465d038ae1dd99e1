import { Schema } from "effect"
import { ContractAddress } from "./Address.ts"
import { IntegerText } from "./Amount.ts"
import { PlanBlocker } from "./Blocker.ts"
import { coverageOf, EventsScanned } from "./Coverage.ts"
import { Int } from "./Leaf.ts"

const sources = ["events", "registry", "manual"] as const

/** A live, non-zero allowance (SEP-41) that the account granted. */
export const Allowance = Schema.Struct({
  token: ContractAddress.annotations({ description: "The token contract." }),
  tokenSymbol: Schema.String.annotations({ description: "The token's symbol; its address when unknown." }),
  tokenDecimals: Int.annotations({ description: "0 with a warning when unknown." }),
  spender: Schema.String.annotations({ description: "Contract (C...) or account (G...) that may spend." }),
  spenderProtocol: Schema.String.annotations({ description: "Protocol label of the spender, or `unknown`." }),
  amount: IntegerText.annotations({ description: "Base units." }),
  expirationLedger: Int.annotations({ description: "Last ledger in which it is live." }),
  sources: Schema.Array(Schema.Literal(...sources)).annotations({ description: "Every source that named this allowance." })
}).annotations({ identifier: "Allowance", description: "A live allowance in a token contract." })

/** Every live allowance found, sorted by token then spender, and how completely they were looked for. */
export const AllowancesResult = Schema.Struct({
  allowances: Schema.Array(Allowance).annotations({ description: "Live allowances, sorted by token, then by spender." }),
  coverage: Schema.Array(coverageOf("AllowanceCoverage", ...sources)).annotations({
    description: "How completely each source was searched."
  }),
  eventsScanned: EventsScanned,
  warnings: Schema.Array(PlanBlocker).annotations({ description: "What a caller must know about this reading. Each has a `code`." })
}).annotations({ identifier: "AllowancesResult", description: "Live allowances of an account." })
export type AllowancesResult = typeof AllowancesResult.Type
