import { xdr } from "@stellar/stellar-sdk"
import { xdrBytes } from "../../xdr/XdrBytes.ts"
import { sha256 } from "../Signatures.ts"
import { hostFail, surviving } from "./HostError.ts"

/** Asks the owners of addresses whether they agreed. */
export interface Authenticator {
  /** Whether the owner of an address agreed to a payload; fails when not. */
  readonly authenticate: (address: xdr.ScAddress, payload: Uint8Array, signature: xdr.ScVal, root: xdr.SorobanAuthorizedInvocation) => void
  /** Uses up the nonce of a signature that is good until a ledger. */
  readonly consumeNonce: (address: xdr.ScAddress, nonce: bigint, expirationLedger: number) => void
  readonly networkId: Uint8Array
}

/** With what an address agrees: its signature, and how long and how often it is good. */
export interface Credentials {
  readonly address: xdr.ScAddress
  readonly nonce: bigint
  readonly expirationLedger: number
  readonly signature: xdr.ScVal
  /** Whether the signature covers the address as well (CAP-71). */
  readonly coversAddress: boolean
}

/** The credentials of an agreement; undefined for the account whose signature on the operation covers it. */
export const credentialsOf = (credentials: xdr.SorobanCredentials): Credentials | undefined => {
  switch (credentials.type) {
    case "sorobanCredentialsSourceAccount":
      return undefined
    case "sorobanCredentialsAddress":
      return addressCredentials(credentials.address, false)
    case "sorobanCredentialsAddressV2":
      return addressCredentials(credentials.addressV2, true)
    case "sorobanCredentialsAddressWithDelegates":
      return hostFail("Auth", "InvalidInput", "delegated signatures are not modelled")
  }
}

const addressCredentials = (fields: xdr.SorobanAddressCredentials, coversAddress: boolean): Credentials => ({
  address: fields.address,
  nonce: fields.nonce,
  expirationLedger: fields.signatureExpirationLedger,
  signature: fields.signature,
  coversAddress
})

/** {@link credentialsOf} the other way round, whether or not the signature is to cover the address. */
export const credentialsXdr = (credentials: Credentials | undefined, coversAddress: boolean): xdr.SorobanCredentials => {
  if (credentials === undefined) return xdr.SorobanCredentials.sorobanCredentialsSourceAccount()
  const { address, expirationLedger, nonce, signature } = credentials
  const fields = new xdr.SorobanAddressCredentials({ address, nonce, signatureExpirationLedger: expirationLedger, signature })
  return coversAddress
    ? xdr.SorobanCredentials.sorobanCredentialsAddressV2(fields)
    : xdr.SorobanCredentials.sorobanCredentialsAddress(fields)
}

/** Fails unless the owner of the address signed the whole tree of calls; its nonce is used up. */
export const verifyCredentials = (credentials: Credentials, root: xdr.SorobanAuthorizedInvocation, authenticator: Authenticator): void => {
  surviving(
    () =>
      authenticator.authenticate(credentials.address, payloadOf(credentials, root, authenticator.networkId), credentials.signature, root),
    ({ code }) => hostFail("Auth", "InvalidAction", `failed account authentication with error ${code}`)
  )
  authenticator.consumeNonce(credentials.address, credentials.nonce, credentials.expirationLedger)
}

/** What the owner of an address signs: 32 bytes over the network, the nonce, its expiry and the whole tree of calls. */
export const payloadOf = (
  { address, coversAddress, expirationLedger, nonce }: Credentials,
  invocation: xdr.SorobanAuthorizedInvocation,
  networkId: Uint8Array
): Uint8Array => {
  const fields = { networkId, nonce, signatureExpirationLedger: expirationLedger, invocation }
  const preimage = coversAddress
    ? xdr.HashIdPreimage.envelopeTypeSorobanAuthorizationWithAddress(
      new xdr.HashIdPreimageSorobanAuthorizationWithAddress({ ...fields, address })
    )
    : xdr.HashIdPreimage.envelopeTypeSorobanAuthorization(new xdr.HashIdPreimageSorobanAuthorization(fields))
  return sha256(xdrBytes(preimage))
}
