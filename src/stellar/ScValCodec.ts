import { scValToBigInt } from "@stellar/stellar-sdk"
import * as xdr from "@stellar/stellar-sdk/xdr"
import { Either, Schema } from "effect"
import { AccountAddress, ContractAddress } from "../domain/Address.ts"
import { xdrBase64 } from "../xdr/XdrBytes.ts"
import { addressValue, nameOfAddress } from "./ScAddresses.ts"

/** What an enum key of a contract's data names, such as the holder in `Balance(holder)`; null for any other key. */
export const variantIn = (key: xdr.ScVal, variant: string): xdr.ScVal | null => {
  const [name, named, ...more] = key.type === "scvVec" ? key.vec ?? [] : []
  return name?.type === "scvSymbol" && name.sym.toString() === variant && named !== undefined && more.length === 0 ? named : null
}

/** A contract value is not of the expected shape: where in it, and what was expected. Never the value itself. */
export interface ScValMisfit {
  readonly path: ReadonlyArray<string>
  readonly expected: string
}

/** In words. */
export const describeMisfit = ({ expected, path }: ScValMisfit): string =>
  path.length === 0 ? `not ${expected}` : `${path.join(".")} is not ${expected}`

type Decoded<A> = Either.Either<A, ScValMisfit>

/** One shape of contract values, there and back. `encode` of what `decode` gave is the same value. */
export interface ScValCodec<A> {
  readonly decode: (value: xdr.ScVal) => Decoded<A>
  readonly encode: (value: A) => xdr.ScVal
}

/** What a codec decodes to. */
export type Of<C> = C extends ScValCodec<infer A> ? A : never

const misfit = (expected: string): Decoded<never> => Either.left({ path: [], expected })

const at = <A>(step: string, decoded: Decoded<A>): Decoded<A> =>
  Either.mapLeft(decoded, ({ expected, path }) => ({ path: [step, ...path], expected }))

/** Decodes each, and stops at the first that does not fit. */
const each = <A, B>(values: ReadonlyArray<A>, decode: (value: A, index: number) => Decoded<B>): Decoded<ReadonlyArray<B>> => {
  const decoded: Array<B> = []
  for (const [index, value] of values.entries()) {
    const one = decode(value, index)
    if (Either.isLeft(one)) return Either.left(one.left)
    decoded.push(one.right)
  }
  return Either.right(decoded)
}

const low = (1n << 64n) - 1n

export const u32: ScValCodec<number> = {
  decode: (value) => (value.type === "scvU32" ? Either.right(value.u32) : misfit("a u32")),
  encode: (value) => xdr.ScVal.scvU32(value)
}

/** A u32 within bounds, both included: what is computed with it would otherwise grow with it, or divide by nothing. */
export const u32From = (least: number, most: number): ScValCodec<number> => ({
  decode: (
    value
  ) => (value.type === "scvU32" && value.u32 >= least && value.u32 <= most
    ? Either.right(value.u32)
    : misfit(`a u32 from ${least} to ${most}`)),
  encode: (value) => xdr.ScVal.scvU32(value)
})

export const i32: ScValCodec<number> = {
  decode: (value) => (value.type === "scvI32" ? Either.right(value.i32) : misfit("an i32")),
  encode: (value) => xdr.ScVal.scvI32(value)
}

export const u64: ScValCodec<bigint> = {
  decode: (value) => (value.type === "scvU64" ? Either.right(value.u64) : misfit("a u64")),
  encode: (value) => xdr.ScVal.scvU64(value)
}

export const i64: ScValCodec<bigint> = {
  decode: (value) => (value.type === "scvI64" ? Either.right(value.i64) : misfit("i64")),
  encode: (value) => xdr.ScVal.scvI64(value)
}

export const i128: ScValCodec<bigint> = {
  decode: (value) => (value.type === "scvI128" ? Either.right(scValToBigInt(value)) : misfit("an i128")),
  encode: (value) => xdr.ScVal.scvI128(new xdr.Int128Parts({ hi: BigInt.asIntN(64, value >> 64n), lo: value & low }))
}

