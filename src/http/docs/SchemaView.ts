import { choicesOf, nameOf, type Shape } from "../../api/DocumentSchemas.ts"
import { escaped, line } from "../page/Html.ts"

const isShape = (value: unknown): value is Shape => typeof value === "object" && value !== null && !Array.isArray(value)

const shapesIn = (value: unknown): ReadonlyArray<Shape> => (Array.isArray(value) ? value.filter(isShape) : [])

/** The anchor of a shared schema. */
export const schemaAnchor = (name: string): string => `schema-${name}`

const linkTo = (name: string): string => `<a href="#${schemaAnchor(name)}">${escaped(name)}</a>`

/** A schema without the wrapper that carries only a description. */
const unwrapped = (shape: Shape): Shape => {
  const [only, ...others] = shapesIn(shape["allOf"])
  return only === undefined || others.length > 0 ? shape : { ...shape, ...only }
}

const alternativesOf = (shape: Shape): ReadonlyArray<Shape> => "oneOf" in shape ? shapesIn(shape["oneOf"]) : choicesOf(shape)

const rangeOf = ({ maximum, minimum }: Shape): string => {
  if (minimum === undefined && maximum === undefined) return ""
  if (maximum === undefined) return ` from ${String(minimum)}`
  return minimum === undefined ? ` up to ${String(maximum)}` : ` from ${String(minimum)} to ${String(maximum)}`
}

const valuesOf = (shape: Shape): ReadonlyArray<unknown> => (Array.isArray(shape["enum"]) ? shape["enum"] : [])

/** The type of a value in words, with links to shared schemas. */
export const typeOf = (given: Shape): string => {
  const shape = unwrapped(given)
  const name = nameOf(shape)
  if (name !== "") return linkTo(name)
  if ("anyOf" in shape || "oneOf" in shape) return alternativesOf(shape).map(typeOf).join(" or ")
  const values = valuesOf(shape)
  if (values.length > 0) return values.map((value) => `<code>${escaped(String(value))}</code>`).join(" ")
  if (isShape(shape["items"])) return `list of ${typeOf(shape["items"])}`
  if (isShape(shape["additionalProperties"])) return `object with values of ${typeOf(shape["additionalProperties"])}`
  return `${escaped(String(shape["type"] ?? "any JSON"))}${rangeOf(shape)}`
}

/** The object whose fields are shown below a field: the value itself, or each item of a list. */
const innerOf = (given: Shape): ReadonlyArray<Shape> => {
  const shape = unwrapped(given)
  if (nameOf(shape) !== "") return []
  if (isShape(shape["items"])) return innerOf(shape["items"])
  return "anyOf" in shape || "oneOf" in shape ? alternativesOf(shape).flatMap(innerOf) : [shape]
}

const descriptionOf = ({ description }: Shape): string => (typeof description === "string" ? line(description) : "")

const fieldOf = (name: string, shape: Shape, isRequired: boolean): string =>
  `<dt><code>${escaped(name)}</code> <span class="type">${typeOf(shape)}</span>${
    isRequired ? "" : " <span class=\"need\">optional</span>"
  }</dt>` +
  `<dd>${descriptionOf(shape)}${innerOf(shape).map((inner) => fieldsOf(inner)).join("")}</dd>`

/** The fields of an object as a list of definitions; nothing where it has none. */
export const fieldsOf = (given: Shape, id?: string): string => {
  const shape = unwrapped(given)
  const properties = isShape(shape["properties"]) ? Object.entries(shape["properties"]) : []
  if (properties.length === 0) return ""
  const required = new Set(Array.isArray(shape["required"]) ? shape["required"] : [])
  const fields = properties.map(([name, property]) => fieldOf(name, isShape(property) ? property : {}, required.has(name)))
  return `<dl${id === undefined ? "" : ` id="${id}"`}>${fields.join("")}</dl>`
}

/** A shared schema with its description and fields, folded. */
export const schemaView = (name: string, shape: Shape): string => {
  const id = schemaAnchor(name)
  const fields = fieldsOf(shape, id)
  const body = fields === "" ? `<p id="${id}">${typeOf(shape)}</p>` : fields
  return `<details><summary>${escaped(name)}</summary><p>${descriptionOf(shape)}</p>${body}</details>`
}
