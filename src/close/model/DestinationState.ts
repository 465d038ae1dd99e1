import type { xdr } from "@stellar/stellar-sdk"
import { Effect, Option } from "effect"
import type { ChainFailure } from "../../chain/ChainFailure.ts"
import type { LedgerEntries } from "../../chain/LedgerEntries.ts"
import type { AccountAddress } from "../../domain/Address.ts"
import { type AssetId, issued } from "../../domain/Asset.ts"
import type { UnverifiedAddress } from "../../domain/RegistryDocument.ts"
import { accountKey, dataKey, trustlineKey } from "../../ledger/LedgerKey.ts"
import type { Listing } from "../../registry/ExchangeRegistry.ts"
import { trustlineAssetOf } from "../../stellar/Assets.ts"
import { usableWeight } from "./Weight.ts"

/** An account that is to be paid, and what the exchange registry says of it. */
export interface Destination extends Listing {
  readonly address: AccountAddress
  /** Null: no such account. */
  readonly account: xdr.AccountEntry | null
  readonly entries: ReadonlyArray<xdr.LedgerEntry>
  /** The account itself asks for a memo (SEP-29: data entry `config.memo_required` = 1). */
  readonly asksForMemo: boolean
  /** No set of its signers reaches its own medium threshold: what arrives never leaves. */
  readonly lockedForEver: boolean
}

/** Why nothing is sent to an address that nobody has checked, and what cures it. */
export const unverifiedProblem = ({ name }: UnverifiedAddress): string =>
  `Public lists name this address as one of ${
    name.slice(0, 60)
  }, and its deposit rules are unchecked: what arrives may be credited to no one. ` +
  "Use an address of your own. An operator who has checked its rules moves it to the registry's `entries`."

const memoRequired = "config.memo_required"

const lineKeys = (address: AccountAddress, assets: ReadonlyArray<AssetId>): ReadonlyArray<xdr.LedgerKey> =>
  assets.filter((asset) => issued(asset)?.issuer !== address).map((asset) => trustlineKey(address, trustlineAssetOf(asset)))

/** What tells of a destination: its account, whether it asks for a memo, and its lines to these assets. */
export const destinationKeys = (address: AccountAddress, assets: ReadonlyArray<AssetId>): ReadonlyArray<xdr.LedgerKey> => [
  accountKey(address),
  dataKey(address, memoRequired),
  ...lineKeys(address, assets)
]

/** Reads a destination and its lines to these assets by their keys (`getLedgerEntries`); that it does not exist is an answer, not a failure. */
export const readDestination = (
  entries: LedgerEntries["Type"],
  address: AccountAddress,
  assets: ReadonlyArray<AssetId>,
  listing: Listing
): Effect.Effect<Destination, ChainFailure> =>
  Effect.map(entries.many(destinationKeys(address, assets)), (answers) => {
    const found = answers.flatMap((answer) => Option.toArray(Option.map(answer, (live) => live.entry)))
    const account = found.find((entry) => entry.data.type === "account")?.data
    const data = found.find((entry) => entry.data.type === "data")?.data
    const entry = account?.type === "account" ? account.account : null
    return {
      address,
      account: entry,
      entries: found,
      asksForMemo: data?.type === "data" && new TextDecoder().decode(data.data.dataValue.value) === "1",
      ...listing,
      lockedForEver: entry !== null && usableWeight(entry) < Math.max(1, entry.thresholds.value[2] ?? 0)
    }
  })
