import { xdr } from "@stellar/stellar-sdk"
import { objectMemo } from "../../fibers/ObjectMemo.ts"

/** One arm of a union: a named value, or nothing. */
type Arm = Shape | { readonly name: string; readonly schema: Shape }

/** What a schema of the SDK shows of itself: enough to find where a value ends without making anything of it. */
export interface Shape {
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

/** Where a value that begins at a byte ends. Throws `RangeError` where none begins there. */
export type Walk = (bytes: Buffer, from: number) => number

/** A union or enum has a case that the SDK does not know, and that a newer protocol may have. */
export class UnknownArm extends RangeError {}

/** Cases are counted from zero, so a new one is near it; anything else is no XDR. */
const mostCases = 256

/** Whether a new case may be negative: result codes are counted downwards too, from -1. */
const countsDown = (known: ReadonlyArray<unknown>): boolean => known[-1] !== undefined

const unknownArm = (value: number, known: ReadonlyArray<unknown>): never => {
  if (Math.abs(value) < mostCases && (value >= 0 || countsDown(known))) throw new UnknownArm("XDR of a newer protocol: no such case")
  return none("no such case")
}

export const none = (what: string): never => {
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

export const isNamed = (arm: Arm): arm is { readonly name: string; readonly schema: Shape } => "schema" in arm

export const shapeOf = (arm: Arm): Shape => (isNamed(arm) ? arm.schema : arm)

export const walkOf: (shape: Shape) => Walk = objectMemo((shape) => walkAlong(shape))

/** Looked up by small numbers, which an array does faster than a map. */
export const table = <A>(pairs: Iterable<readonly [at: number, value: A]>): ReadonlyArray<A | undefined> => {
  const found: Array<A | undefined> = []
  for (const [at, value] of pairs) found[at] = value
  return found
}

const valuesOf = (values: Iterable<number>): Walk => {
  const known = table(Array.from(values, (value) => [value, true] as const))
  return (bytes, from) => (known[bytes.readInt32BE(from)] === true ? from + 4 : unknownArm(bytes.readInt32BE(from), known))
}

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

const armsOf = (arms: Iterable<readonly [number, Walk]>): Walk => {
  const known = table(arms)
  return (bytes, from) => (known[bytes.readInt32BE(from)] ?? unknownArm(bytes.readInt32BE(from), known))(bytes, from + 4)
}

const skipping = (count: number): Walk =>
  count % 4 === 0
    ? (bytes, from) => (from + count > bytes.length ? none("it ends too early") : from + count)
    : (bytes, from) => skipped(bytes, from, count)

/** What holds itself can be made out only when it is met. */
const later = (getSchema: () => Shape): Walk => {
  let walk: Walk | null = null
  return (bytes, from) => (walk ??= walkOf(getSchema()))(bytes, from)
}

const elementOf = ({ element, kind }: Shape): Walk => walkOf(element ?? none(kind))

/** Of what tells its own length, at most that many. */
const countUpTo = (most: number) => (bytes: Buffer, from: number): number => counted(bytes, from, most)

const bytesUpTo = (most: number): Walk => (bytes, from) => skipped(bytes, from + 4, counted(bytes, from, most))

/** The arm of `SCAddress` for an address of a contract with an id (CAP-84, protocol 30), which the SDK does not know: 8 bytes of id, then 32 of contract. */
export const muxedContract = { arm: 5, id: 8, contract: 32 } as const

const isAddress = (shape: Shape): boolean => shape === schemaOf(xdr.ScAddress)

/** Where the addresses of contracts with an id stand in bytes that are walked along on behalf of someone who wants to know. */
const found = new WeakMap<Buffer, Array<number>>()

const muxedContractWalk: Walk = (bytes, from) => {
  found.get(bytes)?.push(from - 4)
  return skipping(muxedContract.id + muxedContract.contract)(bytes, from)
}

/** The first byte of each address of a contract with an id in the XDR of a class; null where those bytes are not such XDR, whole. */
export const muxedContractsIn = (type: XdrClass, bytes: Buffer): ReadonlyArray<number> | null => {
  const places: Array<number> = []
  found.set(bytes, places)
  try {
    return walkOf(schemaOf(type))(bytes, 0) === bytes.length ? places : null
  } catch {
    return null
  } finally {
    found.delete(bytes)
  }
}

/** Whether it is for a case of a union or enum that is newer than the SDK that bytes are no XDR of a class. */
export const hasUnknownArm = (type: XdrClass, bytes: Buffer): boolean => {
  try {
    walkOf(schemaOf(type))(bytes, 0)
    return false
  } catch (cause) {
    return cause instanceof UnknownArm
  }
}

/** How a value of each kind is walked along. */
const makers: ReadonlyMap<string, (shape: Shape) => Walk> = new Map<string, (shape: Shape) => Walk>([
  ["void", () => (_, from) => from],
  ["int32", () => skipping(4)],
  ["uint32", () => skipping(4)],
  ["float", () => skipping(4)],
  ["int64", () => skipping(8)],
  ["uint64", () => skipping(8)],
  ["double", () => skipping(8)],
  ["bool", () => valuesOf([0, 1])],
  ["enum", ({ nameByValue }) => valuesOf(nameByValue?.keys() ?? [])],
  ["opaque", ({ length = 0 }) => skipping(length)],
  ["string", ({ maxLength = 0 }) => bytesUpTo(maxLength)],
  ["varOpaque", ({ maxLength = 0 }) => bytesUpTo(maxLength)],
  ["struct", ({ entries = [] }) => fieldsOf(entries.map(([, field]) => walkOf(field)))],
  ["union", (shape) => {
    const known = (shape.cases ?? []).map(({ arm, discriminant }) => [discriminant, walkOf(shapeOf(arm))] as const)
    return armsOf(isAddress(shape) ? [...known, [muxedContract.arm, muxedContractWalk]] : known)
  }],
  ["lazy", ({ getSchema = none("lazy") }) => later(getSchema)],
  ["option", (shape) => repeated(elementOf(shape), countUpTo(1), 4)],
  ["array", (shape) => repeated(elementOf(shape), countUpTo(shape.maxLength ?? 0), 4)],
  ["fixedArray", (shape) => repeated(elementOf(shape), () => shape.length ?? 0, 0)]
])

const walkAlong = (shape: Shape): Walk => (makers.get(shape.kind) ?? none(shape.kind))(shape)

/** Schemas are opaque to TypeScript; what they show at run time is what the SDK's own JSON walker goes by. */
export const schemaOf = ({ schema }: XdrClass): Shape => schema as Shape

/** Whether some bytes are one value of a class, whole, and nothing behind it. */
export const isWhole = (type: XdrClass, bytes: Buffer): boolean => {
  try {
    return walkOf(schemaOf(type))(bytes, 0) === bytes.length
  } catch {
    return false
  }
}
