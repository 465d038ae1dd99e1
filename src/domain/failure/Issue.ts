import { Schema } from "effect"

/** One thing that is wrong with a request: where, and what. */
export const Issue = Schema.Struct({
  path: Schema.String.annotations({ description: "Dotted path into the body, empty for the whole." }),
  message: Schema.String
}).annotations({ identifier: "RequestIssue" })
export type Issue = typeof Issue.Type
