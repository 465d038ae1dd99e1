import { ledgerSeconds } from "../../../domain/Ledger.ts"
import { callsOf, type PlannedExit } from "../../situation/Exits.ts"
import type { OwnTransactions } from "../../situation/OwnTransactions.ts"
import { claimOf } from "../../situation/RewardJudge.ts"
import { isSameCall } from "../../situation/SameCall.ts"

/** Ledgers, about an hour: what came in since a claim of the last so many is not claimed again while more comes in. */
export const claimMemory = 3_600 / ledgerSeconds

/** The claims that the account made successfully after a ledger, by name. */
export const claimsMade = (
  { transactions }: OwnTransactions,
  planned: ReadonlyArray<PlannedExit>,
  since: number
): ReadonlySet<string> => {
  const made = transactions.filter(({ ledger, succeeded }) => ledger >= since && succeeded)
  return new Set(
    planned.flatMap((one) =>
      callsOf(one).filter((call) => call.claimsOnly === true && made.some(({ operations: [operation] }) => isSameCall(operation, call)))
        .map((call) => claimOf(one.position, call.function))
    )
  )
}
