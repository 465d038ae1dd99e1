import { Keypair, type xdr } from "@stellar/stellar-sdk"
import type { AccountAddress } from "../../domain/Address.ts"
import { sha256 } from "../../ledger/Signatures.ts"
import { payloadOf } from "../../ledger/soroban/Credentials.ts"
import { addressCredentialsOf } from "../../stellar/AddressCredentials.ts"
import { addressOf } from "../../stellar/Names.ts"

const signatureBytes = 64

/** Everything in a value that may be a signature. */
const signaturesIn = (value: xdr.ScVal): ReadonlyArray<Uint8Array> => {
  switch (value.type) {
    case "scvVec":
      return (value.vec ?? []).flatMap(signaturesIn)
    case "scvMap":
      return (value.map ?? []).flatMap(({ val }) => signaturesIn(val))
    case "scvBytes":
      return value.bytes.toBytes().length === signatureBytes ? [value.bytes.toBytes()] : []
    default:
      return []
  }
}

/**
 * Whether an account signed a call of a contract that an operation makes. Anyone may put an account's address there, and a contract that does
 * not ask for it ignores it: the signature counts.
 */
export const agreesToCall = ({ body }: xdr.Operation, account: AccountAddress, passphrase: string): boolean =>
  body.type === "invokeHostFunction" && body.invokeHostFunctionOp.auth.some(({ credentials, rootInvocation }) => {
    const signed = addressCredentialsOf(credentials)
    if (signed === null || signed.fields.address.type !== "scAddressTypeAccount") return false
    const { address, nonce, signature, signatureExpirationLedger } = signed.fields
    if (addressOf(signed.fields.address.accountId) !== account) return false
    const payload = payloadOf(
      { address, nonce, signature, expirationLedger: signatureExpirationLedger, coversAddress: signed.coversAddress },
      rootInvocation,
      sha256(Buffer.from(passphrase))
    )
    const key = Keypair.fromPublicKey(account)
    return signaturesIn(signature).some((one) => key.verify(payload, one))
  })