export const u128: ScValCodec<bigint> = {
  decode: (value) => (value.type === "scvU128" ? Either.right(scValToBigInt(value)) : misfit("a u128")),
  encode: (value) => xdr.ScVal.scvU128(new xdr.Uint128Parts({ hi: BigInt.asUintN(64, value >> 64n), lo: value & low }))
}

export const u256: ScValCodec<bigint> = {
  decode: (value) => (value.type === "scvU256" ? Either.right(scValToBigInt(value)) : misfit("a u256")),
  encode: (value) =>
    xdr.ScVal.scvU256(
      new xdr.Uint256Parts({
        hiHi: BigInt.asUintN(64, value >> 192n),
        hiLo: BigInt.asUintN(64, value >> 128n),
        loHi: BigInt.asUintN(64, value >> 64n),
        loLo: value & low
      })
    )
}

export const bool: ScValCodec<boolean> = {
  decode: (value) => (value.type === "scvBool" ? Either.right(value.b) : misfit("a bool")),
  encode: (value) => xdr.ScVal.scvBool(value)
}

export const symbol: ScValCodec<string> = {
  decode: (value) => (value.type === "scvSymbol" ? Either.right(value.sym.toString()) : misfit("a symbol")),
  encode: (value) => xdr.ScVal.scvSymbol(value)
}

/** Text that need not be UTF-8 is shown as such, with replacement characters: it is for people only. */
export const string: ScValCodec<string> = {
  decode: (value) => (value.type === "scvString" ? Either.right(value.str.toString()) : misfit("a string")),
  encode: (value) => xdr.ScVal.scvString(value)
}

const addressText = (value: xdr.ScVal): string | null => value.type === "scvAddress" ? nameOfAddress(value.address) : null

/** An address of any kind, in its StrKey form. */
export const address: ScValCodec<string> = {
  decode: (value) => {
    const text = addressText(value)
    return text === null ? misfit("an address") : Either.right(text)
  },
  encode: addressValue
}

/** The address of a contract. */
export const contract: ScValCodec<ContractAddress> = {
  decode: (value) => {
    const text = addressText(value)
    return Schema.is(ContractAddress)(text) ? Either.right(text) : misfit("the address of a contract")
  },
  encode: address.encode
}

/** The address of an account. */
export const account: ScValCodec<AccountAddress> = {
  decode: (value) => {
    const text = addressText(value)
    return Schema.is(AccountAddress)(text) ? Either.right(text) : misfit("the address of an account")
  },
  encode: address.encode
}

/** `Vec<T>`. */
export const vec = <A>(of: ScValCodec<A>): ScValCodec<ReadonlyArray<A>> => ({
  decode: (value) =>
    value.type === "scvVec" && value.vec !== null
      ? each(value.vec, (one, index) => at(`${index}`, of.decode(one)))
      : misfit("a vector"),
  encode: (values) => xdr.ScVal.scvVec(values.map(of.encode))
})

const isDistinct = (entries: ReadonlyArray<xdr.ScMapEntry>): boolean =>
  new Set(entries.map(({ key }) => xdrBase64(key))).size === entries.length

/** `Map<K, V>`, in the order in which the ledger keeps it, each key once. Encoding keeps the order it is given. */
export const map = <K, V>(key: ScValCodec<K>, of: ScValCodec<V>): ScValCodec<ReadonlyArray<readonly [K, V]>> => ({
  decode: (value) =>
    value.type === "scvMap" && value.map !== null && isDistinct(value.map)
      ? each(value.map, (entry, index) =>
        Either.flatMap(at(`key ${index}`, key.decode(entry.key)), (name) =>
          Either.map(at(`value ${index}`, of.decode(entry.val)), (one) =>
            [name, one] as const)))
      : misfit("a map with each key once"),
  encode: (entries) => xdr.ScVal.scvMap(entries.map(([name, one]) => new xdr.ScMapEntry({ key: key.encode(name), val: of.encode(one) })))
})

