import { isNamed, none, schemaOf, type Shape, shapeOf, table, type Walk, walkOf, type XdrClass } from "./XdrWalk.ts"

/** Where a value stands in some bytes: its first byte, and the one behind it. */
export interface Part {
  readonly from: number
  readonly to: number
}

/** Names of fields, and of the arms of unions, that lead into a value. */
export type Path = ReadonlyArray<string>

/** What stands at each place: the elements of a list, of anything else the one part it is. Null where a union on the way has another arm. */
export type Places<Name extends string> = Record<Name, ReadonlyArray<Part> | null>

/** A walk that notes what stands at its places, by their numbers. */
type Noting = (bytes: Buffer, from: number, noted: Array<ReadonlyArray<Part> | null>) => number

interface Place {
  readonly at: number
  readonly path: Path
}

const notingElements = (element: Walk, at: number): Noting => (bytes, from, noted) => {
  const parts: Array<Part> = []
  let next = from + 4
  for (let left = bytes.readUInt32BE(from); left > 0; left--) {
    const to = element(bytes, next)
    parts.push({ from: next, to })
    next = to
  }
  noted[at] = parts
  return next
}

const notingWhole = (walk: Walk, at: number): Noting => (bytes, from, noted) => {
  const to = walk(bytes, from)
  noted[at] = [{ from, to }]
  return to
}

const noting = (shape: Shape, places: ReadonlyArray<Place>): Noting => {
  const walk = walkOf(shape)
  if (places.length === 0) return walk
  const here = places.find(({ path }) => path.length === 0)
  if (here !== undefined) {
    if (shape.kind !== "array" || shape.element === undefined) return notingWhole(walk, here.at)
    const [whole, elements] = [shape.maxLength ?? 0, notingElements(walkOf(shape.element), here.at)]
    return (bytes, from, noted) => (bytes.readUInt32BE(from) > whole ? none("it is too long") : elements(bytes, from, noted))
  }
  const within = (name: string) => places.filter(({ path }) => path[0] === name).map(({ at, path }) => ({ at, path: path.slice(1) }))
  if (shape.kind === "struct") {
    const fields = (shape.entries ?? []).map(([name, field]) => noting(field, within(name)))
    return (bytes, from, noted) => fields.reduce((at, field) => field(bytes, at, noted), from)
  }
  if (shape.kind !== "union") return none(`nothing is within a value of kind ${shape.kind}`)
  const arms = table(
    (shape.cases ?? []).map(({ arm, discriminant }) => [discriminant, noting(shapeOf(arm), isNamed(arm) ? within(arm.name) : [])] as const)
  )
  return (bytes, from, noted) => (arms[bytes.readInt32BE(from)] ?? none("no such case"))(bytes, from + 4, noted)
}

/**
 * Finds places within values of a class on one walk from end to end, each by the first of its paths that is there. What it makes is null
 * for bytes that are not one value, whole, with nothing behind it.
 */
export const placesIn = <Name extends string>(type: XdrClass, paths: Readonly<Record<Name, ReadonlyArray<Path>>>) => {
  const names = Object.keys(paths) as Array<Name>
  const walk = noting(schemaOf(type), names.flatMap((name, at) => paths[name].map((path) => ({ at, path }))))
  return (bytes: Buffer): Places<Name> | null => {
    const noted: Array<ReadonlyArray<Part> | null> = names.map(() => null)
    try {
      if (walk(bytes, 0, noted) !== bytes.length) return null
    } catch {
      return null
    }
    return Object.fromEntries(names.map((name, at) => [name, noted[at] ?? null])) as Places<Name>
  }
}
