/** A schema of the document. */
export type Shape = Readonly<Record<string, unknown>>

/** The shared schemas of the document, by name. */
export type Shapes = Readonly<Record<string, Shape>>

const isShape = (value: unknown): value is Shape => typeof value === "object" && value !== null && !Array.isArray(value)

const listOf = (value: unknown): ReadonlyArray<Shape> => Array.isArray(value) ? value.filter(isShape) : []

const schemaPrefix = "#/components/schemas/"

/** A reference to a shared schema. */
export const refTo = (name: string) => ({ $ref: `${schemaPrefix}${name}` })

/** The name of the shared schema that is referred to, or nothing. */
export const nameOf = (schema: object): string =>
  "$ref" in schema && typeof schema.$ref === "string" ? schema.$ref.slice(schemaPrefix.length) : ""

/** The alternatives of a schema. */
export const choicesOf = (schema: Shape): ReadonlyArray<Shape> => "anyOf" in schema ? listOf(schema["anyOf"]) : [schema]

/** A property of one value says so where it says nothing else. */
const described = (property: unknown): unknown => {
  if (!isShape(property) || "description" in property) return property
  const values = property["enum"]
  return Array.isArray(values) && values.length === 1 ? { ...property, description: `Always \`${values[0]}\`.` } : property
}

/** What the document leaves out: answers may gain fields and unknown fields are ignored, so no object is closed; a map has no fields. */
const isNoise = (key: string, value: unknown, schema: object): boolean =>
  key === "additionalProperties" && value === false ||
  isShape(schema) && isShape(schema["additionalProperties"]) &&
    (key === "required" && Array.isArray(value) && value.length === 0 ||
      key === "properties" && isShape(value) && Object.keys(value).length === 0)

/** A part of the document without what generators stumble over. */
export const opened = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(opened)
  if (!isShape(value)) return value
  return Object.fromEntries(
    Object.entries(value).filter(([key, inner]) => !isNoise(key, inner, value)).map(([key, inner]) => [
      key,
      key === "properties" && isShape(inner)
        ? Object.fromEntries(Object.entries(inner).map(([name, property]) => [name, described(opened(property))]))
        : opened(inner)
    ])
  )
}

/** Properties that tell the alternatives of a union apart; the first that fits is used. */
const discriminators = ["kind", "type", "positionType", "protocol", "code"]

/** The values of a property that a schema allows, over all its alternatives; none where it is any text. */
const valuesOf = (schemas: Shapes, name: string, property: string): ReadonlyArray<string> => {
  const schema = schemas[name] ?? {}
  const alternatives = listOf(schema["oneOf"] ?? schema["anyOf"])
  if (alternatives.length > 0) return [...new Set(alternatives.flatMap((one) => valuesOf(schemas, nameOf(one), property)))]
  const properties = isShape(schema["properties"]) ? schema["properties"] : {}
  const found = properties[property]
  return isShape(found) && Array.isArray(found["enum"]) ? found["enum"].map(String) : []
}

/** The alternatives by the value of a property that only one of each has; null where it does not tell them apart. */
const mappingBy = (schemas: Shapes, names: ReadonlyArray<string>, property: string) => {
  const pairs = names.flatMap((name) => valuesOf(schemas, name, property).map((value) => [value, `${schemaPrefix}${name}`] as const))
  const isWhole = names.every((name) => valuesOf(schemas, name, property).length > 0)
  return isWhole && new Map(pairs).size === pairs.length ? Object.fromEntries(pairs) : null
}

/** A union of named objects with the property that tells them apart. */
export const unionOf = (schemas: Shapes, names: ReadonlyArray<string>): Shape => {
  const oneOf = names.map(refTo)
  for (const propertyName of discriminators) {
    const mapping = mappingBy(schemas, names, propertyName)
    if (mapping !== null) return { oneOf, discriminator: { propertyName, mapping } }
  }
  return { anyOf: oneOf }
}

/** A shared schema whose alternatives are all named becomes a union that says how to tell them apart. */
const discriminated = (schemas: Shapes, schema: Shape): Shape => {
  const names = listOf(schema["anyOf"]).map(nameOf)
  if (names.length < 2 || names.includes("")) return schema
  const { anyOf: _, ...rest } = schema
  return { ...rest, ...unionOf(schemas, names) }
}

/** The shared schemas with a discriminator in every union. */
export const withDiscriminators = (schemas: Shapes): Shapes =>
  Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, discriminated(schemas, schema)]))

/** The names of the shared schemas that a part of the document refers to, those that they refer to included. */
export const reached = (part: unknown, schemas: Shapes, known: Set<string> = new Set()): ReadonlySet<string> => {
  if (Array.isArray(part)) { for (const inner of part) reached(inner, schemas, known) }
  if (!isShape(part)) return known
  const name = nameOf(part)
  if (name in schemas && !known.has(name)) reached(schemas[name], schemas, known.add(name))
  for (const inner of Object.values(part)) reached(inner, schemas, known)
  return known
}
