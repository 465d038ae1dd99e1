import { Effect, Schema } from "effect"
import { Amount } from "../domain/Amount.ts"
import { resourceAt, type Witnessed, type WitnessUrls } from "./WitnessSource.ts"

const Paths = Schema.Struct({
  _embedded: Schema.Struct({ records: Schema.Array(Schema.Struct({ destination_amount: Amount })) })
})

const assetType = (code: string): string => (code.length <= 4 ? "credit_alphanum4" : "credit_alphanum12")

/** What an amount of an asset sells for by the ledger API, in stroops; null: the witness has none, or no one buys it. */
export const witnessedSale = (
  { ledgerApiUrl }: WitnessUrls,
  sold: { readonly code: string; readonly issuer: string; readonly amount: string }
): Witnessed<bigint | null> => {
  if (ledgerApiUrl === undefined) return Effect.succeed(null)
  const query = new URLSearchParams({
    source_asset_type: assetType(sold.code),
    source_asset_code: sold.code,
    source_asset_issuer: sold.issuer,
    source_amount: sold.amount,
    destination_assets: "native"
  })
  return Effect.map(
    resourceAt(ledgerApiUrl, `/paths/strict-send?${query}`, Paths),
    ({ _embedded: { records } }) => {
      const amounts = records.map(({ destination_amount }) => destination_amount)
      return amounts.length === 0 ? null : amounts.reduce((best, one) => (one > best ? one : best), 0n)
    }
  )
}
