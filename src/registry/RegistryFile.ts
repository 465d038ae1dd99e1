import { FileSystem } from "@effect/platform"
import { Data, Effect, ParseResult, Schema } from "effect"

/** A file of the registry room cannot be read or breaks a rule. It stops the start of the service. */
export class RegistryFileInvalid extends Data.TaggedError("RegistryFileInvalid")<{
  readonly file: string
  readonly reason: string
}> {
  override get message() {
    return `${this.file}: ${this.reason}`
  }
}

/** The most problems reported for one file. A mistake that is repeated a hundred times shows in the first ones. */
const most = 5

/** Characters of each problem: some repeat the value, which may be a long list. */
const longest = 200

/** What is wrong with a file, on one line: where each problem is and what it is, without the shape of everything around it. */
const problemsOf = (error: ParseResult.ParseError): string => {
  const problems = ParseResult.ArrayFormatter.formatErrorSync(error).map(({ message, path }) =>
    `${path.join(".") || "the file"}: ${message.replace(/\s+/g, " ").slice(0, longest)}`
  )
  const more = problems.length - most
  return [...problems.slice(0, most), ...(more > 0 ? [`and ${more} more`] : [])].join("; ")
}

/** Decodes what a file of that name says, every problem named with the file it is in. */
export const decodeRegistryFile = <A, I>(file: string, schema: Schema.Schema<A, I>, said: unknown) =>
  Effect.mapError(
    Schema.decodeUnknown(schema)(said, { errors: "all", onExcessProperty: "error" }),
    (problem) => new RegistryFileInvalid({ file, reason: problemsOf(problem) })
  )

/** Reads a JSON file and decodes it. */
export const readRegistryFile = <A, I>(file: string, schema: Schema.Schema<A, I>) =>
  Effect.gen(function*() {
    const files = yield* FileSystem.FileSystem
    const text = yield* Effect.mapError(files.readFileString(file), () => new RegistryFileInvalid({ file, reason: "cannot be read" }))
    return yield* decodeRegistryFile(file, Schema.parseJson(schema), text)
  })
