import type { Plan } from "../domain/Plan.ts"
import { warnedOf } from "./Dust.ts"

/** The parts of a plan that speak of positions. */
export type PlanWords = Pick<Plan, "decisionPoints" | "warnings">

/** What questions and warnings name. The ids that an answer names (`had`) say nothing: a plan repeats them. */
const namedIn = ({ decisionPoints, warnings }: PlanWords): ReadonlySet<string> =>
  new Set([
    ...decisionPoints.flatMap(({ id, options }) => [id, ...options.flatMap(({ params }) => params?.ids ?? [])]),
    ...warnings.flatMap(({ subject }) => subject ?? [])
  ])

/** Whether so many positions came later that a warning only counts the rest. */
const onlyCounts = ({ warnings }: PlanWords): boolean =>
  warnings.some(({ code, subject }) => code === "came_later" && subject === undefined)

/** Whether a plan knows of a position: a question or a warning is about it. */
export const knowsPosition = (plan: PlanWords): (id: string) => boolean => {
  const [named, isWarnedOf] = [namedIn(plan), warnedOf(plan.warnings)]
  return onlyCounts(plan) ? () => true : (id) => named.has(id) || isWarnedOf(id)
}
