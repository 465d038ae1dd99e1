import { Schema } from "effect"
import { ContractAddress } from "./Address.ts"
import { IntegerText } from "./Amount.ts"
import { PlanBlocker } from "./Blocker.ts"
import { coverageOf, EventsScanned } from "./Coverage.ts"
import { Int } from "./Leaf.ts"

const sources = ["events", "registry", "manual"] as const

/** A live, non-zero allowance (SEP-41) that the account granted. */
export const Allowance = Schema.Struct({
  token: ContractAddress,
  tokenSymbol: Schema.String.annotations({ description: "The token's symbol; its address when unknown." }),
  tokenDecimals: Int.annotations({ description: "0 with a warning when unknown." }),
  spender: Schema.String.annotations({ description: "Contract (C...) or account (G...) that may spend." }),
  spenderProtocol: Schema.String.annotations({ description: "Protocol label of the spender, or `unknown`." }),
  amount: IntegerText.annotations({ description: "Base units." }),
  expirationLedger: Schema.Number.annotations({ description: "Last ledger in which it is live." }),
  sources: Schema.Array(Schema.Literal(...sources))
}).annotations({ identifier: "Allowance", description: "A live allowance in a token contract." })

/** Every live allowance found, sorted by token then spender, and how completely they were looked for. */
export const AllowancesResult = Schema.Struct({
  allowances: Schema.Array(Allowance),
  coverage: Schema.Array(coverageOf("AllowanceCoverage", ...sources)),
  eventsScanned: EventsScanned,
  warnings: Schema.Array(PlanBlocker)
}).annotations({ identifier: "AllowancesResult" })
export type AllowancesResult = typeof AllowancesResult.Type
