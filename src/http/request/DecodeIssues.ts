import { ParseResult } from "effect"
import type { Issue } from "../../domain/failure/Issue.ts"

const maxIssues = 20
const maxLength = 200

/** What was given is never repeated: it may be long, or private. */
const withoutValue = (message: string): string => (message.split(", actual ")[0] ?? message).replace(/\s+/g, " ").slice(0, maxLength)

/** What is wrong with a value, one line for each place. */
export const issuesOf = (error: ParseResult.ParseError): ReadonlyArray<Issue> =>
  ParseResult.ArrayFormatter.formatErrorSync(error).slice(0, maxIssues).map(({ message, path }) => ({
    path: path.map(String).join(".").slice(0, maxLength),
    message: withoutValue(message)
  }))
