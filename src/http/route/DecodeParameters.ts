import { Either, Option, ParseResult, Schema, type SchemaAST } from "effect"
import { type ParameterFailure, type Refusal, refusalOf } from "../../api/Parameter.ts"
import { BadRequest } from "../../domain/failure/Input.ts"
import { lazily } from "../../fibers/Lazily.ts"

/** Parameters by name, as they were given; one that was given several times is a list, which no parameter accepts. */
export type Given = Readonly<Record<string, string | ReadonlyArray<string>>>

/** Decodes the parameters of a path or query; the first that is wrong gives its own failure. */
export type DecodeParameters = (given: Given) => Either.Either<unknown, ParameterFailure>

const refusalsIn = (properties: ReadonlyArray<SchemaAST.PropertySignature>): ReadonlyMap<string, Refusal> =>
  new Map(properties.map(({ name, type }) => [String(name), Option.getOrThrow(refusalOf(type))]))

/** The parameters that a path or query may hold. */
export const propertiesOf = (schema: Option.Option<Schema.Schema.All>): ReadonlyArray<SchemaAST.PropertySignature> => {
  const ast = Option.getOrNull(schema)?.ast
  return ast?._tag === "TypeLiteral" ? ast.propertySignatures : []
}

/** How the parameters of a path or query are decoded; where none are declared, to undefined. One without its failure throws here. */
export const decodeParameters = (schema: Option.Option<Schema.Schema.All>): DecodeParameters => {
  if (Option.isNone(schema)) return () => Either.right(undefined)
  const refusals = refusalsIn(propertiesOf(schema))
  const decode = lazily(() => Schema.decodeUnknownEither(Schema.make<unknown>(schema.value.ast)))
  return (given) =>
    Either.mapLeft(decode()(given), (error) => {
      const [issue] = ParseResult.ArrayFormatter.formatErrorSync(error)
      const name = String(issue?.path[0] ?? "")
      const value = given[name]
      const wrong = { name, text: typeof value === "string" ? value : null, problem: issue?.message ?? "" }
      return refusals.get(name)?.(wrong) ?? new BadRequest({ reason: "The parameters cannot be used. See /openapi.json for them." })
    })
}
