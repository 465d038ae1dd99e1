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

/** Decodes what a file of that name says, every problem named with the file it is in. */
export const decodeRegistryFile = <A, I>(file: string, schema: Schema.Schema<A, I>, said: unknown) =>
  Effect.mapError(
    Schema.decodeUnknown(schema)(said, { errors: "all", onExcessProperty: "error" }),
    (problem) => new RegistryFileInvalid({ file, reason: ParseResult.TreeFormatter.formatErrorSync(problem) })
  )

/** Reads a JSON file and decodes it. */
export const readRegistryFile = <A, I>(file: string, schema: Schema.Schema<A, I>) =>
  Effect.gen(function*() {
    const files = yield* FileSystem.FileSystem
    const text = yield* Effect.mapError(files.readFileString(file), () => new RegistryFileInvalid({ file, reason: "cannot be read" }))
    return yield* decodeRegistryFile(file, Schema.parseJson(schema), text)
  })
