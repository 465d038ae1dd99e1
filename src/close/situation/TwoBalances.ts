import { BigInt as Big } from "effect"
import type { AccountSnapshot } from "../../account/AccountSnapshot.ts"
import { type AssetId, native } from "../../domain/Asset.ts"
import { assetIdOf } from "../../stellar/Assets.ts"

/** A balance (stroops) as one source has it, and the ledger that changed its entry last; null: the source does not tell. */
interface SourceBalance {
  readonly balance: bigint
  readonly modified: number | null
}

const noBalance: SourceBalance = { balance: 0n, modified: null }

/** As the contract RPC has it. */
const confirmedBalance = ({ accountEntry, entries }: AccountSnapshot, asset: AssetId): SourceBalance => {
  if (asset === native) return { balance: accountEntry.balance, modified: entries[0]?.lastModifiedLedgerSeq ?? null }
  for (const { data, lastModifiedLedgerSeq } of entries) {
    if (data.type !== "trustline" || data.trustLine.asset.type === "assetTypePoolShare") continue
    if (assetIdOf(data.trustLine.asset) === asset) return { balance: data.trustLine.balance, modified: lastModifiedLedgerSeq }
  }
  return noBalance
}

/** As the ledger API lists it. */
const listedBalance = ({ listed: record }: AccountSnapshot, asset: AssetId): SourceBalance => {
  if (asset === native) return { balance: record?.lumens ?? 0n, modified: record?.lastModifiedLedger ?? null }
  const trustline = record?.trustlines.find((one) => one.asset === asset)
  return trustline === undefined ? noBalance : { balance: trustline.balance, modified: trustline.lastModifiedLedger }
}

/** The least difference of two balances, stroops, that is more than strangers' gifts and passing time make. */
const leastTolerated = 100_000n

/** What two sources make of a balance: `agreed`, `near` (so little apart that the smaller counts), `apart`, or two truths about one ledger. */
export type Agreement = "agreed" | "near" | "apart" | "contradicted"

/** Holds what the contract RPC has of an asset against what the ledger API lists. */
export const agreementOn = (snapshot: AccountSnapshot, asset: AssetId): Agreement => {
  const [shown, told] = [confirmedBalance(snapshot, asset), listedBalance(snapshot, asset)]
  const [less, more] = shown.balance < told.balance ? [shown.balance, told.balance] : [told.balance, shown.balance]
  if (less === more) return "agreed"
  if (shown.modified !== null && shown.modified === told.modified) return "contradicted"
  const tolerated = Big.max(more / 1_000n, leastTolerated)
  return more - less <= tolerated ? "near" : "apart"
}

/** Stroops that the ledger API knows less of an asset, where the two are near: the smaller counts. */
export const lessListed = (snapshot: AccountSnapshot, asset: AssetId): bigint => {
  const less = confirmedBalance(snapshot, asset).balance - listedBalance(snapshot, asset).balance
  return less > 0n && agreementOn(snapshot, asset) === "near" ? less : 0n
}
