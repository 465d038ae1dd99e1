import { SignerKey, StrKey } from "@stellar/stellar-sdk"
import * as xdr from "@stellar/stellar-sdk/xdr"
import type { AccountAddress } from "../domain/Address.ts"
import type { ClaimPredicate } from "../domain/ClaimPredicate.ts"
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

/** The address of an account that XDR names. */
export const addressOf = ({ ed25519: { value } }: xdr.PublicKey): AccountAddress => nameOf(value)

/** The address of an account as XDR names it without a multiplexing id. */
export const toMuxed = (address: AccountAddress): xdr.MuxedAccount => xdr.MuxedAccount.keyTypeEd25519(publicKeyOf(address).ed25519)

/** The address behind a plain account; null for a multiplexed one, which the service never builds. */
export const fromMuxed = (account: xdr.MuxedAccount): AccountAddress | null =>
  account.type === "keyTypeEd25519" ? nameOf(account.ed25519.value) : null

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
