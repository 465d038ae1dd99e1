import { Effect, Either, ParseResult, Schema, type SchemaAST } from "effect"
import { atOnce, inTurns, type Stoppable } from "./Turns.ts"

/** Items decoded before others may go first. What is little is not held up: a plan asks for thousands of short lists. */
const atATime = 16

function* each<A>(
  decode: (item: unknown) => Either.Either<A, ParseResult.ParseIssue>,
  items: ReadonlyArray<unknown>,
  ast: SchemaAST.AST
): Stoppable<Either.Either<ReadonlyArray<A>, ParseResult.ParseIssue>> {
  const decoded: Array<A> = []
  for (const [index, item] of items.entries()) {
    const one = decode(item)
    if (Either.isLeft(one)) return Either.left(new ParseResult.Composite(ast, items, new ParseResult.Pointer(index, items, one.left)))
    decoded.push(one.right)
    if (decoded.length % atATime === 0) yield
  }
  return Either.right(decoded)
}

/** A list that is decoded in short turns, however long it is: sources and strangers choose its length. The first item that does not fit fails it. */
export const listInTurns = <A, I>(item: Schema.Schema<A, I>): Schema.Schema<ReadonlyArray<A>, ReadonlyArray<unknown>> => {
  const decode = ParseResult.decodeUnknownEither(item)
  const encode = ParseResult.encodeUnknownEither(item)
  // Its items are what decoding made them: they are not looked at again.
  const decoded = Schema.declare((value): value is ReadonlyArray<A> => Array.isArray(value))
  return Schema.transformOrFail(Schema.Array(Schema.Unknown), decoded, {
    strict: true,
    // A list of a single turn is decoded without waiting for anything.
    decode: (items, _, ast) =>
      items.length < atATime ? atOnce(each(decode, items, ast)) : Effect.flatten(inTurns(() => each(decode, items, ast))),
    encode: (values) => Either.all(values.map((value) => encode(value)))
  })
}
