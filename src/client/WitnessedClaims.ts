import { Effect, Option, Schema } from "effect"
import { Amount } from "../domain/Amount.ts"
import { PredicateObject, predicateOf } from "../domain/PredicateObject.ts"
import type { ClaimantOf } from "./ClaimWindow.ts"
import { resourceAt, unavailable, type Witnessed, type WitnessUrls } from "./WitnessSource.ts"

/** Pages of 200 that are read of the claimable balances. */
const mostPages = 20

/** A claimable balance by the ledger API. */
export interface WitnessedClaim {
  readonly id: string
  /** `native` or `CODE:ISSUER`. */
  readonly asset: string
  /** In 10^-7 of the asset. */
  readonly amount: bigint
  /** The ledger that last modified its entry. */
  readonly modifiedIn: number
  /** When that ledger closed, Unix seconds; null: the ledger API does not say. */
  readonly modifiedAt: number | null
  readonly claimants: ReadonlyArray<ClaimantOf>
}

const Claimables = Schema.Struct({
  _embedded: Schema.Struct({
    records: Schema.Array(Schema.Struct({
      id: Schema.String,
      asset: Schema.String,
      amount: Amount,
      last_modified_ledger: Schema.Number,
      last_modified_time: Schema.optional(Schema.NullOr(Schema.String)),
      claimants: Schema.Array(Schema.Struct({ destination: Schema.String, predicate: Schema.Unknown })),
      paging_token: Schema.String
    }))
  })
})

type ClaimableRecord = (typeof Claimables.Type)["_embedded"]["records"][number]

const decodePredicate = Schema.decodeUnknownOption(PredicateObject)

const claimIn = ({ amount, asset, claimants, id, last_modified_ledger, last_modified_time }: ClaimableRecord): WitnessedClaim => {
  const millis = Date.parse(last_modified_time ?? "")
  return {
    id,
    asset,
    amount,
    modifiedIn: last_modified_ledger,
    modifiedAt: Number.isNaN(millis) ? null : Math.floor(millis / 1000),
    claimants: claimants.map(({ destination, predicate }) => ({
      destination,
      predicate: Option.getOrNull(Option.map(decodePredicate(predicate), predicateOf))
    }))
  }
}

/** The balances that the account may claim, by the ledger API; none where the witness has no such. A list that is too long to read is a failure. */
export const witnessedClaims = (
  { ledgerApiUrl }: WitnessUrls,
  source: string
): Witnessed<ReadonlyArray<WitnessedClaim>> =>
  Effect.gen(function*() {
    const claims: Array<WitnessedClaim> = []
    if (ledgerApiUrl === undefined) return claims
    let cursor = ""
    for (let page = 0; page < mostPages; page++) {
      const path = `/claimable_balances?claimant=${source}&limit=200${cursor === "" ? "" : `&cursor=${encodeURIComponent(cursor)}`}`
      const { _embedded: { records } } = yield* resourceAt(ledgerApiUrl, path, Claimables)
      claims.push(...records.map(claimIn))
      if (records.length < 200) return claims
      cursor = records.at(-1)?.paging_token ?? ""
    }
    return yield* unavailable(ledgerApiUrl)(`it lists more than ${mostPages * 200} claimable balances of the account`)
  })
