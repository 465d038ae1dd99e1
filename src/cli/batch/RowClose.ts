import { Effect, Stream } from "effect"
import { closeAccount } from "../../client/CloseAccount.ts"
import type { CloseOptions } from "../../client/CloseOptions.ts"
import { endingOf } from "../ExitCode.ts"
import type { AccountRow } from "./AccountRows.ts"
import type { Journal, RowOutcome } from "./Journal.ts"

/** Closes an account of a batch and writes down what happened. It never fails: a failure is its outcome. */
export const closeRow = (
  { destination, memo, source }: AccountRow,
  options: Omit<CloseOptions, "source" | "destination" | "memo">,
  journal: Journal
): Effect.Effect<RowOutcome> =>
  Effect.gen(function*() {
    const events = closeAccount({ ...options, source, destination, memo }).events
    const closed = Stream.runFoldEffect(events, null as RowOutcome | null, (last, event) =>
      Effect.gen(function*() {
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
