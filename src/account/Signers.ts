import type { xdr } from "@stellar/stellar-sdk"
import type { AccountSigner, SignerType } from "../domain/Account.ts"
import { addressOf, signerKeyOf } from "../stellar/Names.ts"

const types: Readonly<Record<xdr.SignerKey["type"], SignerType>> = {
  signerKeyTypeEd25519: "ed25519_public_key",
  signerKeyTypeHashX: "hash_x",
  signerKeyTypePreAuthTx: "preauth_tx",
  signerKeyTypeEd25519SignedPayload: "ed25519_signed_payload"
}

/** The master key first, whatever its weight, then the signers of the account entry. */
export const signers = (account: xdr.AccountEntry): ReadonlyArray<AccountSigner> => [
  { key: addressOf(account.accountId), weight: account.thresholds.value[0] ?? 0, type: "ed25519_public_key" },
  ...account.signers.map(({ key, weight }) => ({ key: signerKeyOf(key), weight, type: types[key.type] }))
]

/** Thresholds as the account entry holds them: master weight, low, medium, high, a byte each. */
export const thresholds = (account: xdr.AccountEntry) => {
  const [, low = 0, med = 0, high = 0] = account.thresholds.value
  return { low, med, high }
}
