import { Either, Iterable, Option, ParseResult, Schema, SchemaAST } from "effect"
import { nearestName } from "../NearestName.ts"
import type { Issue } from "./Issue.ts"

/** Issues that an answer names at most. */
export const maxIssues = 20
const maxLength = 200

/** Fields and items of a value in which every mistake is looked for. In a larger one the first is enough: the search holds the event loop. */
const mostSearched = 1000

/** The place of a value in the request. */
type Path = ReadonlyArray<PropertyKey>

const nouns: Readonly<Record<string, string>> = { string: "a string", number: "a number", boolean: "true or false" }

/** What a type expects, as a noun. */
const expectedBy = (message: string, ast: SchemaAST.AST | null): string => {
  if (ast?._tag === "TypeLiteral") return "an object"
  if (ast?._tag === "TupleType") return "an array"
  const text = message.replace(/^Expected /, "").replace("character(s)", "characters")
  return nouns[text] ?? text
}

/** What was given is never repeated: it may be long, or private. */
const withoutValue = (message: string): string => (message.split(", actual ")[0] ?? message).replace(/\s+/g, " ")

const sentence = (message: string, ast: SchemaAST.AST | null): string =>
  /^(Expected |an? )/.test(message) ? `must be ${expectedBy(message, ast)}` : message

const issueAt = (path: Path, message: string): Issue => ({
  path: path.map(String).join(".").slice(0, maxLength),
  message: message.slice(0, maxLength)
})

const formatted = (issue: ParseResult.ParseIssue, path: Path): ReadonlyArray<Issue> =>
  ParseResult.ArrayFormatter.formatIssueSync(issue).map((one) =>
    issueAt([...path, ...one.path], sentence(withoutValue(one.message), issue._tag === "Type" ? issue.ast : null))
  )

const hasMessage = ({ ast }: ParseResult.Refinement | ParseResult.Transformation): boolean =>
  Option.isSome(SchemaAST.getMessageAnnotation(ast))

const partsOf = ({ issues }: ParseResult.Composite): ReadonlyArray<ParseResult.ParseIssue> => {
  const parts = [issues].flat()
  return parts as ReadonlyArray<ParseResult.ParseIssue>
}

/** Whether a member of a union takes values of this kind, so that what is wrong lies within the value. */
const isWithin = (issue: ParseResult.ParseIssue): boolean =>
  issue._tag === "Composite" || ((issue._tag === "Refinement" || issue._tag === "Transformation") && isWithin(issue.issue))

/** One mistake in a union: within the member that the value was meant as, else in its kind. */
const unionIssues = (union: SchemaAST.Union, parts: ReadonlyArray<ParseResult.ParseIssue>, path: Path): Iterable<Issue> => {
  const literals = union.types.flatMap((type) => (type._tag === "Literal" ? [String(type.literal)] : []))
  if (literals.length === union.types.length) return [issueAt(path, `must be one of ${literals.join(", ")}`)]
  const meant = parts.find(isWithin)
  if (meant !== undefined) return issuesIn(meant, path)
  const expected = parts.flatMap((part) => formatted(part, [])).map(({ message }) => message.replace(/^must be /, ""))
  return [issueAt(path, `must be ${[...new Set(expected)].join(" or ")}`)]
}

const unknownField = (path: Path, siblings: ReadonlyArray<string>): Issue => {
  const nearest = nearestName(String(path.at(-1) ?? ""), siblings)
  return issueAt(path, `is not a field of this request${nearest === null ? "" : `; the nearest one is ${nearest}`}`)
}

/** Whether a refinement or transformation has no words of its own for what is wrong. */
const isTransparent = (issue: ParseResult.Refinement | ParseResult.Transformation): boolean =>
  !hasMessage(issue) && (isWithin(issue.issue) || (issue._tag === "Refinement" && issue.kind === "From"))

const compositeIssues = (issue: ParseResult.Composite, path: Path, siblings: ReadonlyArray<string>): Iterable<Issue> => {
  if (issue.ast._tag === "Union") return unionIssues(issue.ast, partsOf(issue), path)
  const known = issue.ast._tag === "TypeLiteral" ? issue.ast.propertySignatures.map(({ name }) => String(name)) : siblings
  return Iterable.flatMap(partsOf(issue), (part) => issuesIn(part, path, known))
}

/** The issues within an issue, each worded only when it is taken. */
const issuesIn = (issue: ParseResult.ParseIssue, path: Path, siblings: ReadonlyArray<string> = []): Iterable<Issue> => {
  switch (issue._tag) {
    case "Pointer":
      return issuesIn(issue.issue, [...path, issue.path].flat(), siblings)
    case "Unexpected":
      return [unknownField(path, siblings)]
    case "Refinement":
    case "Transformation":
      return isTransparent(issue) ? issuesIn(issue.issue, path, siblings) : formatted(issue, path)
    case "Composite":
      return compositeIssues(issue, path, siblings)
    default:
      return formatted(issue, path)
  }
}

const issuesOf = (error: ParseResult.ParseError): ReadonlyArray<Issue> => [...Iterable.take(issuesIn(error.issue, []), maxIssues)]

/** Whether a value has at most so many fields and items, at any depth. The count ends there. */
const isWithinCount = (value: unknown, most: number): boolean => {
  const met: Array<unknown> = [value]
  for (const one of met) {
    const inside = typeof one === "object" && one !== null ? Object.values(one) : []
    if (met.length + inside.length > most + 1) return false
    met.push(...inside)
  }
  return true
}

/**
 * Decodes values, or names what is wrong: one issue for each mistake, at most 20; of a value with more than 1000 fields and items the first
 * one. A field that does not exist is a mistake, and is answered with the nearest name.
 */
export const decoding = <A, I>(schema: Schema.Schema<A, I>) => {
  const decode = Schema.decodeUnknownEither(schema, { onExcessProperty: "error" })
  return (value: unknown): Either.Either<A, ReadonlyArray<Issue>> =>
    Either.mapLeft(
      Either.orElse(decode(value), (first) => (isWithinCount(value, mostSearched) ? decode(value, { errors: "all" }) : Either.left(first))),
      issuesOf
    )
}
