import { ledgerSeconds } from "../../../domain/Ledger.ts"
import type { Exits } from "../../situation/Exits.ts"
import { claimFee } from "../../situation/LastClaim.ts"
import type { OwnTransactions } from "../../situation/OwnTransactions.ts"
import { callsOf, type PlannedExit } from "../../situation/PlannedExit.ts"
import { claimOf, type JudgedClaims, judgedClaims, noClaims, type RewardFacts } from "../../situation/RewardJudge.ts"
import { isSameCall } from "../../situation/SameCall.ts"
import type { ExitQuestion } from "./ExitFacts.ts"
import type { RewardWorths } from "./RewardWorths.ts"

/** Ledgers, about an hour, in which a reward is not claimed again, even if more of it accrues. */
const claimMemory = 3_600 / ledgerSeconds

/** The names of claims that the account made successfully since a ledger. */
const claimsMade = (
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

/** The simulated resource fee of each claim by name, stroops. */
const feesIn = (planned: ReadonlyArray<PlannedExit>): ReadonlyMap<string, bigint> =>
  new Map(
    planned.flatMap((one) =>
      callsOf(one).flatMap((call) => {
        const fee = call.claimsOnly === true ? claimFee(one, call.function) : null
        return fee === null ? [] : [[claimOf(one.position, call.function), fee] as const]
      })
    )
  )

/**
 * The facts that rewards are judged by; null where nothing has been earned. For exits that make all their claims: what rewards are worth,
 * what claims cost, and which were made lately.
 */
export const rewardFactsOf = (
  worths: RewardWorths | null,
  { inclusionFee, ledgerState: { header } }: Pick<ExitQuestion, "inclusionFee" | "ledgerState">,
  { history, planned }: Pick<Exits, "history" | "planned">
): RewardFacts | null =>
  worths === null ? null : {
    worthOf: worths,
    inclusionFee,
    fees: feesIn(planned),
    made: claimsMade(history, planned, header.ledgerSeq - claimMemory)
  }

/** The judged claims of each position, by its decision. */
export const judgeClaims = (facts: RewardFacts | null, planned: ReadonlyArray<PlannedExit>): ReadonlyMap<string, JudgedClaims> =>
  new Map(planned.map((one) => [one.id, facts === null ? noClaims : judgedClaims(facts, one.position)]))

/** Exits that make all their claims, with their judged claims. */
export const withJudgedClaims = <A extends Pick<Exits, "planned">>(exits: A, judged: ReadonlyMap<string, JudgedClaims>): A => ({
  ...exits,
  planned: exits.planned.map((one) => ({ ...one, claims: judged.get(one.id) ?? noClaims }))
})

/** Whether an exit leaves out any of its claims. */
export const changesClaims = ({ left, made }: JudgedClaims): boolean => left.size + made.size > 0
