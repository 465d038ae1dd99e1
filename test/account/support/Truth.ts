import type { Keypair, xdr } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import type { AccountSnapshot } from "../../../src/account/AccountSnapshot.ts"
import { Network } from "../../../src/sandbox/Network.ts"
import { keyOfEntryData, keyText } from "../../../src/xdr/LedgerKeys.ts"

/** An account's entries on the ledger itself by key, read without any API. */
export type Truth = ReadonlyMap<string, string>

/** Whether an entry is the account (its id as base64 XDR), or belongs to it, or names it as a claimant. */
export const isHeldBy = (me: string, { data }: xdr.LedgerEntry): boolean => {
  const isMine = (id: xdr.PublicKey) => id.toXdr("base64") === me
  switch (data.type) {
    case "account":
      return isMine(data.account.accountId)
    case "trustline":
      return isMine(data.trustLine.accountId)
    case "offer":
      return isMine(data.offer.sellerId)
    case "data":
      return isMine(data.data.accountId)
    case "claimableBalance":
      return data.claimableBalance.claimants.some(({ v0 }) => isMine(v0.destination))
    default:
      return false
  }
}

const byKey = (entries: Iterable<xdr.LedgerEntry>): Truth =>
  new Map(Array.from(entries, (entry) => [keyText(keyOfEntryData(entry.data)), entry.toXdr("base64")]))

/** The account, its lines, offers and data entries, and the claimable balances that name it. */
export const truthOf = (owner: Keypair): Effect.Effect<Truth, never, Network> =>
  Effect.gen(function*() {
    const { state } = yield* (yield* Network).snapshot
    const me = owner.xdrAccountId().toXdr("base64")
    return byKey(Array.from(state.entries()).filter((entry) => isHeldBy(me, entry)))
  })

/** The entries of a snapshot without pools, which no account owns. */
export const shown = ({ entries }: AccountSnapshot): Truth => byKey(entries.filter(({ data }) => data.type !== "liquidityPool"))

/** Whether a snapshot is complete. */
export const claimsWhole = ({ state }: AccountSnapshot): boolean =>
  !state.subEntryMismatch && !state.sponsorshipEnumerationIncomplete && state.warnings.length === 0
