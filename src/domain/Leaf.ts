import { type Brand, ParseResult, Schema } from "effect"

/** How a leaf stands in a document, and in the failure of a value that it does not take. */
interface Words {
  /** Of its place in a document; where left out it has none of its own. */
  readonly identifier?: string
  readonly description?: string
  /** What was expected, in words; the identifier where left out. */
  readonly expected?: string
  /** Left out where it stands in no document. */
  readonly jsonSchema?: object
}

// Schemas of single values that take one step. Those of Effect's own that say the same refine and transform in several, each with an outcome
// of its own, both ways; an account has thousands of such values.

type Step<To> = (value: unknown) => To | null

/** What a step makes of a value; it fails where that is null. */
const taken = <To>(step: Step<To>, expected: string | undefined) => () => (value: unknown, _: unknown, ast: Schema.Schema.Any["ast"]) => {
  const made = step(value)
  return made === null ? ParseResult.fail(new ParseResult.Type(ast, value, expected)) : ParseResult.succeed(made)
}

const inOneStep = <A, I>(decode: Step<A>, encode: Step<I>, { expected, ...words }: Words): Schema.Schema<A, I> =>
  Schema.declare<A, I, readonly []>([], { decode: taken(decode, expected), encode: taken(encode, expected) }, words)

/** A schema of one kind of text or number, and how to make one of a value that is known to be right: of any other it throws, which is a defect. */
type Leaf<A, I> = Schema.Schema<A, I> & { readonly make: (value: I) => A }

/** What one check tells from everything else, and is written as it is read. */
const leaf = <A, I>(is: (value: unknown) => boolean, words: Words): Leaf<A, I> => {
  const same = (value: unknown) => (is(value) ? value as A & I : null)
  const schema = inOneStep<A, I>(same, same, words)
  return Object.assign(schema, { make: Schema.decodeSync(schema) })
}

/** A kind of values that are no texts, and their texts. */
interface Written<A> {
  readonly is: (value: unknown) => value is A
  /** Null: the text is none of such a value. */
  readonly read: (text: string) => A | null
  readonly write: (value: A) => string
}

/** Values that are written as texts. Each side is known by its kind, so that what was read or written already stays as it is. */
export const writtenAsText = <A extends bigint | object>({ is, read, write }: Written<A>, words: Words): Schema.Schema<A, string> => {
  const readAlready = (value: unknown) => (is(value) ? value : null)
  const writtenAlready = (value: unknown) => (typeof value === "string" ? value : null)
  return inOneStep<A, string>(
    (value) => (typeof value === "string" ? read(value) : readAlready(value)),
    (value) => (is(value) ? write(value) : writtenAlready(value)),
    words
  )
}

const matching = (pattern: string) => {
  const shape = new RegExp(pattern)
  return (text: string) => shape.test(text)
}

/** A branded text. `is` checks all that the pattern says, and more, where there is more to it. */
export const textLeaf = <const Name extends string>(
  identifier: Name,
  { pattern, is = matching(pattern), ...words }:
    & { readonly pattern: string; readonly is?: (text: string) => boolean }
    & Pick<Words, "description" | "expected">
): Leaf<string & Brand.Brand<Name>, string> =>
  leaf((value) => typeof value === "string" && is(value), {
    expected: `a string matching the pattern ${pattern}`,
    ...words,
    identifier,
    jsonSchema: { type: "string", pattern }
  })

/** One of some texts, for lists too long to try one literal after the other. Field `literals`: all of them. */
export const oneOf = <const Text extends string>(
  literals: ReadonlyArray<Text>,
  words: Pick<Words, "description"> & Required<Pick<Words, "identifier">>
) => {
  const known: ReadonlySet<unknown> = new Set(literals)
  return Object.assign(
    leaf<Text, Text>((value) => known.has(value), { ...words, jsonSchema: { type: "string", enum: literals } }),
    { literals }
  )
}

/** An integer that a number holds exactly. */
export const Int = /* @__PURE__ */ leaf<number, number>(Number.isSafeInteger, {
  identifier: "Int",
  description: "an integer",
  expected: "an integer",
  jsonSchema: { type: "integer" }
})

/** A non-negative integer that a source writes as a string of at most so many digits. */
export const integerText = (mostDigits: number) => {
  const digits = new RegExp(`^[0-9]{1,${mostDigits}}$`)
  return writtenAsText<bigint>({
    is: (value) => typeof value === "bigint",
    read: (text) => (digits.test(text) ? BigInt(text) : null),
    write: String
  }, { expected: `an integer of at most ${mostDigits} digits` })
}
