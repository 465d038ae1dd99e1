import { Schema } from "effect"
import { Amount } from "./Amount.ts"
import { GiftIds } from "./Decision.ts"
import { Int } from "./Leaf.ts"
import { optional } from "./OptionalField.ts"

/** Recommended options accepted in one word, down to an amount of lumens for the whole close. */
export const Acceptance = Schema.Struct({
  minReceivedLumens: Amount.annotations({
    description:
      "Lumens that the destination must receive at least, by the merge or by the mediator's payment. Send `estimate.minReceivedLumens` of a plan with the same destination and decisions."
  }),
  ledger: Int.pipe(Schema.positive()).annotations({
    description: "Claimable balances, tokens and positions others can give that came after this ledger are left behind: the plan's `later`."
  }),
  had: GiftIds.annotations({ description: "What that plan saw of these, by the ids of their decisions: the plan's `later`." }),
  maxLumensEach: optional(Amount).annotations({
    description: "What came later and is quoted at more lumens than this is not left behind unasked; 1 lumen where it is left out."
  })
}).annotations({
  identifier: "Acceptance",
  description:
    "Applies the recommended option of every decision point that no decision answers, in each call anew; the response lists them in `appliedDecisions`. It bounds the total, not each sale: to bound each sale, echo `suggestedDecisions` instead. A decision of the request wins over the recommended option."
})
export type Acceptance = typeof Acceptance.Type
