import { ParseResult } from "effect"
import type { Issue } from "../../domain/failure/Issue.ts"
import { nearestName } from "../../domain/NearestName.ts"

const maxIssues = 20
const maxLength = 200

/** What was given is never repeated: it may be long, or private. */
const withoutValue = (message: string): string => (message.split(", actual ")[0] ?? message).replace(/\s+/g, " ").slice(0, maxLength)

/** The fields that each object of a shape knows, by the path of the field that it does not know. */
const knownBeside = (
  issue: ParseResult.ParseIssue,
  path: ReadonlyArray<PropertyKey>,
  siblings: ReadonlyArray<string>
): ReadonlyMap<string, ReadonlyArray<string>> => {
  switch (issue._tag) {
    case "Unexpected":
      return new Map([[path.map(String).join("."), siblings]])
    case "Pointer":
      return knownBeside(issue.issue, [...path, issue.path].flat(), siblings)
    case "Refinement":
    case "Transformation":
      return knownBeside(issue.issue, path, siblings)
    case "Composite": {
      const known = issue.ast._tag === "TypeLiteral" ? issue.ast.propertySignatures.map(({ name }) => String(name)) : siblings
      const parts = ParseResult.isParseError(issue.issues) ? [] : [issue.issues].flat()
      return new Map(parts.flatMap((part) => [...knownBeside(part, path, known)]))
    }
    default:
      return new Map()
  }
}

/** What is wrong with a value, one line for each place. A field that does not exist is answered with the one that was probably meant. */
export const issuesOf = (error: ParseResult.ParseError): ReadonlyArray<Issue> => {
  const known = knownBeside(error.issue, [], [])
  return ParseResult.ArrayFormatter.formatErrorSync(error).slice(0, maxIssues).map(({ _tag, message, path }) => {
    const place = path.map(String).join(".")
    const meant = _tag === "Unexpected" ? nearestName(String(path.at(-1) ?? ""), known.get(place) ?? []) : null
    return {
      path: place.slice(0, maxLength),
      message: meant === null ? withoutValue(message) : `is no field of this request; the nearest is ${meant}`
    }
  })
}
