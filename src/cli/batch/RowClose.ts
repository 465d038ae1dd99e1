import { Effect, Stream } from "effect"
import { closeAccount } from "../../client/CloseAccount.ts"
import type { CloseOptions } from "../../client/CloseOptions.ts"
import { endingOf } from "../ExitCode.ts"
import { warn } from "../Screen.ts"
import { withSubmissionNotice } from "../SubmissionNotice.ts"
import type { AccountRow } from "./AccountRows.ts"
import type { Journal, RowOutcome } from "./Journal.ts"

/** How an account of a batch is closed, beside what its row says. */
export type RowOptions = Omit<CloseOptions, "source" | "destination" | "memo">

/** Closes an account of a batch and writes down what happened. It never fails: a failure, also one of its options, is its outcome. */
export const closeRow = <R>(
  { destination, mediator, memo, source }: AccountRow,
  optionsFor: Effect.Effect<RowOptions, unknown, R>,
  journal: Journal
): Effect.Effect<RowOutcome, never, R> =>
  Effect.gen(function*() {
    const events = Effect.map(optionsFor, (options) => {
      const closing: CloseOptions = { ...options, ...(mediator === null ? {} : { mediator }), source, destination, memo }
      return withSubmissionNotice(closeAccount(closing).events, closing)
    })
    const closed = Stream.runFoldEffect(Stream.unwrap(events), null as RowOutcome | null, (last, event) =>
      Effect.gen(function*() {
        if (event._tag === "built") {
          yield* Effect.forEach(event.warnings, ({ message }) => warn(`${source}: ${message}`))
        }
        if (event._tag === "submitted") yield* journal.add({ source, destination, state: "submitted", hash: event.hash })
        if (event._tag !== "receipt") return last
        const { hash, ledger, receivedLumens } = event.receipt.closed
        return { source, destination, state: "closed" as const, receivedLumens, hash, ledger }
      }))
    const outcome = yield* closed.pipe(
      Effect.map((found): RowOutcome =>
        found ?? { source, destination, state: "failed", code: "UnexpectedAnswer", message: "It ended without a receipt.", retry: "never" }
      ),
      Effect.catchAllCause((cause): Effect.Effect<RowOutcome> => {
        const { code, message, retry } = endingOf(cause)
        return Effect.succeed({ source, destination, state: "failed", code, message, retry })
      })
    )
    yield* journal.add(outcome)
    return outcome
  })
