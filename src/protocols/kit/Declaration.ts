import type { contract as sdk, xdr } from "@stellar/stellar-sdk"
import { objectMemo } from "../../fibers/ObjectMemo.ts"

/** A type as declarations spell it: `vec<u128>`, `bytesN<32>`, the name of a type of the contract's own. */
const typeText = (type: xdr.ScSpecTypeDef): string => {
  switch (type.type) {
    case "scSpecTypeVec":
      return `vec<${typeText(type.vec.elementType)}>`
    case "scSpecTypeOption":
      return `option<${typeText(type.option.valueType)}>`
    case "scSpecTypeMap":
      return `map<${typeText(type.map.keyType)},${typeText(type.map.valueType)}>`
    case "scSpecTypeTuple":
      return `tuple<${type.tuple.valueTypes.map(typeText).join(",")}>`
    case "scSpecTypeResult":
      return `result<${typeText(type.result.okType)},${typeText(type.result.errorType)}>`
    case "scSpecTypeBytesN":
      return `bytesN<${type.bytesN.n}>`
    case "scSpecTypeUdt":
      return type.udt.name.toString()
    default:
      return type.type.slice("scSpecType".length).toLowerCase()
  }
}

const caseText = (one: xdr.ScSpecUdtUnionCaseV0): string =>
  one.type === "scSpecUdtUnionCaseVoidV0"
    ? one.voidCase.name.toString()
    : `${one.tupleCase.name.toString()}(${one.tupleCase.type.map(typeText).join(",")})`

const entryText = (entry: xdr.ScSpecEntry): string | null => {
  switch (entry.type) {
    case "scSpecEntryFunctionV0":
      return `${entry.functionV0.name.toString()}(${entry.functionV0.inputs.map(({ type }) => typeText(type)).join(",")})`
    case "scSpecEntryUdtStructV0": {
      const { fields, name } = entry.udtStructV0
      return `struct ${name.toString()}{${fields.map((field) => `${field.name.toString()}:${typeText(field.type)}`).join(",")}}`
    }
    case "scSpecEntryUdtUnionV0":
      return `union ${entry.udtUnionV0.name.toString()}{${entry.udtUnionV0.cases.map(caseText).join(",")}}`
    case "scSpecEntryUdtEnumV0":
      return `enum ${entry.udtEnumV0.name.toString()}{${
        entry.udtEnumV0.cases.map(({ name, value }) => `${name.toString()}=${value}`).join(",")
      }}`
    default:
      return null
  }
}

/**
 * What the code of a contract declares, one text for each function and type, with exactly its arguments or fields in their order:
 * `withdraw(address,u128,vec<u128>)`, `struct Position{tick_lower:i32,tick_upper:i32}`, `union Key{Balance(address)}`, `enum Kind{A=0}`.
 */
export const declarations: (spec: Pick<sdk.Spec, "entries">) => ReadonlySet<string> = objectMemo(({ entries }) =>
  new Set(entries.flatMap((entry) => entryText(entry) ?? []))
)

/** Code that is not listed counts as of this kind where it declares all of this. */
export interface DeclaredKind<Kind extends string> {
  readonly kind: Kind
  /** As `declarations` spells it; never empty. */
  readonly declares: readonly [string, ...ReadonlyArray<string>]
}

/** The first kind of which code declares everything; null: it is none of them. */
export const kindDeclared = <Kind extends string>(
  spec: Pick<sdk.Spec, "entries">,
  kinds: ReadonlyArray<DeclaredKind<Kind>>
): Kind | null => {
  const declared = declarations(spec)
  return kinds.find(({ declares }) => declares.every((one) => declared.has(one)))?.kind ?? null
}
