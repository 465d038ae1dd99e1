import type { OfferedPoint } from "../../domain/Decision.ts"
import type { Plan } from "../../domain/Plan.ts"
import type { Answers } from "../situation/Answers.ts"
import type { Blocker } from "../situation/Gate.ts"

/** The parts of a status: blockers, the decision points as they are offered, and the answers of the request. */
interface StatusParts {
  readonly blockers: ReadonlyArray<Blocker>
  readonly points: ReadonlyArray<OfferedPoint>
  readonly answers: Answers
}

/** Whether the plan offers an answer that lifts a blocker: another choice than the one that was made, or the same with other params. */
const isLifted = ({ answers, points }: StatusParts) => {
  const byId = new Map(points.map((point) => [point.id, point]))
  return ({ liftedBy = [] }: Blocker): boolean =>
    liftedBy.some(({ choice, id }) => {
      const option = byId.get(id)?.options.find((one) => one.id === choice)
      return option !== undefined && (option.needs.length > 0 || answers.to({ id })?.choice !== choice)
    })
}

/** `blocked` where no offered answer lifts some blocker, `needs_decisions` where answers suffice, else `ready`. */
export const planStatus = (parts: StatusParts): Exclude<Plan["status"], "complete"> => {
  const { blockers, points } = parts
  if (!blockers.every(isLifted(parts))) return "blocked"
  return blockers.length > 0 || points.some(({ answered, required }) => required && !answered) ? "needs_decisions" : "ready"
}
