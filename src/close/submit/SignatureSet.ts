import { xdr } from "@stellar/stellar-sdk"
import { operationRules } from "../../ledger/Operations.ts"
import { signaturesOf, signersOf, type Verdicts } from "../../ledger/Signatures.ts"
import type { AnyTransaction, PlainTransaction } from "../../ledger/Transaction.ts"
import { sourceOf } from "../../ledger/Validity.ts"
import { addressOf } from "../../stellar/Names.ts"

/** What an account must bring to a transaction. */
export interface SignatureNeed {
  readonly account: string
  readonly signers: ReadonlyArray<xdr.Signer>
  /** The threshold to reach. At 0 one signature is still needed. */
  readonly weight: number
}

/** Signatures that suffice and of which none is superfluous, or what is missing. */
export type SignatureVerdict =
  | { readonly _tag: "Sufficient"; readonly signatures: ReadonlyArray<xdr.DecoratedSignature> }
  | {
    readonly _tag: "Insufficient"
    readonly needed: ReadonlyArray<{ readonly account: string; readonly requiredWeight: number; readonly presentWeight: number }>
    readonly unused: number
  }

const at = { low: 1, medium: 2, high: 3 } as const

/** Accounts that must sign the envelope's outer layer: the fee source of a fee bump, else the sources of transaction and operations. */
export const signersNeeded = (transaction: AnyTransaction): ReadonlyArray<xdr.PublicKey> =>
  transaction._tag === "FeeBumpTransaction"
    ? [transaction.feeSource]
    : [transaction.source, ...transaction.tx.operations.map((operation) => sourceOf(operation, transaction))]

const levels = (transaction: PlainTransaction): ReadonlyArray<readonly [id: xdr.PublicKey, level: keyof typeof at]> => [
  [transaction.source, "low"],
  ...transaction.tx.operations.map((operation) =>
    [sourceOf(operation, transaction), operationRules[operation.body.type].threshold(operation.body)] as const
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
  const wanted = transaction._tag === "FeeBumpTransaction" ? [[transaction.feeSource, "low"] as const] : levels(transaction)
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
  return [...needs.values(), ...(transaction._tag === "FeeBumpTransaction" ? [] : extraSigners(transaction))]
}

/** What was signed, and what is known of its signatures so far. */
interface SignedHash {
  readonly hash: Uint8Array
  readonly verdicts: Verdicts
}

const meets = (
  { hash, verdicts }: SignedHash,
  signatures: ReadonlyArray<xdr.DecoratedSignature>,
  { signers, weight }: Omit<SignatureNeed, "account">
): boolean => signaturesOf({ hash, signatures }, "verify", verdicts).meet(signers, weight)

/** The needs that signatures leave open, one after another. */
function* unmet(
  signed: SignedHash,
  signatures: ReadonlyArray<xdr.DecoratedSignature>,
  needs: ReadonlyArray<SignatureNeed>
): Generator<void, ReadonlyArray<SignatureNeed>> {
  const open: Array<SignatureNeed> = []
  for (const need of needs) {
    if (!meets(signed, signatures, need)) open.push(need)
    yield
  }
  return open
}

const presentWeight = (signed: SignedHash, signatures: ReadonlyArray<xdr.DecoratedSignature>, { signers }: SignatureNeed): number =>
  signers.filter((signer) => meets(signed, signatures, { signers: [signer], weight: 1 }))
    .reduce((sum, { weight }) => sum + weight, 0)

interface WeightedSignature {
  readonly signature: xdr.DecoratedSignature
  readonly weight: number
}

/** What each signature weighs with all accounts together. */
function* weighed(
  signed: SignedHash,
  signatures: ReadonlyArray<xdr.DecoratedSignature>,
  needs: ReadonlyArray<SignatureNeed>
): Generator<void, ReadonlyArray<WeightedSignature>> {
  const all: Array<WeightedSignature> = []
  for (const signature of signatures) {
    let weight = 0
    for (const need of needs) {
      weight += presentWeight(signed, [signature], need)
      yield
    }
    all.push({ signature, weight })
  }
  return all
}

/**
 * The network refuses a transaction with a signature it does not need, so superfluous ones are left out, the lightest first, until
 * every one that remains is needed. The hash does not change: it does not cover the signatures. Twenty signatures of a hundred accounts are
 * some work: it yields now and then.
 *
 * @param verdicts every signature is verified once for a key, and kept here
 */
export function* minimalSignatures(
  { hash }: Pick<AnyTransaction, "hash">,
  given: ReadonlyArray<xdr.DecoratedSignature>,
  needs: ReadonlyArray<SignatureNeed>,
  verdicts: Verdicts = new Map()
): Generator<void, SignatureVerdict> {
  const signed = { hash, verdicts }
  const short = yield* unmet(signed, given, needs)
  const weights = yield* weighed(signed, given, needs)
  if (short.length > 0) {
    return {
      _tag: "Insufficient",
      needed: short.map((need) => ({
        account: need.account,
        requiredWeight: Math.max(1, need.weight),
        presentWeight: presentWeight(signed, given, need)
      })),
      unused: weights.filter(({ weight }) => weight === 0).length
    }
  }
  const lightestFirst = weights.toSorted((a, b) => a.weight - b.weight)
  let kept = lightestFirst.map(({ signature }) => signature)
  for (const { signature } of lightestFirst) {
    const without = kept.filter((other) => other !== signature)
    if ((yield* unmet(signed, without, needs)).length === 0) kept = without
  }
  return { _tag: "Sufficient", signatures: kept }
}
