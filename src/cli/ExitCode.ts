import { HelpDoc, ValidationError } from "@effect/cli"
import { isQuitException } from "@effect/platform/Terminal"
import { Cause } from "effect"
import type { Retry } from "../api/ErrorRow.ts"
import { codeOf, isCloseFailure, retryOf } from "../client/RetryClass.ts"
import { CallFailed } from "../client/ServiceClient.ts"
import { AnsweredNo, CommandFailed, Declined } from "./CommandFailed.ts"
import { withoutCodes } from "./Screen.ts"

/** The status that the process ends with, by what helps. */
const exitCodes: Readonly<Record<Retry, number>> = { never: 1, after_fix: 2, after_delay: 3, replan: 4 }

/** A person stopped it. */
export const stopped = 130

/** An error of this program itself. */
export const defect = 70

/** How a command that failed ends: its message, and the status of the process. */
export interface Ending {
  readonly code: string
  readonly message: string
  readonly retry: Retry | null
  readonly exitCode: number
  /** Where its message stands already. */
  readonly told: "nowhere" | "as_text" | "everywhere"
}

const ending = (code: string, message: string, retry: Retry): Ending => ({
  code,
  message,
  retry,
  exitCode: exitCodes[retry],
  told: "nowhere"
})

/** The ending of a command that a person stops by an answer or a signal. */
export const byPerson: Ending = { code: "stopped", message: new Declined().message, retry: null, exitCode: stopped, told: "nowhere" }

/** A failure of the caller's own functions says more than that a function failed. */
const innermost = (failure: unknown): unknown =>
  isCloseFailure(failure) && failure._tag === "CallbackFailed" ? innermost(failure.cause) : failure

const endingOfFailure = (failure: unknown): Ending | null => {
  if (failure instanceof CommandFailed) return ending(failure.code, failure.message, failure.retry)
  if (failure instanceof AnsweredNo) return { ...ending("no", "", failure.retry), told: "everywhere" }
  if (failure instanceof Declined || isQuitException(failure)) return byPerson
  if (failure instanceof CallFailed) return ending(codeOf(failure.failure), failure.message, failure.retry)
  if (isCloseFailure(failure)) return ending(codeOf(failure), failure.message, retryOf(failure))
  if (ValidationError.isValidationError(failure)) {
    return { ...ending("wrong_input", withoutCodes(HelpDoc.toAnsiText(failure.error)).trim(), "after_fix"), told: "as_text" }
  }
  return null
}

/** How a command that failed ends. */
export const endingOf = (cause: Cause.Cause<unknown>): Ending => {
  if (Cause.isInterruptedOnly(cause)) return byPerson
  const failure = Cause.squash(cause)
  const known = endingOfFailure(innermost(failure)) ?? endingOfFailure(failure)
  if (known !== null) return known
  const message = failure instanceof Error ? failure.message : String(failure)
  return { code: "internal_error", message: `This program has an error: ${message}`, retry: null, exitCode: defect, told: "nowhere" }
}
