import { type Brand, ParseResult, Schema } from "effect"

/** How a leaf is told in a document, and in the failure of whatever it does not take. */
interface Words {
  /** Of its place in a document. */
  readonly identifier: string
  readonly description?: string
  /** What was expected, in words; the identifier where left out. */
  readonly expected?: string
  readonly jsonSchema: object
}

/** A schema of one kind of text or number, and how to make one of a value that is known to be right: of any other it throws, which is a defect. */
type Leaf<A, I> = Schema.Schema<A, I> & { readonly make: (value: I) => A }

/**
 * A schema that one check tells from everything else, and that is written as it is read. Schemas of Effect's own that say the same refine a
 * text or a number in several steps, each with an outcome of its own, both ways; an account has thousands of such values.
 */
const leaf = <A, I>(is: (value: unknown) => boolean, { expected, ...words }: Words): Leaf<A, I> => {
  const checked = () => (value: unknown, _: unknown, ast: Schema.Schema.Any["ast"]) =>
    is(value) ? ParseResult.succeed(value as A & I) : ParseResult.fail(new ParseResult.Type(ast, value, expected))
  const schema = Schema.declare<A, I, readonly []>([], { decode: checked, encode: checked }, words)
  return Object.assign(schema, { make: Schema.decodeSync(schema) })
}

/** A branded text. `is` checks more than the pattern says, where there is more to it. */
export const textLeaf = <const Name extends string>(
  identifier: Name,
  { is, pattern, ...words }: { readonly pattern: string; readonly is?: (text: string) => boolean } & Pick<Words, "description" | "expected">
): Leaf<string & Brand.Brand<Name>, string> => {
  const shape = new RegExp(pattern)
  const isRight = is ?? ((text: string) => shape.test(text))
  return leaf((value) => typeof value === "string" && isRight(value), {
    expected: `a string matching the pattern ${pattern}`,
    ...words,
    identifier,
    jsonSchema: { type: "string", pattern }
  })
}

/** One of some texts. Field `literals`: all of them. */
export const oneOf = <const Text extends string>(
  literals: ReadonlyArray<Text>,
  words: Pick<Words, "description" | "identifier">
) => {
  const known: ReadonlySet<unknown> = new Set(literals)
  return Object.assign(
    leaf<Text, Text>((value) => known.has(value), { ...words, jsonSchema: { type: "string", enum: literals } }),
    { literals }
  )
}

/** An integer that a number holds exactly. */
export const Int = leaf<number, number>(Number.isSafeInteger, {
  identifier: "Int",
  description: "an integer",
  expected: "an integer",
  jsonSchema: { type: "integer" }
})
