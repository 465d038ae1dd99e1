import { ParseResult } from "effect"

/** What of an input does not decode, on one line: where each problem is and what it is. */
export const decodeProblems = (error: ParseResult.ParseError): string =>
  ParseResult.ArrayFormatter.formatErrorSync(error)
    .map(({ message, path }) => `${path.join(".") || "the body"}: ${message.replace(/\s+/g, " ")}`)
    .join("; ")
