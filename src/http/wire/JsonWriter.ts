import { Either, Option, Schema, SchemaAST } from "effect"
import { Amount, largestAmount, showAmount } from "../../domain/Amount.ts"

/** Writes a value as its schema has it on the wire, as JSON text; nothing where it cannot tell that the schema takes the value. */
type Write = (value: unknown) => string | undefined

const fields = (value: object): Readonly<Record<PropertyKey, unknown>> => value as Readonly<Record<PropertyKey, unknown>>

/** What has no shape that is written here is left to the schema. */
const bySchema = (ast: SchemaAST.AST): Write => {
  const encode = Schema.encodeUnknownEither(Schema.make<unknown, unknown>(ast))
  return (value) => Either.getOrUndefined(Either.map(encode(value), (encoded) => JSON.stringify(encoded)))
}

const ofType = (type: "string" | "boolean"): Write => (value) => (typeof value === type ? JSON.stringify(value) : undefined)

const ofNumber: Write = (value) => (Number.isFinite(value) ? JSON.stringify(value) : undefined)

const ofLiteral = ({ literal }: SchemaAST.Literal): Write => {
  const text = typeof literal === "bigint" ? undefined : JSON.stringify(literal)
  return (value) => (value === literal ? text : undefined)
}

/** The step that every amount takes, whatever its annotations. */
const amount = SchemaAST.isTransformation(Amount.ast) ? Amount.ast.transformation : null

const ofTransformation = (ast: SchemaAST.Transformation): Write => {
  if (ast.transformation !== amount) return bySchema(ast)
  return (value) => (typeof value === "bigint" && value >= 0n && value <= largestAmount ? `"${showAmount(value)}"` : undefined)
}

const ofRefinement = (ast: SchemaAST.Refinement): Write => {
  const write = writerOf(ast.from)
  return (value) => {
    const text = write(value)
    return text !== undefined && Option.isNone(ast.filter(value, {}, ast)) ? text : undefined
  }
}

const ofList = (item: SchemaAST.AST): Write => {
  const write = writerOf(item)
  return (value) => {
    if (!Array.isArray(value)) return undefined
    const texts: Array<string> = []
    for (const one of value) {
      const text = write(one)
      if (text === undefined) return undefined
      texts.push(text)
    }
    return `[${texts.join(",")}]`
  }
}

const ofStruct = ({ propertySignatures }: SchemaAST.TypeLiteral): Write => {
  const properties = propertySignatures.map(({ isOptional, name, type }) => ({
    name,
    isOptional,
    label: `${JSON.stringify(String(name))}:`,
    write: writerOf(type)
  }))
  return (value) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined
    const texts: Array<string> = []
    for (const { isOptional, label, name, write } of properties) {
      if (isOptional && !Object.hasOwn(value, name)) continue
      const text = write(fields(value)[name])
      if (text === undefined) return undefined
      texts.push(label + text)
    }
    return `{${texts.join(",")}}`
  }
}

/** Whether what it takes is text, number, boolean or null, which go on the wire as they are. */
const isPlain = (ast: SchemaAST.AST): boolean => {
  switch (ast._tag) {
    case "StringKeyword":
    case "NumberKeyword":
    case "BooleanKeyword":
    case "Literal":
      return true
    case "Refinement":
      return isPlain(ast.from)
    case "Union":
      return ast.types.every(isPlain)
    default:
      return false
  }
}

/** Numbers for names would be told first, whatever their place; and a struct of no fields takes anything. */
const isStruct = (ast: SchemaAST.AST): ast is SchemaAST.TypeLiteral =>
  SchemaAST.isTypeLiteral(ast) && ast.indexSignatures.length === 0 && ast.propertySignatures.length > 0 &&
  ast.propertySignatures.every(({ name }) => !/^[0-9]+$/.test(String(name)))

const listed = (ast: SchemaAST.AST): SchemaAST.AST | undefined =>
  SchemaAST.isTupleType(ast) && ast.elements.length === 0 && ast.rest.length === 1 ? ast.rest[0]?.type : undefined

/** Of shapes among which a value could fit several, the schema chooses. */
const ofUnion = (ast: SchemaAST.Union): Write => {
  const shapes = ast.types.filter((type) => !isPlain(type))
  if (shapes.length > 1 || !shapes.every((type) => isStruct(type) || listed(type) !== undefined)) return bySchema(ast)
  const writers = ast.types.map(writerOf)
  return (value) => {
    for (const write of writers) {
      const text = write(value)
      if (text !== undefined) return text
    }
    return undefined
  }
}

const made = (ast: SchemaAST.AST): Write => {
  const item = listed(ast)
  if (item !== undefined) return ofList(item)
  if (isStruct(ast)) return ofStruct(ast)
  switch (ast._tag) {
    case "StringKeyword":
      return ofType("string")
    case "BooleanKeyword":
      return ofType("boolean")
    case "NumberKeyword":
      return ofNumber
    case "Literal":
      return ofLiteral(ast)
    case "Refinement":
      return ofRefinement(ast)
    case "Transformation":
      return ofTransformation(ast)
    case "Union":
      return ofUnion(ast)
    default:
      return bySchema(ast)
  }
}

const writers = new WeakMap<SchemaAST.AST, Write>()

/**
 * How values of a schema are written: what `JSON.stringify` makes of what the schema encodes them to, checked as the schema checks them, and
 * without the objects in between, which take most of the time of a large answer. The writer of a shape is made once.
 */
export const writerOf = (ast: SchemaAST.AST): Write => {
  const known = writers.get(ast)
  if (known !== undefined) return known
  const write = made(ast)
  writers.set(ast, write)
  return write
}
