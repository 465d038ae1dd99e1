import { HttpServerError } from "@effect/platform"
import { Cause } from "effect"
import { counted } from "../domain/CountedNoun.ts"
import { KeyDatabaseUnusable } from "../keys/database/KeyDatabase.ts"
import { RegistryFileInvalid } from "../registry/RegistryFile.ts"
import type { SettingProblem } from "./SettingProblems.ts"

/** Why a process does not start. */
export type StartFailure =
  | { readonly _tag: "Settings"; readonly problems: ReadonlyArray<SettingProblem> }
  /** Something else, in words. */
  | { readonly _tag: "Other"; readonly reason: string }

const wordsOf = (failure: unknown): string | null => {
  if (failure instanceof HttpServerError.ServeError) {
    const code = failure.cause instanceof Error && "code" in failure.cause ? failure.cause.code : null
    switch (code) {
      case "EADDRINUSE":
        return "PORT is taken: another process already listens on it. Choose another port, or stop that process."
      case "EACCES":
        return "This user may not use PORT: ports below 1024 need more rights."
      case "EADDRNOTAVAIL":
      case "ENOTFOUND":
        return "HOST is not an address of this machine."
      default:
        return `the service cannot listen: ${String(code ?? failure.cause)}`
    }
  }
  return failure instanceof RegistryFileInvalid || failure instanceof KeyDatabaseUnusable ? failure.message : null
}

/** What stopped a start, in words where we have some, else with its trace. */
export const otherFailure = (cause: Cause.Cause<unknown>): StartFailure => ({
  _tag: "Other",
  reason: wordsOf(Cause.squash(cause)) ?? Cause.pretty(cause)
})

const count = (problems: ReadonlyArray<SettingProblem>): string => counted(problems.length, "problem")

/** The report as a person reads it: a line for every problem. */
const inWords = (failure: StartFailure): string => {
  if (failure._tag === "Other") return `The service does not start: ${failure.reason}`
  const width = Math.max(...failure.problems.map(({ setting }) => setting.length))
  return [
    `The service does not start: ${count(failure.problems)} with its settings (docs/operating.md has all of them).`,
    ...failure.problems.map(({ example, problem, setting }) =>
      `  ${setting.padEnd(width)}  ${problem}${example === "" ? "" : `. For example ${example}`}`
    )
  ].join("\n")
}

/** The same as lines of the log. */
const inJson = (failure: StartFailure, time: string): string => {
  const line = (fields: object) => JSON.stringify({ timestamp: time, level: "FATAL", message: "the service does not start", ...fields })
  return failure._tag === "Other" ? line({ reason: failure.reason }) : failure.problems.map(line).join("\n")
}

/** The report in the format that logs have. */
export const startReport = (failure: StartFailure, format: "pretty" | "json", time: string): string =>
  format === "pretty" ? inWords(failure) : inJson(failure, time)
