import { StrKey, type xdr } from "@stellar/stellar-sdk"
import type { ThresholdLevel } from "../../domain/Plan.ts"
import { addressOf } from "../../stellar/Names.ts"

/** A signer that can sign a transaction that was unknown when the signer was added. */
export interface UsableSigner {
  readonly key: string
  readonly weight: number
  readonly type: "ed25519_public_key" | "hash_x"
}

const usable = ({ key, weight }: xdr.Signer): ReadonlyArray<UsableSigner> => {
  switch (key.type) {
    case "signerKeyTypeEd25519":
      return [{ key: StrKey.encodeEd25519PublicKey(key.ed25519.value), weight, type: "ed25519_public_key" }]
    case "signerKeyTypeHashX":
      return [{ key: StrKey.encodeSha256Hash(key.hashX.value), weight, type: "hash_x" }]
    // A pre-authorised hash fits one transaction fixed long ago; a signed payload is not a signature over this one.
    case "signerKeyTypePreAuthTx":
    case "signerKeyTypeEd25519SignedPayload":
      return []
  }
}

/** The signers whose weight a close can count on: the master key and the ed25519 and hash signers. */
export const usableSigners = (account: xdr.AccountEntry): ReadonlyArray<UsableSigner> => {
  const master: UsableSigner = {
    key: addressOf(account.accountId),
    weight: account.thresholds.value[0] ?? 0,
    type: "ed25519_public_key"
  }
  return [master, ...account.signers.flatMap(usable)].filter(({ weight }) => weight > 0)
}

/** Their weight together. */
export const usableWeight = (account: xdr.AccountEntry): number => usableSigners(account).reduce((sum, { weight }) => sum + weight, 0)

/**
 * The most signatures that a transaction can need of an account without a superfluous one: those of its lightest signers, for its highest
 * threshold.
 */
export const mostSignatures = (account: xdr.AccountEntry): number => {
  const required = Math.max(...(["low", "med", "high"] as const).map((level) => requiredWeight(account, level)))
  let [signatures, reached] = [0, 0]
  for (const { weight } of usableSigners(account).toSorted((left, right) => left.weight - right.weight)) {
    if (reached >= required) break
    reached += weight
    signatures += 1
  }
  return signatures
}

/** The weight a level asks for; at least one signature is always needed. */
export const requiredWeight = (account: xdr.AccountEntry, level: ThresholdLevel): number => {
  const [, low, med, high] = account.thresholds.value
  return Math.max(1, { low, med, high }[level] ?? 0)
}
