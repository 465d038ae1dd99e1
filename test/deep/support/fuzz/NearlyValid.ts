import { FastCheck as fc } from "effect"
import { nameOf, type Shape, type Shapes } from "./Shape.ts"

/** Real values of a test for use in requests. */
export interface Pools {
  /** By the name of the schema. */
  readonly schemas: Readonly<Record<string, ReadonlyArray<string>>>
  /** By the name of the field. */
  readonly fields: Readonly<Record<string, ReadonlyArray<string>>>
}

/** Values that hardly any schema allows. */
const odd: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    "",
    " ",
    0,
    -1,
    1e308,
    2 ** 53,
    0.1,
    true,
    [],
    {},
    "\u0000",
    "null",
    "__proto__",
    "0",
    "-0",
    "1e9",
    "é\u202e"
  ),
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.integer({ min: 1, max: 3_000 }).map((length) => "9".repeat(length)),
  fc.jsonValue({ maxDepth: 2 }),
  fc.integer({ min: 1, max: 200 }).map((depth) => JSON.parse(`${"[".repeat(depth)}${"]".repeat(depth)}`) as unknown)
)

/** Bytes of XDR with some changed, cut off or added, as base64. */
export const mutatedXdr = (text: string): fc.Arbitrary<string> =>
  fc.tuple(
    fc.array(fc.tuple(fc.nat(100_000), fc.oneof(fc.constantFrom(0, 1, 127, 255), fc.nat(255))), { minLength: 1, maxLength: 4 }),
    fc.constantFrom(0, 0, 0, -1, -4, -40, 4)
  ).map(([changes, more]) => {
    const bytes = Buffer.from(text, "base64")
    for (const [at, value] of changes) if (bytes.length > 0) bytes[at % bytes.length] = value
    return more > 0
      ? Buffer.concat([bytes, Buffer.alloc(more)]).toString("base64")
      : bytes.subarray(0, bytes.length + more).toString("base64")
  })

const isXdr = (text: string): boolean => text.length > 100 && /^[A-Za-z0-9+/]+=*$/.test(text)

const known = (texts: ReadonlyArray<string>): fc.Arbitrary<string> =>
  fc.constantFrom(...texts).chain((text) =>
    isXdr(text) ? fc.oneof({ weight: 1, arbitrary: fc.constant(text) }, { weight: 3, arbitrary: mutatedXdr(text) }) : fc.constant(text)
  )

const nested = 6

/** Makes values that match a schema, or nearly do: some leaf is odd, a field is missing or extra. */
export class NearlyValid {
  readonly #shapes: Shapes
  readonly #pools: Pools

  constructor(shapes: Shapes, pools: Pools) {
    this.#shapes = shapes
    this.#pools = pools
  }

  of(shape: Shape): fc.Arbitrary<unknown> {
    return fc.oneof({ weight: 30, arbitrary: this.#fitting(shape, "", 0) }, { weight: 1, arbitrary: odd })
  }

  #nearly(shape: Shape, field: string, depth: number): fc.Arbitrary<unknown> {
    return fc.oneof({ weight: 40, arbitrary: this.#fitting(shape, field, depth) }, { weight: 1, arbitrary: odd })
  }

  #fitting(shape: Shape, field: string, depth: number): fc.Arbitrary<unknown> {
    const own = this.#pools.fields[field]
    const fresh = (): fc.Arbitrary<unknown> => this.#fresh(shape, field, depth)
    return own === undefined ? fresh() : fc.oneof({ weight: 9, arbitrary: known(own) }, { weight: 1, arbitrary: fresh() })
  }

  #fresh(shape: Shape, field: string, depth: number): fc.Arbitrary<unknown> {
    if (shape.$ref !== undefined) return this.#shared(nameOf(shape.$ref), field, depth)
    const alternatives = [...(shape.allOf ?? []), ...(shape.anyOf ?? []), ...(shape.oneOf ?? [])]
    if (alternatives.length > 0) return fc.oneof(...alternatives.map((one) => this.#fitting(one, "", depth)))
    if (shape.enum !== undefined) return fc.constantFrom(...shape.enum)
    return this.#typed(shape, depth)
  }

  #shared(name: string, field: string, depth: number): fc.Arbitrary<unknown> {
    const pool = this.#pools.schemas[name]
    const target = (): fc.Arbitrary<unknown> => this.#fitting(this.#shapes[name] ?? {}, field, depth)
    return pool === undefined ? target() : fc.oneof({ weight: 9, arbitrary: known(pool) }, { weight: 1, arbitrary: target() })
  }

  #typed(shape: Shape, depth: number): fc.Arbitrary<unknown> {
    const [type, ...others] = [shape.type ?? []].flat()
    if (others.length > 0) return fc.oneof(...[type, ...others].map((one) => this.#typed({ ...shape, type: one ?? "" }, depth)))
    switch (type) {
      case "string":
        return stringOf(shape)
      case "integer":
        return fc.integer({ min: shape.minimum ?? 0, max: shape.maximum ?? 1_000_000 })
      case "number":
        return fc.double({ min: shape.minimum ?? 0, max: shape.maximum ?? 1e9, noNaN: true })
      case "boolean":
        return fc.boolean()
      case "null":
        return fc.constant(null)
      case "array":
        return fc.array(this.#nearly(shape.items ?? {}, "", depth + 1), {
          minLength: Math.min(shape.minItems ?? 0, 4),
          maxLength: depth > nested ? 0 : Math.min(shape.maxItems ?? 4, 4)
        })
      case "object":
        return depth > nested ? fc.constant({}) : this.#object(shape, depth)
      default:
        return fc.jsonValue({ maxDepth: 1 })
    }
  }

  #object({ additionalProperties, properties = {}, required = [] }: Shape, depth: number): fc.Arbitrary<unknown> {
    const entries = Object.entries(properties).map(([name, shape]) => {
      const value = this.#nearly(shape, name, depth + 1)
      const absent = fc.constant(undefined)
      return [name, fc.oneof({ weight: required.includes(name) ? 40 : 1, arbitrary: value }, { weight: 1, arbitrary: absent })] as const
    })
    const own = fc.record(Object.fromEntries(entries))
    const more = typeof additionalProperties === "object" ? this.#nearly(additionalProperties, "", depth + 1) : fc.constant("unasked")
    const rest = fc.dictionary(fc.string({ maxLength: 12 }), more, { maxKeys: 2 })
    const weight = typeof additionalProperties === "object" ? 20 : 1
    return fc.oneof(
      { weight: 20, arbitrary: own },
      { weight, arbitrary: fc.tuple(own, rest).map(([fields, others]) => ({ ...fields, ...others })) }
    )
  }
}

const stringOf = ({ format, maxLength = 30, minLength = 0, pattern }: Shape): fc.Arbitrary<string> => {
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern))
  return format === "uuid" ? fc.uuid() : fc.string({ minLength, maxLength: Math.min(maxLength, 200) })
}
