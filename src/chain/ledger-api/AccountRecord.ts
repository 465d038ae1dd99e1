import { Effect, Option, ParseResult, Schema } from "effect"
import { AccountAddress } from "../../domain/Address.ts"
import { Amount, type Stroops } from "../../domain/Amount.ts"
import { type AssetId, isAssetId } from "../../domain/Asset.ts"
import { Int } from "../../domain/Leaf.ts"
import { PoolId } from "../../domain/Ledger.ts"
import { listInTurns } from "../pace/Turns.ts"
import type { Ask } from "./Ask.ts"
import { Int64Text, Sponsor } from "./Fields.ts"
import { pageOf, pagesOf } from "./Page.ts"

/** A trustline to an issued asset. */
export interface LineRecord {
  readonly asset: AssetId
  readonly balance: Stroops
  readonly limit: Stroops
  readonly buyingLiabilities: Stroops
  readonly sellingLiabilities: Stroops
  readonly authorized: boolean
  readonly sponsor: AccountAddress | null
  /** The ledger that changed the line last; null where the ledger API names none. */
  readonly lastModifiedLedger: number | null
}

/** A trustline to the shares of a pool. The ledger API does not tell its sponsor. */
export interface PoolShareRecord {
  readonly poolId: PoolId
  readonly balance: Stroops
}

/** A signer, the master key included. */
export interface SignerRecord {
  /** StrKey. */
  readonly key: string
  readonly weight: number
  readonly sponsor: AccountAddress | null
}

/** An account as the ledger API lists it. */
export interface AccountRecord {
  readonly address: AccountAddress
  readonly sequence: bigint
  /** Its own lumens; null where the ledger API names none. */
  readonly lumens: Stroops | null
  /** The ledger that changed the account entry last. */
  readonly lastModifiedLedger: number
  readonly numSubEntries: number
  readonly numSponsoring: number
  readonly numSponsored: number
  readonly sponsor: AccountAddress | null
  readonly trustlines: ReadonlyArray<LineRecord>
  readonly poolShares: ReadonlyArray<PoolShareRecord>
  readonly signers: ReadonlyArray<SignerRecord>
  /** Weight that most operations need; null where the ledger API names none. */
  readonly mediumThreshold: number | null
  /** Values in base64, by name. */
  readonly data: ReadonlyMap<string, string>
  /** The newest ledger the ledger API had seen when it answered. */
  readonly latestLedger: number
}

/** Every account of a question. */
export interface AccountList {
  readonly accounts: ReadonlyArray<AccountRecord>
  readonly latestLedger: number
}

const Credit = Schema.Struct({
  asset_type: Schema.Literal("credit_alphanum4", "credit_alphanum12"),
  asset_code: Schema.String,
  asset_issuer: Schema.String,
  balance: Amount,
  limit: Amount,
  buying_liabilities: Amount,
  selling_liabilities: Amount,
  is_authorized: Schema.Boolean,
  last_modified_ledger: Schema.optional(Int),
  sponsor: Sponsor
}).pipe(Schema.filter((line) => isAssetId(idOf(line)) || "the code and issuer of an asset"))

const idOf = (line: { readonly asset_code: string; readonly asset_issuer: string }): string => `${line.asset_code}:${line.asset_issuer}`

const PoolShare = Schema.Struct({ asset_type: Schema.Literal("liquidity_pool_shares"), liquidity_pool_id: PoolId, balance: Amount })

const Native = Schema.Struct({ asset_type: Schema.Literal("native"), balance: Amount })

/** Values by name. Any name may occur, `__proto__` too, which no plain record could carry. */
const DataValues = Schema.transformOrFail(
  Schema.Object,
  Schema.typeSchema(Schema.ReadonlyMap({ key: Schema.String, value: Schema.String })),
  {
    strict: true,
    decode: (values, _, ast) => {
      const pairs = Object.entries(values).filter((pair): pair is [string, string] => typeof pair[1] === "string")
      return pairs.length === Object.keys(values).length
        ? ParseResult.succeed(new Map(pairs))
        : ParseResult.fail(new ParseResult.Type(ast, values, "texts by name"))
    },
    encode: (values) => ParseResult.succeed(Object.fromEntries(values))
  }
)

// A kind of balance that is not known here does not decode: it must not be overlooked.
const Resource = Schema.Struct({
  account_id: AccountAddress,
  paging_token: Schema.String,
  sequence: Int64Text,
  last_modified_ledger: Int,
  subentry_count: Int,
  num_sponsoring: Int,
  num_sponsored: Int,
  sponsor: Sponsor,
  balances: listInTurns(Schema.Union(Credit, PoolShare, Native)),
  signers: Schema.Array(Schema.Struct({ key: Schema.String, weight: Int, sponsor: Sponsor })),
  thresholds: Schema.optional(Schema.Struct({ med_threshold: Int })),
  data: DataValues
})

const Page = pageOf(Resource)

const recordOf = (resource: typeof Resource.Type, latestLedger: number): AccountRecord => ({
  address: resource.account_id,
  sequence: resource.sequence,
  lumens: resource.balances.find((line) => line.asset_type === "native")?.balance ?? null,
  lastModifiedLedger: resource.last_modified_ledger,
  numSubEntries: resource.subentry_count,
  numSponsoring: resource.num_sponsoring,
  numSponsored: resource.num_sponsored,
  sponsor: resource.sponsor ?? null,
  trustlines: resource.balances.flatMap((line) => ("asset_code" in line ? [lineOf(line)] : [])),
  poolShares: resource.balances.flatMap((line) =>
    "liquidity_pool_id" in line ? [{ poolId: line.liquidity_pool_id, balance: line.balance }] : []
  ),
  signers: resource.signers.map(({ key, sponsor, weight }) => ({ key, weight, sponsor: sponsor ?? null })),
  mediumThreshold: resource.thresholds?.med_threshold ?? null,
  data: resource.data,
  latestLedger
})

const lineOf = (line: typeof Credit.Type): LineRecord => ({
  // It decoded.
  asset: idOf(line) as AssetId,
  balance: line.balance,
  limit: line.limit,
  buyingLiabilities: line.buying_liabilities,
  sellingLiabilities: line.selling_liabilities,
  authorized: line.is_authorized,
  sponsor: line.sponsor ?? null,
  lastModifiedLedger: line.last_modified_ledger ?? null
})

/** `/accounts/{id}`. An answer about another account does not decode. */
export const account = (ask: Ask) => (address: AccountAddress) =>
  Effect.map(
    ask.find(
      { path: ["accounts", address] },
      Resource.pipe(Schema.filter((found) => found.account_id === address || "the requested account"))
    ),
    Option.map(({ latestLedger, value }) => recordOf(value, latestLedger))
  )

/** `/accounts?sponsor=`. */
export const accountsSponsoredBy = (ask: Ask) => (sponsor: AccountAddress) =>
  Effect.map(
    pagesOf(ask, { path: ["accounts"], parameters: [["sponsor", sponsor]] }, Page),
    ({ latestLedger, records }): AccountList => ({ accounts: records.map((found) => recordOf(found, latestLedger)), latestLedger })
  )
