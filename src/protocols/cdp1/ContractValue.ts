import { Address, xdr } from "@stellar/stellar-sdk"
import { ParseResult, Schema } from "effect"
import { AccountAddress, ContractAddress } from "../../domain/Address.ts"

// How the vaults contract writes its values (SCVal): each schema reads one type of value strictly and writes the same bytes.

const ScVal: Schema.Schema<xdr.ScVal> = Schema.declare(xdr.ScVal.is, { identifier: "ScVal" })

type Reader<A> = (value: xdr.ScVal) => A | null

const value = <A, I>(expected: string, inside: Schema.Schema<A, I>, read: Reader<I>, write: (inside: I) => xdr.ScVal): Schema.Schema<A, xdr.ScVal> =>
  Schema.transformOrFail(ScVal, inside, {
    strict: true,
    decode: (raw, _, ast) => {
      const found = read(raw)
      return found === null ? ParseResult.fail(new ParseResult.Type(ast, raw.type, expected)) : ParseResult.succeed(found)
    },
    encode: (found) => ParseResult.succeed(write(found))
  })

const LOW_64 = (1n << 64n) - 1n

/** Every amount, rate and index of the contract. */
export const U128 = value(
  "u128",
  Schema.BigIntFromSelf.pipe(Schema.betweenBigInt(0n, (1n << 128n) - 1n)),
  (raw) => (raw.type === "scvU128" ? (raw.u128.hi << 64n) | raw.u128.lo : null),
  (amount) => xdr.ScVal.scvU128(new xdr.Uint128Parts({ hi: amount >> 64n, lo: amount & LOW_64 }))
)

export const U64 = value("u64", Schema.BigIntFromSelf, (raw) => (raw.type === "scvU64" ? raw.u64 : null), (count) => xdr.ScVal.scvU64(count))

export const Bool = value("bool", Schema.Boolean, (raw) => (raw.type === "scvBool" ? raw.b : null), (flag) => xdr.ScVal.scvBool(flag))

const isSymbol = /^[A-Za-z0-9_]{1,32}$/

export const Symbol = value(
  "symbol",
  Schema.String.pipe(Schema.pattern(isSymbol)),
  (raw) => (raw.type === "scvSymbol" ? String(raw.sym) : null),
  (name) => xdr.ScVal.scvSymbol(name)
)

const addressText: Reader<string> = (raw) => (raw.type === "scvAddress" ? Address.fromScAddress(raw.address).toString() : null)

const addressValue = (text: string): xdr.ScVal => xdr.ScVal.scvAddress(new Address(text).toScAddress())

export const Account = value("address of an account", AccountAddress, addressText, addressValue)

export const Contract = value("address of a contract", ContractAddress, addressText, addressValue)

/** Whoever may hold a role or a vault: an account or a contract. */
export const Holder = value("address", Schema.Union(AccountAddress, ContractAddress), addressText, addressValue)

const Fields = Schema.Record({ key: Schema.String, value: ScVal })

const FieldMap = value<Readonly<Record<string, xdr.ScVal>>, Readonly<Record<string, xdr.ScVal>>>(
  "map keyed by symbols",
  Fields,
  (raw) => {
    if (raw.type !== "scvMap" || raw.map === null) return null
    const fields = raw.map.flatMap(({ key, val }) => (key.type === "scvSymbol" ? [[String(key.sym), val] as const] : []))
    return fields.length === raw.map.length && new Set(fields.map(([name]) => name)).size === fields.length ? Object.fromEntries(fields) : null
  },
  (fields) =>
    xdr.ScVal.scvMap(
      Object.entries(fields)
        .toSorted(([left], [right]) => (left < right ? -1 : 1))
        .map(([name, val]) => new xdr.ScMapEntry({ key: xdr.ScVal.scvSymbol(name), val }))
    )
)

/** A struct of the contract: these fields and no others. */
export const Struct = <Members extends Schema.Struct.Fields>(members: Members) =>
  Schema.compose(FieldMap, Schema.Struct(members).annotations({ parseOptions: { onExcessProperty: "error" } }), { strict: false })

const List = value<ReadonlyArray<xdr.ScVal>, ReadonlyArray<xdr.ScVal>>(
  "vec",
  Schema.Array(ScVal),
  (raw) => (raw.type === "scvVec" ? raw.vec : null),
  (items) => xdr.ScVal.scvVec([...items])
)

/** Values in a row: a tuple, or a variant of an enum, which begins with its tag. */
export const Row = <const Items extends Schema.TupleType.Elements>(...items: Items) =>
  Schema.compose(List, Schema.Tuple(...items), { strict: false })

/** The tag of a variant. */
export const Tag = <const Name extends string>(name: Name): Schema.Schema<Name, xdr.ScVal> => Schema.compose(Symbol, Schema.Literal(name), { strict: false })
