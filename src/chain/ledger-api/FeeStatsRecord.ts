import { Effect, Schema } from "effect"
import type { Ask } from "./Ask.ts"

const Share = Schema.String.pipe(Schema.pattern(/^[0-9]{1,3}(\.[0-9]{1,9})?$/), Schema.compose(Schema.NumberFromString))

const FeeStats = Schema.Struct({ ledger_capacity_usage: Share })

/** `/fee_stats`: how full the last five ledgers were, 1 when nothing more would have found room. */
export const capacityUsage = (ask: Ask) =>
  Effect.map(ask.fact({ path: ["fee_stats"] }, FeeStats), ({ ledger_capacity_usage }): number => ledger_capacity_usage)
