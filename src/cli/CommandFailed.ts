import { Data } from "effect"
import type { Retry } from "../api/ErrorRow.ts"

/** A command cannot go on. `retry` says what helps, as with the failures of the service. */
export class CommandFailed extends Data.TaggedError("CommandFailed")<{
  readonly code: string
  readonly reason: string
  readonly retry: Retry
}> {
  override get message() {
    return this.reason
  }
}

/** What was typed, or a file that was named, is of no use: it has to be corrected. */
export const wrongInput = (reason: string): CommandFailed => new CommandFailed({ code: "wrong_input", reason, retry: "after_fix" })

/** The answer itself told that it is no success. */
export class AnsweredNo extends Data.TaggedError("AnsweredNo")<{ readonly retry: Retry }> {}

/** The person in front said no. */
export class Declined extends Data.TaggedError("Declined")<Record<never, never>> {
  override get message() {
    return "Stopped as you asked. Nothing more was signed. Run the command again to go on."
  }
}
