import { StrKey, xdr } from "@stellar/stellar-sdk"
import { OPERATIONS } from "../ledger/Operations.ts"
import { signaturesOf, signersOf } from "../ledger/Signatures.ts"
import type { AnyTransaction, PlainTransaction } from "../ledger/Transaction.ts"
import { sourceOf } from "../ledger/Validity.ts"

/** What an account must bring to a transaction. */
export interface SignatureNeed {
  readonly account: string
  readonly signers: ReadonlyArray<xdr.Signer>
  /** The threshold to reach. At 0 one signature is still needed. */
  readonly weight: number
}

/** Signatures that suffice and of which none is superfluous, or what is missing. */
export type SignatureVerdict =
  | { readonly kind: "sufficient"; readonly signatures: ReadonlyArray<xdr.DecoratedSignature> }
  | {
    readonly kind: "insufficient"
    readonly needed: ReadonlyArray<{ readonly account: string; readonly requiredWeight: number; readonly presentWeight: number }>
    readonly unused: number
  }

const addressOf = (id: xdr.PublicKey): string => StrKey.encodeEd25519PublicKey(id.ed25519.value)

const at = { low: 1, medium: 2, high: 3 } as const

/** Accounts that must sign the envelope's outer layer: the fee source of a fee bump, else the sources of transaction and operations. */
export const signersNeeded = (transaction: AnyTransaction): ReadonlyArray<xdr.PublicKey> =>
  transaction.kind === "feeBump"
    ? [transaction.feeSource]
    : [transaction.source, ...transaction.tx.operations.map((operation) => sourceOf(operation, transaction))]

const levels = (transaction: PlainTransaction): ReadonlyArray<readonly [id: xdr.PublicKey, level: keyof typeof at]> => [
  [transaction.source, "low"],
  ...transaction.tx.operations.map((operation) =>
    [sourceOf(operation, transaction), OPERATIONS[operation.body.type].threshold(operation.body)] as const
  )
]

const extraSigners = ({ tx }: PlainTransaction): ReadonlyArray<SignatureNeed> =>
  tx.cond.type === "precondV2" && tx.cond.v2.extraSigners.length > 0
    ? [{
      account: "extra signers",
      signers: tx.cond.v2.extraSigners.map((key) => new xdr.Signer({ key, weight: 1 })),
      weight: tx.cond.v2.extraSigners.length
    }]
    : []

/** What each account must bring. An account that is yet to be created signs with its own key. */
export const needsOf = (transaction: AnyTransaction, accounts: ReadonlyMap<string, xdr.AccountEntry>): ReadonlyArray<SignatureNeed> => {
  const wanted = transaction.kind === "feeBump" ? [[transaction.feeSource, "low"] as const] : levels(transaction)
  const needs = new Map<string, SignatureNeed>()
  for (const [id, level] of wanted) {
    const account = addressOf(id)
    const entry = accounts.get(account)
    const signers = entry === undefined
      ? [new xdr.Signer({ key: xdr.SignerKey.signerKeyTypeEd25519(id.ed25519), weight: 1 })]
      : signersOf(entry)
    const weight = Math.max(needs.get(account)?.weight ?? 0, entry?.thresholds.value[at[level]] ?? 0)
    needs.set(account, { account, signers, weight })
  }
  return [...needs.values(), ...(transaction.kind === "feeBump" ? [] : extraSigners(transaction))]
}

type Signed = Pick<AnyTransaction, "hash">

const meets = (
  { hash }: Signed,
  signatures: ReadonlyArray<xdr.DecoratedSignature>,
  { signers, weight }: Omit<SignatureNeed, "account">
): boolean =>
  signaturesOf({ hash, signatures }, "verify").meet(signers, weight)

const presentWeight = (signed: Signed, signatures: ReadonlyArray<xdr.DecoratedSignature>, { signers }: SignatureNeed): number =>
  signers.filter((signer) => signer.weight > 0 && meets(signed, signatures, { signers: [signer], weight: 1 }))
    .reduce((sum, { weight }) => sum + weight, 0)

const heaviness = (signed: Signed, signature: xdr.DecoratedSignature, needs: ReadonlyArray<SignatureNeed>): number =>
  needs.reduce((sum, need) => sum + presentWeight(signed, [signature], need), 0)

/**
 * The network refuses a transaction with a signature it does not need, so superfluous ones are left out, the lightest first, until
 * every one that remains is needed. The hash does not change: it does not cover the signatures.
 */
export const minimalSignatures = (
  signed: Signed,
  given: ReadonlyArray<xdr.DecoratedSignature>,
  needs: ReadonlyArray<SignatureNeed>
): SignatureVerdict => {
  const suffice = (signatures: ReadonlyArray<xdr.DecoratedSignature>) => needs.every((need) => meets(signed, signatures, need))
  if (!suffice(given)) {
    const short = needs.filter((need) => !meets(signed, given, need))
    return {
      kind: "insufficient",
      needed: short.map((need) => ({
        account: need.account,
        requiredWeight: Math.max(1, need.weight),
        presentWeight: presentWeight(signed, given, need)
      })),
      unused: given.filter((signature) => heaviness(signed, signature, needs) === 0).length
    }
  }
  const lightestFirst = given.map((signature) => ({ signature, weight: heaviness(signed, signature, needs) })).sort((a, b) => a.weight - b.weight)
  let kept = lightestFirst.map(({ signature }) => signature)
  for (const { signature } of lightestFirst) {
    const without = kept.filter((other) => other !== signature)
    if (suffice(without)) kept = without
  }
  return { kind: "sufficient", signatures: kept }
}
