import { xdr } from "@stellar/stellar-sdk"
import { createHash, createPublicKey, verify } from "node:crypto"
import { textMemo } from "../fibers/TextMemo.ts"
import { bytesId } from "./AccountId.ts"
import { compareBytes, sameBytes } from "./Int64.ts"

/** Most ed25519 verifications a transaction may cost (protocol 28). */
const verifyBudget = 1000
const maxSignerWeight = 255

/**
 * The signatures of one envelope, and which of them were needed so far. Every check starts from all signatures;
 * a transaction whose signatures were not all needed by some check is invalid.
 */
export interface Signatures {
  /** Whether the signers reach a weight. Signatures are taken in the envelope's order, and only until it is reached. */
  readonly meet: (signers: ReadonlyArray<xdr.Signer>, weight: number) => boolean
  readonly allUsed: () => boolean
}

/** Whether a key signed a message, by key, message and signature. */
export type Verdicts = Map<string, boolean>

/**
 * The signatures of an envelope: verified, or assumed to meet every requirement without a check.
 *
 * @param verdicts known results, shared by several checks of the same signatures; new results are added. At most `verifyBudget` results are
 *   kept. Key and signature pairs beyond that count as not signed, which bounds the work that strangers' signers can cause.
 */
export const signaturesOf = (
  signed: { readonly hash: Uint8Array; readonly signatures: ReadonlyArray<xdr.DecoratedSignature> },
  mode: "verify" | "assume",
  verdicts: Verdicts = new Map()
): Signatures => (mode === "assume" ? assumedSignatures : verifiedSignatures(signed.hash, signed.signatures, verdicts))

/** Meets every signature requirement, for envelopes that no one has signed yet. */
const assumedSignatures: Signatures = { meet: () => true, allUsed: () => true }

/** Signatures verified against the hash of the transaction they sign. */
const verifiedSignatures = (hash: Uint8Array, signatures: ReadonlyArray<xdr.DecoratedSignature>, verdicts: Verdicts): Signatures => {
  const used = new Set<number>()
  /** Every operation asks again for the same few signatures: each is verified once for a key and a message, and counted each time. */
  let verifications = 0

  const isSignedBy = (signature: xdr.DecoratedSignature, key: xdr.SignerKey): boolean => {
    switch (key.type) {
      case "signerKeyTypePreAuthTx":
        return false
      case "signerKeyTypeHashX":
        return hintOf(key.hashX.value, signature) && sameBytes(sha256(signature.signature.value), key.hashX.value)
      case "signerKeyTypeEd25519":
        return hintOf(key.ed25519.value, signature) && isVerified(key.ed25519.value, hash, signature)
      case "signerKeyTypeEd25519SignedPayload": {
        const { ed25519, payload } = key.ed25519SignedPayload
        return (
          sameBytes(payloadHint(ed25519.value, payload), signature.hint.value) && isVerified(ed25519.value, payload, signature)
        )
      }
    }
  }

  const isVerified = (key: Uint8Array, message: Uint8Array, signature: xdr.DecoratedSignature): boolean => {
    if (verifications >= verifyBudget) return false
    verifications++
    const question = [key, message, signature.signature.value].map(bytesId).join(":")
    const known = verdicts.get(question)
    if (known !== undefined) return known
    if (verdicts.size >= verifyBudget) return false
    const verdict = verifyEd25519(key, message, signature.signature.value)
    verdicts.set(question, verdict)
    return verdict
  }

  return {
    meet: (signers, weight) => {
      let total = 0
      const adds = (signer: xdr.Signer): boolean => {
        total += Math.min(signer.weight, maxSignerWeight)
        return total >= weight
      }
      for (const signer of signers) {
        const isApproved = signer.key.type === "signerKeyTypePreAuthTx" && sameBytes(signer.key.preAuthTx.value, hash)
        if (isApproved && adds(signer)) return true
      }
      for (const kind of signedKinds) {
        const left = signers.filter((signer) => signer.key.type === kind)
        for (const [at, signature] of signatures.entries()) {
          const match = left.findIndex((signer) => isSignedBy(signature, signer.key))
          const signer = left[match]
          if (signer === undefined) continue
          used.add(at)
          if (adds(signer)) return true
          left.splice(match, 1)
        }
      }
      return false
    },
    allUsed: () => used.size === signatures.length
  }
}

/** Kinds of signer that sign, in the order they are tried. */
const signedKinds = ["signerKeyTypeHashX", "signerKeyTypeEd25519", "signerKeyTypeEd25519SignedPayload"] as const

/** Everyone who may sign for an account: its master key while that has weight, then its signers. */
export const signersOf = (account: xdr.AccountEntry): ReadonlyArray<xdr.Signer> => {
  const masterWeight = account.thresholds.value[0] ?? 0
  return masterWeight === 0 ? account.signers : [masterSigner(account.accountId, masterWeight), ...account.signers]
}

export const masterSigner = (account: xdr.PublicKey, weight: number): xdr.Signer =>
  new xdr.Signer({ key: xdr.SignerKey.signerKeyTypeEd25519(account.ed25519), weight })

export const sha256 = (bytes: Uint8Array): Uint8Array => createHash("sha256").update(bytes).digest()

const hintOf = (key: Uint8Array, signature: xdr.DecoratedSignature): boolean =>
  compareBytes(key.subarray(key.length - 4), signature.hint.value) === 0

/** Last four bytes of the key, each XORed with the payload's last four (a shorter payload from its start). */
const payloadHint = (key: Uint8Array, payload: Uint8Array): Uint8Array => {
  const tail = payload.length > 4 ? payload.subarray(payload.length - 4) : payload
  return key.subarray(key.length - 4).map((byte, at) => byte ^ (tail[at] ?? 0))
}

const spkiPrefix = Buffer.from("302a300506032b6570032100", "hex")

/**
 * Recent verifications, by key (32 bytes), signature (64 bytes) and message, as one hexadecimal text. An envelope is verified when it is
 * submitted, queued and applied.
 */
const verified = textMemo(verifyBudget, (name): boolean => {
  const bytes = Buffer.from(name, "hex")
  const [key, signature, message] = [bytes.subarray(0, 32), bytes.subarray(32, 96), bytes.subarray(96)]
  const publicKey = createPublicKey({ key: Buffer.concat([spkiPrefix, key]), format: "der", type: "spki" })
  return verify(null, message, publicKey, signature)
})

export const verifyEd25519 = (key: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean =>
  signature.length === 64 && verified([key, signature, message].map(bytesId).join(""))
