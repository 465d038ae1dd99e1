import { TransactionBuilder } from "@stellar/stellar-sdk/base"
import { explain } from "../../verify/Explain.ts"
import { fewestOf } from "../signing/Several.ts"
import type { Bundle } from "./Bundle.ts"

/** One signature that a transaction needs. */
export interface SigningStep {
  /** From 1. */
  readonly order: number
  /** A signer of an account, the mediator of an exchange, or the account that pays the fees. */
  readonly by: "signer" | "mediator" | "fee_payer"
  /** The account that the signature counts for, of the mediator by the envelope; null: its owner is not named by the service. */
  readonly account: string | null
  /** The signer's key: G..., or X... for a preimage; null as for `account`. */
  readonly key: string | null
  readonly weight: number | null
  /** Weight that the signatures of the account must reach together. */
  readonly requiredWeight: number | null
  /** What is signed, in sentences decoded from the envelope. */
  readonly sees: ReadonlyArray<string>
}

type Row = Bundle["signing"][number]

/** Kinds of signers that can sign a transaction which is new. */
const kinds: ReadonlyArray<string> = ["ed25519_public_key", "hash_x"]

const byRow = (row: Row, available: ReadonlySet<string> | null): ReadonlyArray<Row["signers"][number]> => {
  const usable = row.signers.filter(({ key, type }) => kinds.includes(type) && (available?.has(key) ?? true))
  const chosen = fewestOf(new Set(usable.map(({ key }) => key)), row)
  // Every reader of a transaction with a preimage knows the preimage: it comes last.
  return usable.filter(({ key }) => chosen.includes(key)).toSorted((left, right) => kinds.indexOf(left.type) - kinds.indexOf(right.type))
}

/** The account that a merge passes through, by the envelope; null where there is none. */
const mediatorIn = ({ envelope, networkPassphrase, next }: Bundle): string | null => {
  if (!next.includes("mediator_sign")) return null
  const [merge] = TransactionBuilder.fromXdr(envelope, networkPassphrase).operations
  return merge?.type === "accountMerge" ? merge.destination : null
}

/**
 * Who signs a transaction, in what order, and what each of them sees. Of several signers those who reach the weight in the fewest signatures
 * are taken, of these keys only where `available` names them.
 */
export const signingPlan = (bundle: Bundle, available: ReadonlyArray<string> | null = null): ReadonlyArray<SigningStep> => {
  const { envelope, networkPassphrase, next, signing } = bundle
  const mediator = mediatorIn(bundle)
  const rows = signing.filter(({ account }) => account !== mediator)
  const sees = explain(envelope, networkPassphrase)
  const keys = available === null ? null : new Set(available)
  const unknown = { account: null, key: null, weight: null, requiredWeight: null, sees }
  const steps = next.flatMap((action): ReadonlyArray<Omit<SigningStep, "order">> => {
    switch (action) {
      case "sign":
        return rows.flatMap((row) =>
          byRow(row, keys).map(({ key, weight }) => ({
            by: "signer" as const,
            account: row.account,
            key,
            weight,
            requiredWeight: row.requiredWeight,
            sees
          }))
        )
      case "mediator_sign":
        return [{ ...unknown, by: "mediator", account: mediator }]
      case "fee_bump":
        return [{ by: "fee_payer", ...unknown }]
      case "submit":
        return []
    }
  })
  return steps.map((step, index) => ({ order: index + 1, ...step }))
}
