import { Effect } from "effect"

const wordsOf = (problem: unknown): string => {
  if (!(problem instanceof Error)) return String(problem)
  return problem.cause instanceof Error ? `${problem.message} (${problem.cause.message})` : problem.message
}

/** Runs a script's work and prints its result. On a failure prints the reason, and the process ends with 1. */
export const reported = async <E>(work: Effect.Effect<string, E>): Promise<void> => {
  const outcome = await Effect.runPromise(Effect.either(work))
  if (outcome._tag === "Right") return console.log(outcome.right)
  console.error(wordsOf(outcome.left))
  process.exitCode = 1
}
