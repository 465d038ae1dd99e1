import { Schema } from "effect"
import { LedgerSequence } from "../../domain/Ledger.ts"

/** A ledger number. */
export const LedgerNumber = Schema.typeSchema(LedgerSequence)

/** A non-negative integer that a source writes as a string: times, fees. */
export const BigText = Schema.String.pipe(Schema.pattern(/^[0-9]{1,20}$/), Schema.compose(Schema.BigInt))
