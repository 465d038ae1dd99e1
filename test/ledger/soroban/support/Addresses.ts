import { xdr } from "@stellar/stellar-sdk"
import { accountAddress, contractAddress } from "../../../../src/ledger/soroban/Values.ts"

/** 32 bytes of which only the first and the last may be other than zero. */
const idOf = (first: number, last: number): Uint8Array => Uint8Array.of(first, ...new Uint8Array(30), last)

export const contractOf = (first: number, last = first): xdr.ScAddress => contractAddress(new xdr.ContractId(idOf(first, last)))

export const accountOf = (first: number, last = first): xdr.ScAddress =>
  accountAddress(xdr.PublicKey.publicKeyTypeEd25519(idOf(first, last)))

/** An address that is neither an account's nor a contract's. */
export const balance = xdr.ScAddress.scAddressTypeClaimableBalance(xdr.ClaimableBalanceId.claimableBalanceIdTypeV0(new Uint8Array(32)))

/** The sign bit of a 64-bit number, and the largest number of 64 bits. */
export const top = 1n << 63n
export const most = (1n << 64n) - 1n