/** `Option<T>`: `Void` is none. */
export const option = <A>(of: ScValCodec<A>): ScValCodec<A | null> => ({
  decode: (value) => (value.type === "scvVoid" ? Either.right(null) : of.decode(value)),
  encode: (value) => (value === null ? xdr.ScVal.scvVoid() : of.encode(value))
})

/** A tuple, or a tuple struct: a vector of that many values. */
export const tuple = <const Parts extends ReadonlyArray<unknown>>(
  ...parts: { readonly [I in keyof Parts]: ScValCodec<Parts[I]> }
): ScValCodec<Parts> => ({
  decode: (value) => {
    if (value.type !== "scvVec" || value.vec === null || value.vec.length !== parts.length) return misfit(`a vector of ${parts.length}`)
    // The parts are decoded one by one by the codecs of `Parts`, which the compiler cannot carry through the loop.
    return each(value.vec, (one, index) => at(`${index}`, parts[index]?.decode(one) ?? misfit("a part"))) as Decoded<unknown> as Decoded<
      Parts
    >
  },
  encode: (values) => xdr.ScVal.scvVec(parts.map((part, index) => part.encode(values[index])))
})

/** A codec of any one type: what it decodes to is not known, and nothing can be handed to it to encode. */
type SomeCodec = Pick<ScValCodec<unknown>, "decode"> & Pick<ScValCodec<never>, "encode">

/** The value of a struct with these fields. */
export type StructOf<F> = { readonly [Name in keyof F]: Of<F[Name]> }

/**
 * A struct: a map whose keys are the symbols of its fields, sorted. All fields must be there and no others: what a newer contract
 * added could change the meaning of the rest.
 */
export const struct = <const F extends { readonly [Name in string]: SomeCodec }>(fields: F): ScValCodec<StructOf<F>> => {
  const names = Object.keys(fields).toSorted()
  return {
    decode: (value) => {
      if (value.type !== "scvMap" || value.map === null) return misfit("a struct")
      const found = new Map<string, xdr.ScVal>()
      for (const { key, val } of value.map) if (key.type === "scvSymbol") found.set(key.sym.toString(), val)
      if (found.size !== value.map.length || found.size !== names.length) return misfit(`a struct of ${names.join(", ")}`)
      const decoded = each(names, (name) => {
        const one = found.get(name)
        const codec = fields[name]
        return one === undefined || codec === undefined
          ? misfit(`a struct with ${name}`)
          : Either.map(at(name, codec.decode(one)), (field) => [name, field] as const)
      })
      return Either.map(decoded, (entries) => Object.fromEntries(entries) as StructOf<F>)
    },
    encode: (value) =>
      xdr.ScVal.scvMap(
        names.flatMap((name) => {
          const codec = fields[name]
          // A field of the struct is what its own codec encodes; the compiler cannot carry that through the loop.
          return codec === undefined
            ? []
            : [new xdr.ScMapEntry({ key: xdr.ScVal.scvSymbol(name), val: codec.encode(value[name as keyof F] as never) })]
        })
      )
  }
}

/** A variant of a union, encoded: its name, then its payloads. */
export const variant = (name: string, ...payloads: ReadonlyArray<xdr.ScVal>): xdr.ScVal =>
  xdr.ScVal.scvVec([xdr.ScVal.scvSymbol(name), ...payloads])

/** The payloads of a value that is that variant of a union, or null when it is another value. */
export const payloadsOf = (name: string, value: xdr.ScVal): ReadonlyArray<xdr.ScVal> | null => {
  if (value.type !== "scvVec" || value.vec === null) return null
  const [tag, ...payloads] = value.vec
  return tag?.type === "scvSymbol" && tag.sym.toString() === name ? payloads : null
}
