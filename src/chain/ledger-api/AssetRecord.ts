import { Effect, Schema } from "effect"
import type { AccountAddress } from "../../domain/Address.ts"
import { Amount, showAmount } from "../../domain/Amount.ts"
import { AssetId, isAssetId } from "../../domain/Asset.ts"
import { optional } from "../../domain/OptionalField.ts"
import type { Ask } from "./Ask.ts"
import { pageOf, pagesOf } from "./Page.ts"

/** An asset someone issued, and how much of it is out. */
export interface AssetRecord {
  readonly asset: AssetId
  /** Held on trustlines, claimable, in pools and by contracts, in stroops. May exceed what one line can hold. */
  readonly outstanding: bigint
}

/** Every asset of a question. */
export interface AssetList {
  readonly assets: ReadonlyArray<AssetRecord>
  readonly latestLedger: number
}

/** A total over many holders: a decimal text without the bound of a single amount. */
const Total = Schema.Union(
  Amount,
  Schema.transform(Schema.String.pipe(Schema.pattern(/^[0-9]+\.[0-9]{7}$/)), Schema.BigIntFromSelf, {
    strict: true,
    decode: (text) => BigInt(text.replace(".", "")),
    encode: showAmount
  })
)

const Resource = Schema.Struct({
  paging_token: Schema.String,
  asset_code: Schema.String,
  asset_issuer: Schema.String,
  balances: Schema.Struct({ authorized: Total, authorized_to_maintain_liabilities: Total, unauthorized: Total }),
  claimable_balances_amount: Total,
  liquidity_pools_amount: Total,
  contracts_amount: Total,
  // Left out by versions that do not count what is put away.
  archived_contracts_amount: optional(Schema.NullOr(Total))
}).pipe(Schema.filter((found) => isAssetId(idOf(found)) || "the code and issuer of an asset"))

const idOf = (found: { readonly asset_code: string; readonly asset_issuer: string }): string => `${found.asset_code}:${found.asset_issuer}`

const outstandingOf = (found: typeof Resource.Type): bigint =>
  [
    ...Object.values(found.balances),
    found.claimable_balances_amount,
    found.liquidity_pools_amount,
    found.contracts_amount,
    found.archived_contracts_amount ?? 0n
  ]
    .reduce((sum, amount) => sum + amount, 0n)

const Page = pageOf(Resource)

/** `/assets?asset_issuer=`. */
export const assetsIssuedBy = (ask: Ask) => (issuer: AccountAddress) =>
  Effect.map(pagesOf(ask, { path: ["assets"], parameters: [["asset_issuer", issuer]] }, Page), ({ latestLedger, records }): AssetList => ({
    latestLedger,
    assets: records.map((found) => ({
      asset: AssetId.make(idOf(found)),
      outstanding: outstandingOf(found)
    }))
  }))
