import { xdr } from "@stellar/stellar-sdk"
import { compareBytes, sameBytes } from "../Int64.ts"

/** Most signers an account may have besides its master key. */
export const maxSigners = 20

const typeRank = {
  signerKeyTypeEd25519: 0,
  signerKeyTypePreAuthTx: 1,
  signerKeyTypeHashX: 2,
  signerKeyTypeEd25519SignedPayload: 3
} as const

const bytesOf = (key: xdr.SignerKey): readonly [Uint8Array, Uint8Array] => {
  switch (key.type) {
    case "signerKeyTypeEd25519":
      return [key.ed25519.value, noBytes]
    case "signerKeyTypePreAuthTx":
      return [key.preAuthTx.value, noBytes]
    case "signerKeyTypeHashX":
      return [key.hashX.value, noBytes]
    case "signerKeyTypeEd25519SignedPayload":
      return [key.ed25519SignedPayload.ed25519.value, key.ed25519SignedPayload.payload]
  }
}

const noBytes = new Uint8Array()

/** Order of an account's signers: kind, then bytes. */
export const compareSignerKeys = (left: xdr.SignerKey, right: xdr.SignerKey): number => {
  const [[leftKey, leftPayload], [rightKey, rightPayload]] = [bytesOf(left), bytesOf(right)]
  return typeRank[left.type] - typeRank[right.type] || compareBytes(leftKey, rightKey) || compareBytes(leftPayload, rightPayload)
}

export const sameSignerKey = (left: xdr.SignerKey, right: xdr.SignerKey): boolean => compareSignerKeys(left, right) === 0

/** Where a signer key stands among an account's signers, and where it would be put if it is not there. */
export const placeOfSigner = (
  account: xdr.AccountEntry,
  key: xdr.SignerKey
): { readonly found: boolean; readonly at: number } => {
  const at = account.signers.findIndex((signer) => compareSignerKeys(signer.key, key) >= 0)
  const signer = account.signers[at]
  return signer === undefined
    ? { found: false, at: account.signers.length }
    : { found: sameSignerKey(signer.key, key), at }
}

export const isMasterKey = (account: xdr.PublicKey, key: xdr.SignerKey): boolean =>
  key.type === "signerKeyTypeEd25519" && sameBytes(key.ed25519.value, account.ed25519.value)

/** The signer key a transaction hash is approved by in advance. */
export const preAuthKey = (hash: Uint8Array): xdr.SignerKey => xdr.SignerKey.signerKeyTypePreAuthTx(hash)
