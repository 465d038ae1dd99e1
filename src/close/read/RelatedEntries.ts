import { xdr } from "@stellar/stellar-sdk"
import { Effect, Option } from "effect"
import type { AccountSnapshot } from "../../account/AccountSnapshot.ts"
import type { Listing } from "../../account/Listing.ts"
import type { ChainFailure } from "../../chain/ChainFailure.ts"
import type { LatestLedger } from "../../chain/contract-rpc/LatestLedger.ts"
import type { LedgerEntries } from "../../chain/LedgerEntries.ts"
import { inTurns, type Stoppable } from "../../chain/pace/Turns.ts"
import { maxKeysPerCall } from "../../chain/RpcPolicy.ts"
import type { SponsoredEntry } from "../../domain/Account.ts"
import type { AccountAddress } from "../../domain/Address.ts"
import { type AssetId, issued } from "../../domain/Asset.ts"
import { settingKeys } from "../../ledger/soroban/Settings.ts"
import { assetIdOf } from "../../stellar/Assets.ts"
import { accountKey, keyOfConfigSetting } from "../../xdr/LedgerKeys.ts"
import { keysIn } from "../market/MarketReader.ts"
import type { MarketApi } from "../market/MarketSource.ts"
import { cachedBooks } from "../market/MarketSurvey.ts"
import type { CloseInput } from "../situation/CloseInput.ts"
import type { Exits } from "../situation/Exits.ts"
import { keyOfSponsored, sponsorsOf } from "../situation/SponsoredEntries.ts"
import { foreseenSales } from "./CloseSales.ts"

/** The protocol that lets validators freeze ledger keys (CAP-77); nodes of earlier ones do not know the settings. */
const freezing = 26

/** What the ledger lets a contract transaction do, where there is one to come. */
const contractSettings = ({ allowances, carried, planned }: Exits): ReadonlyArray<xdr.LedgerKey> =>
  planned.length + allowances.length + carried.size === 0 ? [] : settingKeys

export const freezeSettings = (ledgerVersion: number): ReadonlyArray<xdr.LedgerKey> =>
  ledgerVersion < freezing
    ? []
    : [xdr.ConfigSettingId.configSettingFrozenLedgerKeys, xdr.ConfigSettingId.configSettingFreezeBypassTxs].map(keyOfConfigSetting)

/** Issuers of what may be claimed: a trustline that has to be added needs them. */
export const issuersOf = (assets: ReadonlySet<AssetId>): ReadonlyArray<AccountAddress> =>
  [...assets].flatMap((asset) => issued(asset)?.issuer ?? [])

/** Issuers of what pools pay: the limit of a line may have to be raised for it. */
const issuersInPools = ({ entries }: AccountSnapshot): ReadonlyArray<AccountAddress> =>
  entries.flatMap(({ data }) => {
    if (data.type !== "liquidityPool") return []
    const { assetA, assetB } = data.liquidityPool.body.constantProduct.params
    return [assetA, assetB].flatMap((asset) => issued(assetIdOf(asset))?.issuer ?? [])
  })

/** Issuers of what leaving positions can pay: a line to it may have to be added. */
const issuersOfPayouts = ({ assets }: Exits): ReadonlyArray<AccountAddress> =>
  [...assets.values()].flatMap((asset) => issued(asset)?.issuer ?? [])

/** Accounts that answers want sponsorships handed over to. */
export const newSponsors = ({ answers }: CloseInput): ReadonlyArray<AccountAddress> =>
  answers.all.flatMap(({ params }) => params?.newSponsor ?? [])

const ownersOf = (entries: ReadonlyArray<SponsoredEntry>): ReadonlyArray<AccountAddress> =>
  entries.flatMap((entry) => (entry.kind === "claimable_balance" ? [] : [entry.owner]))

/** Entries that a close can touch, and the keys of existing entries in a format that this version cannot read. */
export interface RelatedEntries {
  readonly entries: ReadonlyArray<xdr.LedgerEntry>
  readonly unreadable: ReadonlyArray<xdr.LedgerKey>
}

export const readRelated = (
  entries: LedgerEntries["Type"],
  keys: ReadonlyArray<xdr.LedgerKey>
): Effect.Effect<RelatedEntries, ChainFailure> =>
  Effect.map(entries.many(keys), (found) => {
    const live = found.flatMap(Option.toArray)
    return {
      entries: live.flatMap(({ entry }) => entry ?? []),
      unreadable: live.flatMap(({ entry, key }) => (entry === null ? [key] : []))
    }
  })

/** Everything a close can touch beyond what the account itself holds, its market and its destinations; `claimed`: assets it may claim. */
export const relatedKeys = (
  snapshot: AccountSnapshot,
  input: CloseInput,
  exits: Exits,
  claimed: ReadonlySet<AssetId>
): ReadonlyArray<xdr.LedgerKey> => {
  const { entries, header, state } = snapshot
  const accounts = new Set<string>([
    ...issuersOf(claimed),
    ...issuersInPools(snapshot),
    ...issuersOfPayouts(exits),
    ...sponsorsOf(entries),
    ...newSponsors(input),
    ...ownersOf(state.sponsoredEntries)
  ])
  return [
    ...[...accounts].map(accountKey),
    ...state.sponsoredEntries.map(keyOfSponsored),
    ...freezeSettings(header.ledgerVersion),
    ...contractSettings(exits)
  ]
}

/** What the keys of a close are foreseen from: the request, its market, the header. */
interface Foreseeable {
  readonly input: CloseInput
  readonly quotes: "all" | "next"
  readonly market: MarketApi
  readonly header: Effect.Effect<LatestLedger, ChainFailure>
}

/** Sponsors of entries in the listing. It has none of data entries and pool shares. */
const sponsorsIn = ({ account, claimableBalances, offers }: Listing): ReadonlyArray<AccountAddress> =>
  [
    ...(account === null ? [] : [account, ...account.trustlines, ...account.signers]),
    ...offers,
    ...claimableBalances
  ].flatMap(({ sponsor }) => sponsor ?? [])

/** Accounts that the close concerns, as far as the listing tells, and no more than one call takes. */
const accountsIn = (input: CloseInput, listed: Listing): ReadonlyArray<AccountAddress> => {
  const claimable = new Set(listed.claimableBalances.map(({ asset }) => asset))
  return [...new Set([...newSponsors(input), ...sponsorsIn(listed), ...issuersOf(claimable)])].slice(0, maxKeysPerCall)
}

function* keysOf({ input, market, quotes }: Foreseeable, listed: Listing, ledgerVersion: number): Stoppable<ReadonlyArray<xdr.LedgerKey>> {
  const keys = [...freezeSettings(ledgerVersion), ...accountsIn(input, listed).map(accountKey)]
  for (const sale of foreseenSales(input, listed.account?.trustlines ?? [], quotes)) {
    if (keys.length >= maxKeysPerCall) break
    keys.push(...cachedBooks(market, input.source, sale).flatMap(keysIn))
    yield
  }
  return keys
}

/**
 * Keys that a close asks for beyond what the account holds, as far as the listing and the header show them: they travel with the account's
 * own entries. The market's are those of ways and books that are remembered. Fewer than there are cost a question later, nothing else.
 */
export const keysAhead = (foreseeable: Foreseeable) => (listed: Listing): Effect.Effect<ReadonlyArray<xdr.LedgerKey>> =>
  foreseeable.header.pipe(
    Effect.flatMap(({ protocolVersion }) => inTurns(() => keysOf(foreseeable, listed, protocolVersion))),
    Effect.option,
    Effect.map(Option.getOrElse((): ReadonlyArray<xdr.LedgerKey> => []))
  )
