import { type DecisionPoint, mostGiftIds } from "../../../domain/Decision.ts"
import { DecisionId } from "../../situation/DecisionId.ts"
import type { PlannedExit } from "../../situation/Exits.ts"
import type { Situation } from "../../situation/Situation.ts"

const groupOf = (
  { standing }: PlannedExit
): string | null => (standing?._tag === "Open" || standing?._tag === "Grouped" ? standing.group : null)

/** Whether a question of its own asks about a position: not where it is one of many, nor where it came later. */
export const isAskedAlone = (one: PlannedExit): boolean => groupOf(one) === null && one.standing?._tag !== "Later"

const named = (all: ReadonlyArray<PlannedExit>): string => {
  const first = all.slice(0, 10).map(({ position: { contract } }) => contract)
  return `${first.join(", ")}${all.length > first.length ? ", and others" : ""}`
}

/** Whether the answer to a question about many names each of them. */
const covers = ({ input: { answers } }: Situation, id: string, all: ReadonlyArray<PlannedExit>): boolean => {
  const answer = answers.to({ id })
  return answer !== undefined && all.every(({ standing }) => standing?._tag === "Grouped") &&
    (answer.choice === "exit" || all.length <= (answer.params?.maxCount ?? 0))
}

const pointOf = (situation: Situation, id: string, all: ReadonlyArray<PlannedExit>): DecisionPoint => {
  const ids = all.map((one) => one.id).toSorted().slice(0, mostGiftIds)
  const params = { ids, maxCount: 2 * all.length + 1000 }
  const left = "They stay behind, where nobody can ever reach them again. It covers the positions in ids and no other."
  return {
    id,
    type: "positions",
    subject: `${all.length} positions that others can give, in ${named(all)}`,
    options: id === DecisionId.otherPositions
      ? [{ id: "forfeit", note: `Nothing is known to buy what they pay. ${left}`, params }]
      : [{ id: "exit", note: "Each is left by a call of its own, in a transaction of its own.", params: { ids } }, {
        id: "acknowledge_forfeit",
        note: left,
        params
      }],
    default: null,
    required: true,
    answered: covers(situation, id, all)
  }
}

/** Questions about gifts that are asked about together. */
export const giftPoints = (situation: Situation): ReadonlyArray<DecisionPoint> => {
  const groups = new Map<string, Array<PlannedExit>>()
  for (const one of situation.exits.planned) {
    const id = groupOf(one)
    if (id !== null) groups.set(id, [...(groups.get(id) ?? []), one])
  }
  return [...groups].map(([id, all]) => pointOf(situation, id, all))
}
