import { Schema } from "effect"
import { ContractAddress } from "./Address.ts"
import { IntegerText } from "./Amount.ts"
import { PlanBlocker } from "./Blocker.ts"
import { coverageOf, EventsScanned } from "./Coverage.ts"
import { Int } from "./Leaf.ts"

const sources = ["explorer", "positions", "list", "events", "manual"] as const

/** A balance in a token contract. */
const ContractTokenBalance = Schema.Struct({
  contract: ContractAddress.annotations({ description: "The token contract." }),
  balance: IntegerText.annotations({ description: "Base units. \"0\" only for a token that a detected exit will pay out." }),
  symbol: Schema.NullOr(Schema.String).annotations({
    description: "As the token says; printable ASCII, at most 32 characters, else null. Any token can call itself anything."
  }),
  decimals: Schema.NullOr(Int).annotations({ description: "As the token says, 0 to 38, else null." }),
  sources: Schema.Array(Schema.Literal(...sources)).annotations({ description: "Every source that named this token." })
}).annotations({ identifier: "ContractTokenBalance", description: "A balance in a token contract." })

/** What is known of the contract tokens an account holds. */
export const ContractTokensResult = Schema.Struct({
  tokens: Schema.Array(ContractTokenBalance).annotations({ description: "Tokens that the account holds." }),
  unreadable: Schema.Array(Schema.String).annotations({
    description:
      "Candidate contracts whose balance could not be read. The token fails, hangs or answers nonsense; or, with a warning `source_failed`, no source could be queried now."
  }),
  coverage: Schema.Array(coverageOf("TokenCoverage", ...sources)).annotations({
    description: "How completely each source was searched."
  }),
  eventsScanned: EventsScanned,
  warnings: Schema.Array(PlanBlocker).annotations({ description: "What a caller must know about this reading. Each has a `code`." })
}).annotations({
  identifier: "ContractTokensResult",
  description:
    "Contract tokens held, and how completely they were looked for. The contracts of assets of the ledger are not among them, nor shares that are positions."
})
export type ContractTokensResult = typeof ContractTokensResult.Type
