import { parseAmount } from "../domain/Amount.ts"
import type { Plan } from "../domain/Plan.ts"

/** Facts that the client takes from a plan, because the account's own entries do not show them. */
export interface PlanFacts {
  /** What positions owe, by id. */
  readonly owes: ReadonlyMap<string, ReadonlyArray<string>>
  /**
   * Pools of the ledger that pay nothing of an asset, for a share this small, by the id of their decision: the least of the other asset, in base
   * units, 0 where that is nothing too. A plan that lies here gains nothing: at any price in a pool, its rule keeps the worth of a share.
   */
  readonly smallShares: ReadonlyMap<string, bigint>
}

/** The facts of a plan. */
export const planFacts = ({ decisionPoints }: Pick<Plan, "decisionPoints">): PlanFacts => {
  const owes = new Map<string, ReadonlyArray<string>>()
  const smallShares = new Map<string, bigint>()
  for (const { about, id } of decisionPoints) {
    if (about.kind === "position") owes.set(id, (about.owes ?? []).flatMap(({ asset, token }) => asset ?? token ?? []))
    if (about.kind !== "pool") continue
    const unpaid = about.holds.filter(({ amount }) => parseAmount(amount) === 0n)
    if (unpaid.length > 0) smallShares.set(id, unpaid.length === about.holds.length ? 0n : 1n)
  }
  return { owes, smallShares }
}
