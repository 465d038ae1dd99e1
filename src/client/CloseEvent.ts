import type { Schema } from "effect"
import type { Plan as PlanSchema } from "../domain/Plan.ts"
import type { Decision, Question } from "./Question.ts"
import type { Receipt, ReceiptTransaction } from "./Receipt.ts"
import type { BuildWarnings, OfferedTransaction } from "./SigningRequest.ts"

/** A plan as the service sends it: amounts are decimal texts. */
export type Plan = Schema.Schema.Encoded<typeof PlanSchema>

/** Which transaction of the close: from 1. `of` is null while more will follow that cannot be foreseen. */
interface Numbered {
  readonly number: number
  readonly of: number | null
}

/** What happens in a close, in order. */
export type CloseEvent =
  /** The service planned. `decisions` are those that the next requests carry; the plan is `final` when nothing is open. */
  | { readonly _tag: "planned"; readonly plan: Plan; readonly decisions: ReadonlyArray<Decision>; readonly final: boolean }
  /** The client calls `decide`. */
  | { readonly _tag: "question"; readonly question: Question }
  /** The service built a transaction. Nothing of it is proved yet. `warnings`: what it could not confirm. */
  | ({ readonly _tag: "built"; readonly transaction: OfferedTransaction; readonly warnings: BuildWarnings } & Numbered)
  /** The envelope does what was agreed, and nothing else. `explanation` is decoded from it. */
  | ({
    readonly _tag: "verified"
    readonly hash: string
    readonly transaction: OfferedTransaction
    readonly explanation: ReadonlyArray<string>
  } & Numbered)
  | ({ readonly _tag: "signed"; readonly hash: string; readonly envelope: string } & Numbered)
  | ({ readonly _tag: "submitted"; readonly hash: string } & Numbered)
  /** It is in a ledger. `outcome` is what it did by the caller's own contract RPC; null without one. */
  | ({ readonly _tag: "confirmed" } & ReceiptTransaction & Numbered)
  /** Nothing happens for so long; then it is tried again. `code` is the tag of the failure that is waited for. */
  | { readonly _tag: "waiting"; readonly seconds: number; readonly code: string; readonly message: string }
  /** The account is closed. */
  | { readonly _tag: "receipt"; readonly receipt: Receipt }
