import { HttpServerResponse } from "@effect/platform"
import { Effect, Schema, SchemaAST } from "effect"
import { inTurns } from "../../chain/pace/Turns.ts"
import { objectMemo } from "../../fibers/ObjectMemo.ts"
import { HelpLinks } from "./HelpLinks.ts"

type Fields = Readonly<Record<PropertyKey, unknown>>

/** The schema of the items, where a schema is that of an array. */
const itemsOf = (ast: SchemaAST.AST): SchemaAST.AST | undefined =>
  SchemaAST.isTupleType(ast) && ast.elements.length === 0 && ast.rest.length === 1 ? ast.rest[0]?.type : undefined

/** Encodes a whole value. The encoder of a shape is made once: a schema for each piece of an answer cost more than its encoding. */
const whole = objectMemo((ast: SchemaAST.AST): (value: unknown) => string => {
  const encode = Schema.encodeUnknownSync(Schema.make<unknown, unknown>(ast))
  return (value) => JSON.stringify(encode(value))
})

/** The JSON text of a value, in pieces: an object field by field, an array item by item, what stands in an array whole. */
function* pieces(ast: SchemaAST.AST, value: unknown): Generator<string, void> {
  const items = itemsOf(ast)
  if (items !== undefined && Array.isArray(value)) {
    const encode = whole(items)
    yield "["
    for (const [index, item] of value.entries()) yield (index === 0 ? "" : ",") + encode(item)
    yield "]"
  } else if (SchemaAST.isTypeLiteral(ast) && ast.indexSignatures.length === 0 && typeof value === "object" && value !== null) {
    const fields: Fields = { ...value }
    const told = ast.propertySignatures.filter(({ isOptional, name }) => !isOptional || fields[name] !== undefined)
    yield "{"
    for (const [index, { name, type }] of told.entries()) {
      yield `${index === 0 ? "" : ","}${JSON.stringify(String(name))}:`
      yield* pieces(type, fields[name])
    }
    yield "}"
  } else {
    yield whole(ast)(value)
  }
}

/** What a schema makes of a value, as JSON text. It yields after each piece, so that an answer of megabytes holds no one up. */
export function* encodedInParts<A, I>(schema: Schema.Schema<A, I>, value: A): Generator<void, string> {
  const parts: Array<string> = []
  for (const piece of pieces(schema.ast, value)) {
    parts.push(piece)
    yield
  }
  return parts.join("")
}

/** The answer of a handler that may be long: as its schema has it, written in turns of the event loop, its links such that they can be followed. */
export const answerInParts = <A, I>(schema: Schema.Schema<A, I>) => (value: A): Effect.Effect<HttpServerResponse.HttpServerResponse> =>
  Effect.zipWith(
    inTurns(() => encodedInParts(schema, value)),
    HelpLinks,
    (text, links) => HttpServerResponse.text(links(text), { contentType: "application/json" })
  )
