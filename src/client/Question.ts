import type { Schema } from "effect"
import type { Decision as DecisionSchema, OfferedPoint } from "../domain/Decision.ts"

/** A decision as it is sent: amounts are decimal texts. */
export type Decision = Schema.Schema.Encoded<typeof DecisionSchema>

/** A decision point as a plan shows it. */
export type DecisionPoint = Schema.Schema.Encoded<typeof OfferedPoint>

/**
 * What the owner must add to an option. A sale far below the best price needs the impact that is accepted, or a floor of the owner's own. It is the
 * floor here: a transaction cannot be verified by the impact.
 */
export const neededOf = ({ needs }: DecisionPoint["options"][number]): ReadonlyArray<string> =>
  needs.map((need) => (need === "acceptPriceImpactBps" ? "minReceive" : need))

/** A question that only the owner can answer. */
export interface Question {
  /**
   * `unanswered`: the plan needs a decision. `below_market`: the floor of a sale is far below what the caller's own source quotes.
   * `floor_lowered`: a sale would now bring less than was agreed.
   */
  readonly reason: "unanswered" | "below_market" | "floor_lowered"
  readonly id: string
  readonly subject: string
  readonly about: DecisionPoint["about"]
  readonly options: DecisionPoint["options"]
  /** The floor in question, where the question is about one. */
  readonly floorLumens: string | null
  /** What it is compared with: the market by the caller's own source, or the floor agreed before. */
  readonly againstLumens: string | null
}

/** An answer: the id of an option, which is sent back with its params, or a whole decision. Null and undefined leave the question open. */
export type Decided = string | Decision | null | undefined
