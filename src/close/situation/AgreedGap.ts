import { ledgerSeconds } from "../../domain/Ledger.ts"
import type { LedgerGap } from "../../domain/LedgerGap.ts"

/** How many ledgers an answer reaches beyond the gap that was seen, so that it still covers it while the ledger continues. */
const laterLedgers = 3_600 / ledgerSeconds

/** The ledgers that an answer names to give up what is unknown of a gap. */
export const agreedGap = (gap: LedgerGap): LedgerGap => ({ ...gap, toLedger: gap.toLedger + laterLedgers })

/** Whether an answer about some ledgers is about a whole gap. Null: there is none. */
export const coversGap = (agreed: LedgerGap | null, gap: LedgerGap | null): boolean =>
  gap === null || (agreed !== null && agreed.fromLedger <= gap.fromLedger && agreed.toLedger >= gap.toLedger)
