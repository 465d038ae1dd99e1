import { xdr } from "@stellar/stellar-sdk"
import type { ContractHost } from "../../../ledger/soroban/Contract.ts"
import { accountAddress } from "../../../ledger/soroban/Values.ts"

/** Who receives a transfer, and the id of the receiver's own where the address had one. */
export interface Receiver {
  readonly to: xdr.ScAddress
  readonly muxedId: bigint | null
}

/** The receiver a `MuxedAddress` argument names; any other kind of value ends the call as its decoding would. */
export const readReceiver = (host: ContractHost, value: xdr.ScVal): Receiver => {
  if (value.type !== "scvAddress") return host.trap()
  const { address } = value
  if (address.type === "scAddressTypeAccount" || address.type === "scAddressTypeContract") return { to: address, muxedId: null }
  if (address.type !== "scAddressTypeMuxedAccount") return host.trap()
  const { ed25519, id } = address.muxedAccount
  return { to: accountAddress(xdr.PublicKey.publicKeyTypeEd25519(ed25519)), muxedId: id }
}
