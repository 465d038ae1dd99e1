import { choicesOf, nameOf, refTo, type Shape, type Shapes, unionOf } from "./DocumentSchemas.ts"
import { ErrorTable } from "./ErrorTable.ts"

/** The rows of the table, by the name of their envelope in the document. */
const rows = new Map(Object.entries(ErrorTable).map(([tag, row]) => [`Error${tag}`, { tag, row }]))

/** The framework's own failure, which no route answers. */
const frameworks = "HttpApiDecodeError"

/** What an error of a code means, and the names of the details that it has in a response. */
export interface ShownError {
  readonly meaning: string
  readonly details: ReadonlySet<string>
}

/** What a response says of its errors: each code in words, the schema of the body, and envelopes that have to be added for it. */
export interface ErrorAnswer {
  readonly errors: ReadonlyMap<string, ShownError>
  readonly description: string
  readonly schema: Shape
  readonly added: Shapes
}

const propertiesOf = (shape: unknown): Shape =>
  typeof shape === "object" && shape !== null && "properties" in shape ? { ...(shape.properties as Shape) } : {}

const detailsOf = (tag: string, schemas: Shapes): ReadonlySet<string> => {
  const { details } = propertiesOf(schemas[`Failure${tag}`])
  return new Set(Object.keys(propertiesOf(schemas[nameOf({ ...(details as object) })])))
}

const envelopeOf = (name: string, tags: ReadonlyArray<string>, schemas: Shapes): Shapes => ({
  [name]: {
    type: "object",
    required: ["error"],
    properties: {
      error: { ...unionOf(schemas, tags.map((tag) => `Failure${tag}`)), description: "What went wrong, discriminated by `code`." }
    },
    description: "An error with one of several codes."
  }
})

/** The errors of a response; null where it has none. Several rows of one code are one schema. Bodies of another kind stay beside them. */
export const errorAnswer = (name: string, schema: Shape, schemas: Shapes): ErrorAnswer | null => {
  const choices = choicesOf(schema)
  const others = choices.filter((choice) => !rows.has(nameOf(choice)) && nameOf(choice) !== frameworks)
  const here = choices.flatMap((choice) => rows.get(nameOf(choice)) ?? [])
  if (here.length === 0) return null
  const byCode = new Map(here.map((one) => [one.row.code, one]))
  const tags = [...byCode.values()].map(({ tag }) => tag)
  const description = [...new Map(here.map(({ row }) => [row.code, `\`${row.code}\`: ${row.meaning} Retry: ${row.retry}.`])).values()].join(
    "\n\n"
  )
  const errors = new Map([...byCode].map(([code, { row, tag }]) => [code, { meaning: row.meaning, details: detailsOf(tag, schemas) }]))
  const [own, added] = tags.length === 1 ? [refTo(`Error${tags[0]}`), {}] : [refTo(name), envelopeOf(name, tags, schemas)]
  return { errors, description, schema: others.length === 0 ? own : { anyOf: [own, ...others] }, added }
}
