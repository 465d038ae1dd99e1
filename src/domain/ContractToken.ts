import { Schema } from "effect"
import { ContractAddress } from "./Address.ts"
import { IntegerText } from "./Amount.ts"
import { PlanBlocker } from "./Blocker.ts"
import { coverageOf, EventsScanned } from "./Coverage.ts"

const sources = ["explorer", "positions", "list", "events", "manual"] as const

/** A balance in a token contract. */
export const ContractTokenBalance = Schema.Struct({
  contract: ContractAddress,
  balance: IntegerText.annotations({ description: "Base units. \"0\" only for a token that a detected exit will pay out." }),
  symbol: Schema.NullOr(Schema.String).annotations({ description: "Printable ASCII, at most 32 characters, else null." }),
  decimals: Schema.NullOr(Schema.Int).annotations({ description: "Null when the token does not say." }),
  sources: Schema.Array(Schema.Literal(...sources))
}).annotations({ identifier: "ContractTokenBalance", description: "A balance in a token contract." })

/** What is known of the contract tokens an account holds. */
export const ContractTokensResult = Schema.Struct({
  tokens: Schema.Array(ContractTokenBalance),
  unreadable: Schema.Array(Schema.String).annotations({ description: "Candidate contracts whose balance could not be read." }),
  coverage: Schema.Array(coverageOf("TokenCoverage", ...sources)),
  eventsScanned: EventsScanned,
  warnings: Schema.Array(PlanBlocker)
}).annotations({ identifier: "ContractTokensResult", description: "Contract tokens held, and how completely they were looked for." })
export type ContractTokensResult = typeof ContractTokensResult.Type
