import type { Plan } from "../domain/Plan.ts"

/** The parts of a plan that speak of positions. */
export type PlanWords = Pick<Plan, "decisionPoints" | "warnings">

const namedIn = ({ decisionPoints, warnings }: PlanWords): ReadonlySet<string> =>
  new Set([
    ...decisionPoints.flatMap(({ id, options }) => [id, ...options.flatMap(({ params }) => params?.ids ?? [])]),
    ...warnings.flatMap(({ subject }) => subject ?? [])
  ])

/** Protocols with so many positions of next to no worth that a plan names none of them. */
const protocolsOfDust = ({ warnings }: PlanWords): ReadonlySet<string> =>
  new Set(warnings.flatMap(({ code, subject }) => (code === "position_too_small" && subject !== undefined ? [subject] : [])))

/** Whether a plan speaks of more positions than it names. */
const onlyCounts = ({ decisionPoints, warnings }: PlanWords): boolean =>
  decisionPoints.some(({ about }) => about.kind === "positions") ||
  warnings.some(({ code, subject }) => code === "came_later" && subject === undefined)

/**
 * Whether a plan knows of a position: a question or a warning names it, or is about so many that not each is named. What an answer names (`had`)
 * says nothing: a plan repeats it.
 */
export const knowsPosition = (plan: PlanWords): (id: string) => boolean => {
  const [named, dusty] = [namedIn(plan), protocolsOfDust(plan)]
  return onlyCounts(plan) ? () => true : (id) => named.has(id) || dusty.has(id.split(":", 2)[1] ?? "")
}
