import type { xdr } from "@stellar/stellar-sdk"

/** With what an address agrees to a call. */
interface AddressCredentials {
  /** The address with its signature. */
  readonly fields: xdr.SorobanAddressCredentials
  /** Whether the signature covers the address as well (CAP-71). */
  readonly coversAddress: boolean
  /** Addresses that sign for that one (CAP-71). */
  readonly delegates: ReadonlyArray<xdr.SorobanDelegateSignature>
}

/** The credentials of an address; null for those of the operation's source. */
export const addressCredentialsOf = (credentials: xdr.SorobanCredentials): AddressCredentials | null => {
  switch (credentials.type) {
    case "sorobanCredentialsSourceAccount":
      return null
    case "sorobanCredentialsAddress":
      return { fields: credentials.address, coversAddress: false, delegates: [] }
    case "sorobanCredentialsAddressV2":
      return { fields: credentials.addressV2, coversAddress: true, delegates: [] }
    case "sorobanCredentialsAddressWithDelegates": {
      const { addressCredentials, delegates } = credentials.addressWithDelegates
      return { fields: addressCredentials, coversAddress: true, delegates }
    }
  }
}

const addressesIn = ({ address, nestedDelegates }: xdr.SorobanDelegateSignature): ReadonlyArray<xdr.ScAddress> => [
  address,
  ...nestedDelegates.flatMap(addressesIn)
]

/** Every address that agrees by these credentials, delegates included; none by those of the operation's source. */
export const agreeingAddresses = (credentials: xdr.SorobanCredentials): ReadonlyArray<xdr.ScAddress> => {
  const signed = addressCredentialsOf(credentials)
  return signed === null ? [] : [signed.fields.address, ...signed.delegates.flatMap(addressesIn)]
}
