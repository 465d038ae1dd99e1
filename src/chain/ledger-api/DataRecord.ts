import { Effect, Option, Schema } from "effect"
import type { AccountAddress } from "../../domain/Address.ts"
import type { Ask } from "./Ask.ts"
import { Sponsor } from "./Fields.ts"

/** A data entry: the only answer of the ledger API that tells who sponsors one. */
export interface DataRecord {
  /** Base64. */
  readonly value: string
  readonly sponsor: AccountAddress | null
  readonly latestLedger: number
}

const Resource = Schema.Struct({ value: Schema.String, sponsor: Sponsor })

/** `/accounts/{id}/data/{name}`. */
export const dataEntry = (ask: Ask) => (owner: AccountAddress, name: string) =>
  Effect.map(
    ask.find({ path: ["accounts", owner, "data", name] }, Resource),
    Option.map(({ latestLedger, value }): DataRecord => ({ value: value.value, sponsor: value.sponsor ?? null, latestLedger }))
  )
