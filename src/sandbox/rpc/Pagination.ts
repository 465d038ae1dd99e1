import { Effect, Schema } from "effect"
import type { Chain } from "../network/Chain.ts"
import { isWithin, rangeText } from "./LedgerRange.ts"
import { RpcFault } from "./RpcFault.ts"
import { xdrFormat } from "./RpcMethod.ts"

const maxLimit = 200
const defaultLimit = 50

/** Where a page begins and how much it holds. */
export const PageParams = Schema.optional(
  Schema.NullOr(Schema.Struct({ cursor: Schema.optional(Schema.String), limit: Schema.optional(Schema.Int) }))
)

/** The cursor of a page; an empty one is none. */
export const cursorOf = (page: Schema.Schema.Type<typeof PageParams>): string | undefined => page?.cursor === "" ? undefined : page?.cursor

/** Parameters of the listings of ledgers and transactions: a first ledger or a cursor, never both. */
export const ListingParams = Schema.Struct({
  startLedger: Schema.optional(Schema.Int),
  pagination: PageParams,
  ...xdrFormat
})

export interface Listing {
  /** Where to start when no cursor is given. */
  readonly startLedger: number
  readonly cursor: string | undefined
  readonly limit: number
}

/** Settles the parameters of a listing against the retained range. */
export const listing = Effect.fnUntraced(function*(
  chain: Chain,
  params: typeof ListingParams.Type
): Effect.fn.Return<Listing, RpcFault> {
  const cursor = cursorOf(params.pagination)
  const limit = params.pagination?.limit ?? 0
  const startLedger = params.startLedger ?? 0
  if (cursor !== undefined && startLedger !== 0) {
    return yield* RpcFault.invalidRequest("startLedger and cursor cannot both be set")
  }
  if (cursor === undefined && !isWithin(chain, startLedger)) {
    return yield* RpcFault.invalidRequest(`start ledger (${startLedger}) must be between ${rangeText(chain)}`)
  }
  if (limit > maxLimit) return yield* RpcFault.invalidRequest(`limit must not exceed ${maxLimit}`)
  return { startLedger, cursor, limit: limit <= 0 ? defaultLimit : limit }
})
