import type { PlanBody } from "../../support/Client.ts"

type Step = PlanBody["steps"][number]

/** The function that a step calls; empty where it calls none. */
export const functionOf = ({ description }: Pick<Step, "description">): string => /^Calls (\w+)/.exec(description)?.[1] ?? ""

/** The contract that a step calls. */
export const contractOf = ({ affectedContract, affectedEntry = "" }: Pick<Step, "affectedContract" | "affectedEntry">): string =>
  affectedContract ?? affectedEntry.split(":")[2] ?? ""

/** The functions that a plan calls to leave positions, in order. */
export const callsIn = ({ steps }: Pick<PlanBody, "steps">): ReadonlyArray<string> =>
  steps.filter(({ type }) => type === "EXIT_POSITIONS").map(functionOf)
