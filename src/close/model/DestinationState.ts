import type { xdr } from "@stellar/stellar-sdk"
import { Effect, Option } from "effect"
import type { ChainFailure } from "../../chain/ChainFailure.ts"
import type { LedgerEntries } from "../../chain/LedgerEntries.ts"
import type { AccountAddress } from "../../domain/Address.ts"
import { type AssetId, issued } from "../../domain/Asset.ts"
import type { RegistryEntry } from "../../domain/RegistryDocument.ts"
import { accountKey, dataKey, trustlineKey } from "../../ledger/LedgerKey.ts"
import { trustlineAssetOf } from "../../stellar/Assets.ts"
import { usableWeight } from "./Weight.ts"

/** What an account is to whoever pays it. */
export interface Destination {
  readonly address: AccountAddress
  /** Null: no such account. */
  readonly account: xdr.AccountEntry | null
  readonly entries: ReadonlyArray<xdr.LedgerEntry>
  /** The account itself asks for a memo (SEP-29: data entry `config.memo_required` = 1). */
  readonly asksForMemo: boolean
  /** The exchange registry's entry, fresh or expired. */
  readonly listing: RegistryEntry | null
  /** No set of its signers reaches its own medium threshold: what arrives never leaves. */
  readonly lockedForEver: boolean
}

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
  listing: RegistryEntry | null
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
      listing,
      lockedForEver: entry !== null && usableWeight(entry) < Math.max(1, entry.thresholds.value[2] ?? 0)
    }
  })
