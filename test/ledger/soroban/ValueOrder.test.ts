import { assert, describe, it } from "@effect/vitest"
import { xdr } from "@stellar/stellar-sdk"
import { compareBytes } from "../../../src/ledger/Int64.ts"
import {
  addressVal,
  bool,
  bytes,
  compareAddresses,
  compareValues,
  i128,
  i128Max,
  i128Min,
  i32,
  mapOf,
  string,
  symbol,
  u128,
  u128Max,
  u256,
  u256Max,
  u32,
  vec,
  voidVal
} from "../../../src/ledger/soroban/Values.ts"
import { accountOf, balance, contractOf, most, top } from "./support/Addresses.ts"

const account = accountOf(7)
const i64 = (value: bigint): xdr.ScVal => xdr.ScVal.scvI64(value)
const nonceKey = (nonce: bigint): xdr.ScVal => xdr.ScVal.scvLedgerKeyNonce(new xdr.ScNonceKey({ nonce }))

/** A number by its first and its last 64 bits. */
const i256 = (hiHi: bigint, loLo: bigint): xdr.ScVal => xdr.ScVal.scvI256(new xdr.Int256Parts({ hiHi, hiLo: 0n, loHi: 0n, loLo }))

/** Values that sort as their XDR does, of several types. */
const values = [
  xdr.ScVal.scvBool(false),
  xdr.ScVal.scvBool(true),
  xdr.ScVal.scvVoid(),
  ...[0, 1, 255, 256, 2 ** 31, 2 ** 32 - 1].map((value) => xdr.ScVal.scvU32(value)),
  ...[0n, 1n, 2n ** 63n].map((value) => xdr.ScVal.scvU64(value)),
  ...[[0, 1], [1, 0], [128, 0], [255, 255]].flatMap(([first = 0, last = 0]) => [
    addressVal(accountOf(first, last)),
    addressVal(contractOf(first, last))
  ]),
  xdr.ScVal.scvLedgerKeyContractInstance()
]

it("values of one type and of several are in the order of their XDR", () => {
  for (const left of values) {
    for (const right of values) {
      const asXdr = Math.sign(compareBytes(left.toXdr(), right.toXdr()))
      assert.strictEqual(Math.sign(compareValues(left, right)), asXdr, `${left.toXdr("base64")} ${right.toXdr("base64")}`)
    }
  }
})

/** Values or addresses, each less than the next. */
const assertOrder = <Item>(compare: (left: Item, right: Item) => number, ...inOrder: ReadonlyArray<Item>): void =>
  assert.deepStrictEqual(
    inOrder.map((left) => inOrder.map((right) => Math.sign(compare(left, right)))),
    inOrder.map((_, at) => inOrder.map((_, place) => Math.sign(at - place)))
  )

describe("the order of values", () => {
  it("is by type first, as the types are numbered", () => {
    assertOrder(
      compareValues,
      bool(true),
      voidVal,
      u32(0),
      i32(-1),
      i64(-1n),
      i128(-1n),
      bytes(Uint8Array.of()),
      vec(),
      addressVal(account)
    )
  })

  it("is that of texts and bytes from their first byte on, however long they are", () => {
    for (const make of [symbol, string, xdr.ScVal.scvExecutableTag, (text: string) => bytes(Buffer.from(text))]) {
      assertOrder(compareValues, ...["", "a", "aa", "ab", "b", "ba"].map(make))
    }
    assertOrder(compareValues, bytes(Uint8Array.of(127)), bytes(Uint8Array.of(128)), bytes(Uint8Array.of(255)))
  })

  it("is that of the numbers, negative ones first", () => {
    assertOrder(compareValues, ...[-2_147_483_648, -2, -1, 0, 1, 256, 2_147_483_647].map(i32))
    assertOrder(compareValues, ...[-top, -2n, -1n, 0n, 1n, top - 1n].map(i64))
    assertOrder(compareValues, ...[i128Min, -most - 1n, -1n, 0n, 1n, most, most + 1n, i128Max].map(i128))
    assertOrder(compareValues, ...[-top, -1n, 0n, 1n, top - 1n].map(nonceKey))
    assertOrder(compareValues, ...[-top, -1n, 0n, 1n, top - 1n].flatMap((hiHi) => [i256(hiHi, 0n), i256(hiHi, 1n), i256(hiHi, most)]))
    assertOrder(compareValues, ...[0n, 1n, most, most + 1n, u128Max].map(u128))
    assertOrder(compareValues, ...[0n, most + 1n, u256Max].map(u256))
  })

  it("is that of vectors item by item, then by length", () => {
    const [a, aa, b] = ["a", "aa", "b"].map(symbol)
    assert(a !== undefined && aa !== undefined && b !== undefined)
    assertOrder(compareValues, vec(), vec(a), vec(a, a), vec(a, b), vec(aa, a), vec(b), vec(b, a))
    assertOrder(compareValues, vec(vec(aa)), vec(vec(b)))
    const none = xdr.ScVal.scvVec(null)
    assert.deepStrictEqual([compareValues(none, none), compareValues(none, vec(a)), compareValues(vec(a), none)], [0, -1, 1])
  })

  it("is that of maps entry by entry, each by key and then by value", () => {
    const [a, b] = [symbol("a"), symbol("b")]
    const one = (key: xdr.ScVal, value: number) => mapOf([[key, u32(value)]])
    assertOrder(
      compareValues,
      mapOf([]),
      one(a, 1),
      mapOf([[a, u32(1)], [b, u32(0)]]),
      one(a, 2),
      mapOf([[a, u32(2)], [b, u32(9)]]),
      one(b, 0)
    )
    const none = xdr.ScVal.scvMap(null)
    assert.deepStrictEqual([compareValues(none, none), compareValues(none, one(a, 1)), compareValues(one(a, 1), none)], [0, -2, 1])
  })

  it("is that of addresses by kind and then by content", () => {
    const inOrder = [accountOf(1, 2), accountOf(2, 1), accountOf(200), contractOf(1, 2), contractOf(2, 1), contractOf(200), balance]
    assertOrder(compareAddresses, ...inOrder)
    assertOrder(compareValues, ...inOrder.map(addressVal))
  })
})
