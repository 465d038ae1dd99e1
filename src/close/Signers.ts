import type { Signing, ThresholdLevel } from "../domain/Plan.ts"
import { levelOf } from "../operations/Operations.ts"
import type { Round } from "./Round.ts"
import { operationsOf } from "./Unit.ts"
import { requiredWeight, usableSigners, usableWeight } from "./Weight.ts"

const rank: Record<ThresholdLevel, number> = { low: 0, med: 1, high: 2 }

/** The heaviest level of a transaction's operations; a transaction itself needs low. */
const heaviest = (round: Round): ThresholdLevel =>
  round.units.flatMap(operationsOf).map(levelOf).reduce<ThresholdLevel>((top, level) => (rank[level] > rank[top] ? level : top), "low")

/** Who signs a transaction, and with how much weight: the closing account alone, for a direct close. */
export const signingOf = (round: Round): Signing => {
  const { account, address } = round.holdings
  const level = heaviest(round)
  return {
    account: address,
    level,
    requiredWeight: requiredWeight(account, level),
    availableWeight: usableWeight(account),
    signers: usableSigners(account).map(({ key, type, weight }) => ({ key, weight, type }))
  }
}

/** What the heaviest of several transactions needs. */
export const heaviestSigning = (rounds: ReadonlyArray<Round>): ReadonlyArray<Signing> => {
  const all = rounds.map(signingOf)
  const top = all.reduce<Signing | null>((best, one) => (best === null || rank[one.level] > rank[best.level] ? one : best), null)
  return top === null ? [] : [top]
}
