import { ledgerSeconds } from "../../../domain/Ledger.ts"
import { callsOf, type Exits, type PlannedExit } from "../../situation/Exits.ts"
import { claimFee } from "../../situation/LastClaim.ts"
import type { OwnTransactions } from "../../situation/OwnTransactions.ts"
import { claimOf, type JudgedClaims, judgedClaims, noClaims, type RewardFacts } from "../../situation/RewardJudge.ts"
import { isSameCall } from "../../situation/SameCall.ts"
import type { RewardWorths } from "./RewardReading.ts"
import type { ExitQuestion } from "./Surroundings.ts"

/** Ledgers, about an hour: what came in since a claim of the last so many is not claimed again while more comes in. */
const claimMemory = 3_600 / ledgerSeconds

/** The claims that the account made successfully after a ledger, by name. */
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

/** Stroops of resource fee that the claims of exits were simulated at, by name. */
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
 * What the rewards of exits that make all their claims are judged by: what they are worth, what the claims cost, and which of these the account
 * made lately. Null: nothing has been earned.
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

/** The claims of each position by its decision, as they are judged. */
export const judgedAll = (facts: RewardFacts | null, planned: ReadonlyArray<PlannedExit>): ReadonlyMap<string, JudgedClaims> =>
  new Map(planned.map((one) => [one.id, facts === null ? noClaims : judgedClaims(facts, one.position)]))

/** Exits that make all their claims, with these as they are judged. */
export const asJudged = <A extends Pick<Exits, "planned">>(exits: A, judged: ReadonlyMap<string, JudgedClaims>): A => ({
  ...exits,
  planned: exits.planned.map((one) => ({ ...one, claims: judged.get(one.id) ?? noClaims }))
})

/** Whether an exit is not the one that makes all its claims. */
export const isChanged = ({ left, made }: JudgedClaims): boolean => left.size + made.size > 0
