import { nameOf, type Shape, type Shapes } from "./Shape.ts"

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const typeOf = (value: unknown): string => {
  if (value === null) return "null"
  if (Array.isArray(value)) return "array"
  return Number.isInteger(value) ? "integer" : typeof value
}

const isOfType = (value: unknown, types: string | ReadonlyArray<string>): boolean =>
  [types].flat().some((type) => typeOf(value) === type || (type === "number" && typeOf(value) === "integer"))

const first = (lists: ReadonlyArray<ReadonlyArray<string>>): ReadonlyArray<string> =>
  lists.toSorted((left, right) => left.length - right.length)[0] ?? []

/** Differences of an answer from its schema, with undocumented fields among them. One line each, with the place. */
export class Conformance {
  readonly #shapes: Shapes

  constructor(shapes: Shapes) {
    this.#shapes = shapes
  }

  problems(value: unknown, shape: Shape, place = "the body"): ReadonlyArray<string> {
    if (shape.$ref !== undefined) return this.problems(value, this.#shapes[nameOf(shape.$ref)] ?? {}, place)
    return [
      ...(shape.allOf ?? []).flatMap((one) => this.problems(value, one, place)),
      ...this.#alternatives(value, shape, place),
      ...this.#leaf(value, shape, place),
      ...(Array.isArray(value) ? this.#array(value, shape, place) : []),
      ...(isRecord(value) ? this.#object(value, shape, place) : [])
    ]
  }

  #alternatives(value: unknown, { anyOf, discriminator, oneOf }: Shape, place: string): ReadonlyArray<string> {
    const all = [...(anyOf ?? []), ...(oneOf ?? [])]
    if (all.length === 0) return []
    const tag = discriminator !== undefined && isRecord(value)
      ? discriminator.mapping[String(value[discriminator.propertyName])]
      : undefined
    return tag === undefined ? first(all.map((one) => this.problems(value, one, place))) : this.problems(value, { $ref: tag }, place)
  }

  #leaf(value: unknown, shape: Shape, place: string): ReadonlyArray<string> {
    const wrong: Array<string> = []
    if (shape.type !== undefined && !isOfType(value, shape.type)) wrong.push(`${place} is ${typeOf(value)}, not ${String(shape.type)}`)
    if (shape.enum !== undefined && !shape.enum.includes(value)) wrong.push(`${place} is ${JSON.stringify(value)}, which is not listed`)
    if (typeof value === "string" && shape.pattern !== undefined && !new RegExp(shape.pattern, "u").test(value)) {
      wrong.push(`${place} is ${JSON.stringify(value)}, not ${shape.pattern}`)
    }
    if (typeof value === "number" && (value < (shape.minimum ?? -Infinity) || value > (shape.maximum ?? Infinity))) {
      wrong.push(`${place} is ${value}, out of its bounds`)
    }
    return wrong
  }

  #array(value: ReadonlyArray<unknown>, { items, maxItems = Infinity, minItems = 0 }: Shape, place: string): ReadonlyArray<string> {
    const count = value.length < minItems || value.length > maxItems ? [`${place} has ${value.length} entries`] : []
    return [...count, ...(items === undefined ? [] : value.flatMap((one, at) => this.problems(one, items, `${place}[${at}]`)))]
  }

  #object(value: Readonly<Record<string, unknown>>, shape: Shape, place: string): ReadonlyArray<string> {
    const { additionalProperties, properties, required = [] } = shape
    const missing = required.filter((name) => !(name in value)).map((name) => `${place} has no ${name}`)
    if (properties === undefined && typeof additionalProperties !== "object") return missing
    const wrong = Object.entries(value).flatMap(([name, one]) => {
      const known = properties?.[name]
      if (known !== undefined) return this.problems(one, known, `${place}.${name}`)
      if (typeof additionalProperties === "object") return this.problems(one, additionalProperties, `${place}.${name}`)
      return additionalProperties === true ? [] : [`${place}.${name} is not documented`]
    })
    return [...missing, ...wrong]
  }
}
