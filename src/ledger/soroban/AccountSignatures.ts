import type { xdr } from "@stellar/stellar-sdk"
import { keyOfAccount } from "../../xdr/LedgerKeys.ts"
import { compareBytes, sameBytes } from "../Int64.ts"
import { verifyEd25519 } from "../Signatures.ts"
import { AssetError } from "./AssetError.ts"
import { contractFail, hostFail } from "./HostError.ts"
import type { Storage } from "./Storage.ts"
import { asBytes, asVec, field } from "./Values.ts"

const MAX_SIGNATURES = 20
const MEDIUM = 2

/**
 * Whether an account agreed to a payload: ed25519 signatures of its signers, in the order of their keys, that reach its
 * medium threshold. Pre-authorised transactions and hash signers do not count here.
 */
export const authenticateAccount = (storage: Storage, account: xdr.PublicKey, payload: Uint8Array, signature: xdr.ScVal): void => {
  const signatures = asVec(signature)
  if (signatures.length > MAX_SIGNATURES) contractFail(AssetError.authentication, "too many account signers")
  if (signatures.length === 0) contractFail(AssetError.authentication, "no account signatures found")
  const data = storage.require(keyOfAccount(account)).data
  const entry = data.type === "account" ? data.account : hostFail("Storage", "InternalError", "ledger entry is not account")

  let weight = 0
  let previous: Uint8Array | undefined
  for (const item of signatures) {
    const publicKey = asBytes(field(item, "public_key"))
    if (previous !== undefined && compareBytes(previous, publicKey) >= 0) {
      contractFail(AssetError.authentication, "public keys are not ordered")
    }
    if (publicKey.length !== 32 || !verifyEd25519(publicKey, payload, asBytes(field(item, "signature")))) {
      hostFail("Crypto", "InvalidInput", "failed ED25519 verification")
    }
    const own = weightOf(entry, publicKey)
    if (own === 0) contractFail(AssetError.authentication, "signer does not belong to account")
    weight += own
    previous = publicKey
  }
  if (weight < (entry.thresholds.value[MEDIUM] ?? 0)) {
    contractFail(AssetError.authentication, "signature weight is lower than threshold")
  }
}

const weightOf = (account: xdr.AccountEntry, publicKey: Uint8Array): number => {
  if (sameBytes(account.accountId.ed25519.value, publicKey)) return account.thresholds.value[0] ?? 0
  const signer = account.signers.find(({ key }) => key.type === "signerKeyTypeEd25519" && sameBytes(key.ed25519.value, publicKey))
  return signer?.weight ?? 0
}
