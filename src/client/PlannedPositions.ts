import type { Plan } from "../domain/Plan.ts"

/** The parts of a plan that speak of positions. */
export type PlanWords = Pick<Plan, "decisionPoints" | "warnings">

const namedIn = ({ decisionPoints, warnings }: PlanWords): ReadonlySet<string> =>
  new Set([
    ...decisionPoints.flatMap(({ id, options }) => [id, ...options.flatMap(({ params }) => [...params?.ids ?? [], ...params?.had ?? []])]),
    ...warnings.flatMap(({ subject }) => subject ?? [])
  ])

/** Whether a plan speaks of more positions than it names. */
const onlyCounts = ({ decisionPoints, warnings }: PlanWords): boolean =>
  decisionPoints.some(({ about }) => about.kind === "positions") ||
  warnings.some(({ code, subject }) => code === "came_later" && subject === undefined)

/** Whether a plan knows of a position: a question or a warning names it, its protocol, or so many that not each is named. */
export const knowsPosition = (plan: PlanWords): (id: string) => boolean => {
  const named = namedIn(plan)
  return onlyCounts(plan) ? () => true : (id) => named.has(id) || named.has(id.split(":", 2)[1] ?? "")
}
