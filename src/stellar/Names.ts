import { SignerKey, StrKey } from "@stellar/stellar-sdk"
import * as xdr from "@stellar/stellar-sdk/xdr"
import type { AccountAddress } from "../domain/Address.ts"
import type { ClaimPredicate } from "../domain/ClaimPredicate.ts"
import { baseAccount, type DestinationAddress, isMuxed, type MuxedAddress } from "../domain/DestinationAddress.ts"
import type { BalanceId, PoolId } from "../domain/Ledger.ts"
import { textMemo } from "../fibers/TextMemo.ts"
import { bytesOf, hexOf, latin1Of } from "../xdr/ByteText.ts"
import { publicKeyOf } from "../xdr/LedgerKeys.ts"
import { xdrHex } from "../xdr/XdrBytes.ts"

// How values of the ledger are named on the wire, and back.

/** Addresses that are kept: an account of a thousand trustlines names a few issuers over and over. */
const most = 10_000

// What is made here is an address.
const encode = textMemo(most, (bytes) => StrKey.encodeEd25519PublicKey(bytesOf(bytes)) as AccountAddress)

const nameOf = (key: Uint8Array): AccountAddress => encode(latin1Of(key))

/** The id of a muxed address: the 8 bytes behind its key. */
const idIn = (address: MuxedAddress): bigint => {
  const bytes = StrKey.decodeMed25519PublicKey(address)
  return new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(32)
}

/** The address of an account that XDR names. */
export const addressOf = ({ ed25519: { value } }: xdr.PublicKey): AccountAddress => nameOf(value)

/** An address as XDR names it, with the id of a muxed one. */
export const toMuxed = (address: DestinationAddress): xdr.MuxedAccount => {
  const { ed25519 } = publicKeyOf(baseAccount(address))
  return isMuxed(address)
    ? xdr.MuxedAccount.keyTypeMuxedEd25519(new xdr.MuxedAccountMed25519({ id: idIn(address), ed25519 }))
    : xdr.MuxedAccount.keyTypeEd25519(ed25519)
}

/** The address of a plain account; null for a multiplexed one, which nothing that the service builds comes from. */
export const fromMuxed = (account: xdr.MuxedAccount): AccountAddress | null =>
  account.type === "keyTypeEd25519" ? nameOf(account.ed25519.value) : null

/** The whole address of who receives: `M...` where it names a multiplexing id. */
export const destinationOf = (account: xdr.MuxedAccount): DestinationAddress => {
  if (account.type === "keyTypeEd25519") return nameOf(account.ed25519.value)
  const bytes = new Uint8Array(40)
  bytes.set(account.med25519.ed25519.toBytes())
  new DataView(bytes.buffer).setBigUint64(32, account.med25519.id)
  // What is made here is an address.
  return StrKey.encodeMed25519PublicKey(bytes) as MuxedAddress
}

export const poolIdOf = (id: xdr.PoolId): PoolId => hexOf(id.value) as PoolId

export const balanceIdOf = (id: xdr.ClaimableBalanceId): BalanceId => xdrHex(id) as BalanceId

/** StrKey of a signer: G, X, T or P. */
export const signerKeyOf = (key: xdr.SignerKey): string => SignerKey.encodeSignerKey(key)

/**
 * A predicate in the wire's terms. The ledger turns relative times into absolute ones when a balance is created, so one that is
 * still relative has no known deadline and never holds.
 */
export const predicateOf = (predicate: xdr.ClaimPredicate): ClaimPredicate => {
  switch (predicate.type) {
    case "claimPredicateUnconditional":
      return { type: "unconditional" }
    case "claimPredicateAnd":
      return { type: "and", predicates: predicate.andPredicates.map(predicateOf) }
    case "claimPredicateOr":
      return { type: "or", predicates: predicate.orPredicates.map(predicateOf) }
    case "claimPredicateNot":
      return predicate.notPredicate === null ? { type: "not" } : { type: "not", predicate: predicateOf(predicate.notPredicate) }
    case "claimPredicateBeforeAbsoluteTime":
      return { type: "before_absolute_time", absBeforeEpoch: predicate.absBefore.toString() }
    case "claimPredicateBeforeRelativeTime":
      return { type: "before_relative_time", relBeforeSeconds: predicate.relBefore.toString() }
  }
}
