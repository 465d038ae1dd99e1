/** One arm of a union: a named value, or nothing. */
type Arm = Shape | { readonly name: string; readonly schema: Shape }

/** What a schema of the SDK shows of itself: enough to find where a value ends without making anything of it. */
interface Shape {
  readonly kind: string
  /** Of a struct: its fields, in order. */
  readonly entries?: ReadonlyArray<readonly [name: string, schema: Shape]>
  /** Of lists and options. */
  readonly element?: Shape
  /** Of opaque bytes and of lists that are always as long. */
  readonly length?: number
  /** Of what tells its length itself. */
  readonly maxLength?: number
  /** Of what holds itself. */
  readonly getSchema?: () => Shape
  /** Of an enum. */
  readonly nameByValue?: ReadonlyMap<number, string>
  /** Of a union. */
  readonly cases?: ReadonlyArray<{ readonly discriminant: number; readonly arm: Arm }>
}

/** A class of the SDK whose values have XDR. */
export interface XdrClass {
  readonly schema: { readonly kind: string }
}

/** Where a value stands in some bytes: its first byte, and the one behind it. */
export interface Part {
  readonly from: number
  readonly to: number
}

/** Where a value that begins at a byte ends. Throws `RangeError` where none begins there. */
type Walk = (bytes: Buffer, from: number) => number

const none = (what: string): never => {
  throw new RangeError(`no XDR: ${what}`)
}

const skipped = (bytes: Buffer, from: number, count: number): number => {
  const to = from + count
  const padded = to + (-count & 3)
  if (padded > bytes.length) none("it ends too early")
  for (let at = to; at < padded; at++) if (bytes[at] !== 0) none("what fills up is not zero")
  return padded
}

const counted = (bytes: Buffer, from: number, most: number): number => {
  const count = bytes.readUInt32BE(from)
  return count > most || count > bytes.length - from ? none("it is too long") : count
}

const isNamed = (arm: Arm): arm is { readonly name: string; readonly schema: Shape } => "schema" in arm

const shapeOf = (arm: Arm): Shape => (isNamed(arm) ? arm.schema : arm)

const walks = new WeakMap<Shape, Walk>()

const walkOf = (shape: Shape): Walk => {
  const known = walks.get(shape)
  if (known !== undefined) return known
  const made = walkAlong(shape)
  walks.set(shape, made)
  return made
}

const valuesOf =
  (values: ReadonlySet<number>): Walk => (bytes, from) => (values.has(bytes.readInt32BE(from)) ? from + 4 : none("no such value"))

const repeated = (element: Walk, countOf: (bytes: Buffer, from: number) => number, before: number): Walk => (bytes, from) => {
  let [at, left] = [from + before, countOf(bytes, from)]
  for (; left > 0; left--) at = element(bytes, at)
  return at
}

const fieldsOf = (fields: ReadonlyArray<Walk>): Walk => (bytes, from) => {
  let at = from
  for (const field of fields) at = field(bytes, at)
  return at
}

const armsOf = (arms: ReadonlyMap<number, Walk>): Walk => (bytes, from) =>
  (arms.get(bytes.readInt32BE(from)) ?? none("no such case"))(bytes, from + 4)

const skipping = (count: number): Walk => (bytes, from) => skipped(bytes, from, count)

const elementOf = ({ element, kind }: Shape): Walk => walkOf(element ?? none(kind))

/** Of what tells its own length, at most that many. */
const countUpTo = (most: number) => (bytes: Buffer, from: number): number => counted(bytes, from, most)

const bytesUpTo = (most: number): Walk => (bytes, from) => skipped(bytes, from + 4, counted(bytes, from, most))

/** How a value of each kind is walked along. */
const makers: ReadonlyMap<string, (shape: Shape) => Walk> = new Map<string, (shape: Shape) => Walk>([
  ["void", () => (_, from) => from],
  ["int32", () => skipping(4)],
  ["uint32", () => skipping(4)],
  ["float", () => skipping(4)],
  ["int64", () => skipping(8)],
  ["uint64", () => skipping(8)],
  ["double", () => skipping(8)],
  ["bool", () => valuesOf(new Set([0, 1]))],
  ["enum", ({ nameByValue }) => valuesOf(new Set(nameByValue?.keys()))],
  ["opaque", ({ length = 0 }) => skipping(length)],
  ["string", ({ maxLength = 0 }) => bytesUpTo(maxLength)],
  ["varOpaque", ({ maxLength = 0 }) => bytesUpTo(maxLength)],
  ["struct", ({ entries = [] }) => fieldsOf(entries.map(([, field]) => walkOf(field)))],
  ["union", ({ cases = [] }) => armsOf(new Map(cases.map(({ arm, discriminant }) => [discriminant, walkOf(shapeOf(arm))] as const)))],
  ["lazy", ({ getSchema = none("lazy") }) => (bytes, from) => walkOf(getSchema())(bytes, from)],
  ["option", (shape) => repeated(elementOf(shape), countUpTo(1), 4)],
  ["array", (shape) => repeated(elementOf(shape), countUpTo(shape.maxLength ?? 0), 4)],
  ["fixedArray", (shape) => repeated(elementOf(shape), () => shape.length ?? 0, 0)]
])

const walkAlong = (shape: Shape): Walk => (makers.get(shape.kind) ?? none(shape.kind))(shape)

/** Schemas are opaque to TypeScript; what they show at run time is what the SDK's own JSON walker goes by. */
const schemaOf = ({ schema }: XdrClass): Shape => schema as Shape

/** Whether some bytes are one value of a class, whole, and nothing behind it. */
export const isWhole = (type: XdrClass, bytes: Buffer): boolean => {
  try {
    return walkOf(schemaOf(type))(bytes, 0) === bytes.length
  } catch {
    return false
  }
}

/** One step into a value: to a field of a struct, or into the arm of that name; null where a union has another. */
const stepInto = (shape: Shape, name: string, bytes: Buffer, from: number): { readonly shape: Shape; readonly at: number } | null => {
  if (shape.kind === "union") {
    const found = shape.cases?.find(({ discriminant }) => discriminant === bytes.readInt32BE(from))?.arm
    return found !== undefined && isNamed(found) && found.name === name ? { shape: found.schema, at: from + 4 } : null
  }
  let at = from
  for (const [field, schema] of shape.entries ?? []) {
    if (field === name) return { shape: schema, at }
    at = walkOf(schema)(bytes, at)
  }
  return none(`no field ${name}`)
}

/**
 * Where a value within another begins: by the names of fields, and of the arms of unions, that lead to it. Null where a union on the way
 * has another arm. What begins at `from` is whole.
 */
export const beginningOf = (type: XdrClass, path: ReadonlyArray<string>, bytes: Buffer, from = 0): number | null => {
  let [shape, at] = [schemaOf(type), from]
  for (const name of path) {
    const next = stepInto(shape, name, bytes, at)
    if (next === null) return null
    shape = next.shape
    at = next.at
  }
  return at
}

/** The elements of a list that begins at a byte. */
export const elementsAt = (element: XdrClass, bytes: Buffer, from: number): ReadonlyArray<Part> => {
  const walk = walkOf(schemaOf(element))
  const parts: Array<Part> = []
  for (let [at, left] = [from + 4, bytes.readUInt32BE(from)]; left > 0; left--) {
    const to = walk(bytes, at)
    parts.push({ from: at, to })
    at = to
  }
  return parts
}
