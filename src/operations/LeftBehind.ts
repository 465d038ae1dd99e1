import { amountIn } from "../domain/DecisionAmount.ts"
import type { Around } from "./Around.ts"
import type { Held, SentDecision } from "./Expected.ts"

/** Whether no more is left behind than a decision gives up: of a group of claims all that the caller's read shows of their asset. */
const isWithin = ({ amount, asset, id }: Held, by: SentDecision, held: ReadonlyArray<Held>): boolean => {
  if (by.params?.maxAmount === undefined || amount === undefined) return true
  const all = by.id === id ? amount : held.reduce((sum, one) => (one.asset === asset ? sum + (one.amount ?? 0n) : sum), 0n)
  const most = amountIn(by.id, by.params.maxAmount)
  return most !== null && all <= most
}

/** What the caller's own read still shows outside of the account's entries, that this transaction does not claim and no decision gives up. */
export const leftBehind = ({ decided, expected: { phase: { held } }, operations }: Around): ReadonlyArray<string> => {
  const claimed = new Set(operations.flatMap((one) => (one?.type === "claim_claimable_balance" ? [`claim:${one.balanceId}`] : [])))
  const open = held.filter(({ id }) => !claimed.has(id))
  const isGivenUp = (one: Held): boolean => {
    const by = decided.givenUpBy(one, open)
    return by !== undefined && isWithin(one, by, open)
  }
  return open.filter((one) => !isGivenUp(one)).map(({ id }) => id)
}
