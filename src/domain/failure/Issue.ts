import { Schema } from "effect"

/** One thing that is wrong with a request: where, and what. */
export const Issue = Schema.Struct({
  path: Schema.String.annotations({ description: "Dotted path into the body, empty for the whole." }),
  message: Schema.String.annotations({ description: "What is wrong there." })
}).annotations({ identifier: "RequestIssue", description: "One thing that is wrong with a request." })
export type Issue = typeof Issue.Type
