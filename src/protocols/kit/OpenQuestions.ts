import { Either } from "effect"
import type { OpenQuestions } from "./LedgerView.ts"
import type { Question } from "./Question.ts"

/** A failure that asking does not mend. */
export type FinalFailure<Failure> = Exclude<Failure, { readonly _tag: "Unread" }>

const isUnread = (failure: { readonly _tag: string }): failure is OpenQuestions => failure._tag === "Unread"

/** The queries to answer before something can be read; none where it was read, or failed for another reason. */
export const openQuestions = (read: Either.Either<unknown, { readonly _tag: string }>): ReadonlyArray<Question> =>
  Either.isLeft(read) && isUnread(read.left) ? read.left.questions : []

/** A failure with what another read beside it lacks, so that both are requested in the same round. */
export const together = <Failure extends { readonly _tag: string }>(
  first: Failure | OpenQuestions,
  beside: Either.Either<unknown, { readonly _tag: string }>
): Failure | OpenQuestions => isUnread(first) ? { _tag: "Unread", questions: [...first.questions, ...openQuestions(beside)] } : first
