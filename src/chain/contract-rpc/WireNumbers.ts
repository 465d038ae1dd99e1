import { Schema } from "effect"
import { integerText } from "../../domain/Leaf.ts"
import { LedgerSequence } from "../../domain/Ledger.ts"

/** A ledger number. */
export const LedgerNumber = Schema.typeSchema(LedgerSequence)

/** A non-negative integer that a source writes as a string: times, fees. */
export const BigText = integerText(20)
