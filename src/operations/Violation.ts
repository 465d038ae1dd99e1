/** The rules that a transaction of a close can break. */
const rules = [
  /** The text is no transaction, or not written as the ledger writes it. */
  "undecodable",
  /** It is wrapped in a fee bump: what is signed is the transaction inside. */
  "fee_bump",
  /** What the caller gave cannot be used. */
  "unusable_input",
  "transaction_source",
  "sequence",
  "time_bounds",
  "preconditions",
  "fee",
  "memo",
  "resources",
  /** An operation that a close never has, or in a form that it never has. */
  "unknown_operation",
  "operation_source",
  "operation_order",
  "merge_destination",
  /** Something would be left behind by the merge that no decision gives up. */
  "left_behind",
  "payment",
  "mediator_payment",
  /** No decision asks for it. */
  "not_decided",
  "sale",
  "sale_floor",
  "amount",
  "purchase",
  "trustline",
  "claim",
  "sponsorship",
  "contract",
  "contract_function",
  "contract_arguments",
  "authorization"
] as const
export type Rule = (typeof rules)[number]

/** A way in which a transaction is not what its caller asked for. */
export interface Violation {
  readonly rule: Rule
  /** The index of the operation; null: of the transaction as a whole. */
  readonly operation: number | null
  /** In a sentence. */
  readonly message: string
}
