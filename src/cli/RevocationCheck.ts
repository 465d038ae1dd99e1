import { StrKey, Transaction, TransactionBuilder } from "@stellar/stellar-sdk/base"
import { lumen } from "../domain/Amount.ts"
import { verify } from "../verify/Verify.ts"

/** An allowance that is to be ended, and what is known of who gave it. */
export interface Revocation {
  readonly owner: string
  readonly token: string
  readonly spender: string
  /** The owner's sequence number: the transaction must use the next one. */
  readonly sequence: bigint
  /** Unix seconds of this machine's clock. */
  readonly now: number
}

/** The most that a revocation may cost, in stroops. */
const feeCap = 6n * lumen

/** A revocation pays nothing: the verifier gets an address that has no key. */
const destination = StrKey.encodeEd25519PublicKey(new Uint8Array(32))

/** Why a transaction is not the revocation that is wanted, in sentences; null: it is. The verifier judges it, by the answer `revoke` alone. */
export const revocationProblem = (envelope: string, networkPassphrase: string, wanted: Revocation): string | null => {
  const { now, owner, sequence, spender, token } = wanted
  const verdict = verify({
    networkPassphrase,
    source: owner,
    sequence,
    balanceStroops: 0n,
    destination,
    memo: null,
    decisions: [{ id: `allowance:${token}:${spender}`, choice: "revoke" }],
    floors: {},
    contracts: { protocols: {}, code: {}, tokens: [], pairs: {} },
    feeCap,
    now,
    phase: { held: [] }
  }, envelope)
  if (!verdict.ok) return verdict.violations.map(({ message }) => message).join(" ")
  const transaction = TransactionBuilder.fromXdr(envelope, networkPassphrase)
  // The verifier also admits other things of a close, for instance the removal of a trustline.
  const isCall = transaction instanceof Transaction && transaction.operations.every(({ type }) => type === "invokeHostFunction")
  if (!isCall) return "The transaction does not call the token."
  return transaction.signatures.length > 0 ? "The transaction carries signatures already." : null
}
