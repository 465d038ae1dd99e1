import type { Plan } from "../domain/Plan.ts"

/** Facts that the client takes from a plan, because the account's own entries do not show them. */
export interface PlanFacts {
  /** What positions owe, by id. */
  readonly owes: ReadonlyMap<string, ReadonlyArray<string>>
}

/** The facts of a plan. */
export const planFacts = ({ decisionPoints }: Pick<Plan, "decisionPoints">): PlanFacts => ({
  owes: new Map(
    decisionPoints.flatMap(({ about, id }) =>
      about.kind === "position" ? [[id, (about.owes ?? []).flatMap(({ asset, token }) => asset ?? token ?? [])] as const] : []
    )
  )
})
