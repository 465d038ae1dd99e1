import type { xdr } from "@stellar/stellar-sdk"
import { Effect, Option } from "effect"
import type { ChainFailure } from "../../chain/ChainFailure.ts"
import { allReadable, type LiveEntry } from "../../chain/contract-rpc/LiveEntry.ts"
import type { LedgerEntries } from "../../chain/LedgerEntries.ts"
import type { AccountAddress } from "../../domain/Address.ts"
import { type AssetId, issued } from "../../domain/Asset.ts"
import { baseAccount, type DestinationAddress, isMuxed } from "../../domain/DestinationAddress.ts"
import type { UnverifiedAddress } from "../../domain/RegistryDocument.ts"
import type { Listing } from "../../registry/ExchangeRegistry.ts"
import { trustlineAssetOf } from "../../stellar/Assets.ts"
import { accountKey, dataKey, trustlineKey } from "../../xdr/LedgerKeys.ts"
import { usableWeight } from "./Weight.ts"

/** An account that is to be paid, and what the exchange registry says of it. */
export interface Destination extends Listing {
  /** As it is paid: `M...` with its id. Everything else is that of its account. */
  readonly address: DestinationAddress
  /** Null: no such account. */
  readonly account: xdr.AccountEntry | null
  readonly entries: ReadonlyArray<xdr.LedgerEntry>
  /** The account itself asks for a memo (SEP-29: data entry `config.memo_required` = 1), and no id of the address stands for one. */
  readonly asksForMemo: boolean
  /** No set of its signers reaches its own medium threshold: what arrives never leaves. */
  readonly lockedForEver: boolean
}

/** Why nothing is sent to an unverified address, and what to do about it. */
export const unverifiedProblem = ({ name }: UnverifiedAddress): string =>
  `Public lists name this address as one of ${
    name.slice(0, 60)
  }, and its deposit rules are unchecked. What arrives may be credited to no one. ` +
  "Use your own address. An operator who has checked its rules can move it to the registry's `entries`."

/** Where a destination says that it asks for a memo (SEP-29). */
export const memoKey = (address: DestinationAddress): xdr.LedgerKey => dataKey(baseAccount(address), "config.memo_required")

const trustlineKeys = (account: AccountAddress, assets: ReadonlyArray<AssetId>): ReadonlyArray<xdr.LedgerKey> =>
  assets.filter((asset) => issued(asset)?.issuer !== account).map((asset) => trustlineKey(account, trustlineAssetOf(asset)))

/** What describes a destination: its account, whether it asks for a memo, and its trustlines to these assets. */
export const destinationKeys = (address: DestinationAddress, assets: ReadonlyArray<AssetId>): ReadonlyArray<xdr.LedgerKey> => {
  const account = baseAccount(address)
  return [accountKey(account), memoKey(address), ...trustlineKeys(account, assets)]
}

/** Whether an entry says yes. An unreadable one counts as yes: an unneeded memo does no harm. */
const isYes = ({ entry }: LiveEntry): boolean =>
  entry === null || (entry.data.type === "data" && new TextDecoder().decode(entry.data.data.dataValue.value) === "1")

/** Reads a destination and its trustlines to these assets by their keys (`getLedgerEntries`); that it does not exist is an answer, not a failure; that it cannot be read is one. */
export const readDestination = (
  entries: LedgerEntries["Type"],
  address: DestinationAddress,
  assets: ReadonlyArray<AssetId>,
  listing: Listing
): Effect.Effect<Destination, ChainFailure> =>
  Effect.gen(function*() {
    const [own, memo, ...trustlines] = yield* entries.many(destinationKeys(address, assets))
    const [account] = yield* allReadable(Option.toArray(own ?? Option.none()))
    const entry = account?.data.type === "account" ? account.data.account : null
    const found = [account, ...[memo, ...trustlines].map((live) => Option.getOrNull(live ?? Option.none())?.entry)].flatMap((one) =>
      one ?? []
    )
    return {
      address,
      account: entry,
      entries: found,
      asksForMemo: !isMuxed(address) && Option.exists(memo ?? Option.none(), isYes),
      ...listing,
      lockedForEver: entry !== null && usableWeight(entry) < Math.max(1, entry.thresholds.value[2] ?? 0)
    }
  })
