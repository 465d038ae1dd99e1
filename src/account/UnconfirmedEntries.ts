import type { ClaimableBalance, DataEntry, OpenOffer, PoolShareEntry, Trustline } from "../domain/Account.ts"
import { issued } from "../domain/Asset.ts"
import { type PlanBlocker, warning } from "../domain/Blocker.ts"
import { counted } from "../domain/CountedNoun.ts"
import type { BalanceId } from "../domain/Ledger.ts"
import { poolShareTrustlineOf, trustlineAssetOf } from "../stellar/Assets.ts"
import { claimableBalanceKey, dataKey, keyText, offerKey, trustlineKey } from "../xdr/LedgerKeys.ts"
import { claimantsAt } from "./ClaimableBalances.ts"
import type { Reading } from "./Reading.ts"
import { showPrice } from "./SubEntries.ts"

/** Listed entries that the contract RPC could not confirm, or shows in a form that this version cannot read, as the ledger API shows them. */
export interface UnconfirmedEntries {
  readonly trustlines: ReadonlyArray<Trustline>
  readonly openOffers: ReadonlyArray<OpenOffer>
  readonly dataEntries: ReadonlyArray<DataEntry>
  readonly poolShares: ReadonlyArray<PoolShareEntry>
  readonly claimableBalances: ReadonlyArray<ClaimableBalance>
}

/** What is listed under some keys (as text). */
const listedUnder = ({ confirmation: { header }, listing }: Reading, keys: ReadonlySet<string>): UnconfirmedEntries => {
  if (keys.size === 0) return { trustlines: [], openOffers: [], dataEntries: [], poolShares: [], claimableBalances: [] }
  const { account, address } = listing
  const is = (key: Parameters<typeof keyText>[0]): boolean => keys.has(keyText(key))
  return {
    trustlines: (account?.trustlines ?? []).flatMap(({ asset, authorized, balance, limit }) => {
      const parts = issued(asset)
      return parts !== null && is(trustlineKey(address, trustlineAssetOf(asset)))
        ? [{ asset: parts.id, balance, authorized, issuer: parts.issuer, code: parts.code, limit }]
        : []
    }),
    openOffers: listing.offers
      .filter(({ id }) => is(offerKey(address, id)))
      .map(({ amount, buying, id, price, selling }) => ({ id: id.toString(), selling, buying, amount, price: showPrice(price) })),
    dataEntries: Array.from(account?.data ?? [], ([key, value]) => ({ key, value })).filter(({ key }) => is(dataKey(address, key))),
    poolShares: (account?.poolShares ?? [])
      .filter(({ poolId }) => is(trustlineKey(address, poolShareTrustlineOf(poolId))))
      .map(({ poolId }) => ({ poolId })),
    claimableBalances: listing.claimableBalances
      .filter(({ id }) => is(claimableBalanceKey(id)))
      .map(({ amount, asset, claimants, id, sponsor }) => ({
        id,
        asset,
        amount,
        claimants: claimantsAt(claimants, header.closeTime),
        sponsor
      }))
  }
}

/** What the contract RPC has not reached yet, or has in a newer form, is shown as the ledger API lists it: a shorter list would be a lie. */
export const unconfirmedEntries = (reading: Reading): UnconfirmedEntries => {
  const { unconfirmed: unseen, unreadable } = reading.confirmation
  return listedUnder(reading, new Set([...unseen.keys(), ...unreadable]))
}

/** The listed claimable balances that the contract RPC has not reached yet, each with the ledger in which it had none. */
export const unconfirmedClaims = ({ confirmation: { unconfirmed }, listing }: Reading): ReadonlyMap<BalanceId, number> =>
  new Map(
    unconfirmed.size === 0 ? [] : listing.claimableBalances.flatMap(({ id }) => {
      const without = unconfirmed.get(keyText(claimableBalanceKey(id)))
      return without === undefined ? [] : [[id, without] as const]
    })
  )

type EntryWarning = (what: string, subject?: string) => PlanBlocker

const unseen: EntryWarning = (what, subject) =>
  warning(
    "balance_unconfirmed",
    `${what}: listed by the ledger API, not yet shown by the contract RPC. Do not rely on the amounts. Read again shortly.`,
    subject
  )

const unread: EntryWarning = (what, subject) =>
  warning(
    "balance_unconfirmed",
    `${what}: shown as the ledger API lists it. On the ledger it is in the format of a newer protocol, which this service cannot read or move.`,
    subject
  )

/** One warning a trustline, and one for each other kind. */
const warningsOf = (
  { claimableBalances, dataEntries, openOffers, poolShares, trustlines }: UnconfirmedEntries,
  warned: EntryWarning
): ReadonlyArray<PlanBlocker> => [
  ...trustlines.map(({ asset }) => warned("A trustline", asset)),
  ...([[openOffers, "offer", "offers"], [dataEntries, "data entry", "data entries"], [poolShares, "pool share", "pool shares"], [
    claimableBalances,
    "claimable balance",
    "claimable balances"
  ]] as const)
    .flatMap(([all, one, several]) => (all.length === 0 ? [] : [warned(counted(all.length, one, several))]))
]

export const unconfirmedWarnings = (reading: Reading): ReadonlyArray<PlanBlocker> => [
  ...warningsOf(listedUnder(reading, new Set(reading.confirmation.unconfirmed.keys())), unseen),
  ...warningsOf(listedUnder(reading, reading.confirmation.unreadable), unread)
]
