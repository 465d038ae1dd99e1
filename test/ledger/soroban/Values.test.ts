import { assert, describe, it } from "@effect/vitest"
import { Keypair, StrKey, xdr } from "@stellar/stellar-sdk"
import * as Values from "../../../src/ledger/soroban/Values.ts"
import {
  accountAddress,
  addressOf,
  addressVal,
  bool,
  bytes,
  i128,
  i32,
  mapOf,
  string,
  symbol,
  u128,
  u256,
  u32,
  u64,
  vec,
  voidVal
} from "../../../src/ledger/soroban/Values.ts"
import { idOf } from "../support/World.ts"
import { accountOf, balance, contractOf, most, top } from "./support/Addresses.ts"
import { mismatch, refusalOf } from "./support/HostErrors.ts"

const pair = Keypair.random()
const account = accountAddress(idOf(pair))
const contract = contractOf(7)

const overflow = "HostError: Error(WasmVm, InvalidAction): arithmetic overflow"

describe("a value", () => {
  it("is made of what it holds", () => {
    const made = [
      voidVal,
      symbol("ab"),
      string("text"),
      string(Uint8Array.of(255, 1)),
      bool(true),
      bool(false),
      u32(4_294_967_295),
      i32(-2_147_483_648),
      u64(most),
      bytes(Uint8Array.of(0, 255)),
      vec(),
      vec(u32(1), symbol("b"), u32(1)),
      addressVal(account),
      addressVal(contract)
    ]
    assert.deepStrictEqual(made.map((value) => value.toJson()), [
      "void",
      { symbol: "ab" },
      { string: "text" },
      { string: "\\xff\\x01" },
      { bool: true },
      { bool: false },
      { u32: 4_294_967_295 },
      { i32: -2_147_483_648 },
      { u64: most.toString() },
      { bytes: "00ff" },
      { vec: [] },
      { vec: [{ u32: 1 }, { symbol: "b" }, { u32: 1 }] },
      { address: pair.publicKey() },
      { address: StrKey.encodeContract(Uint8Array.of(7, ...new Uint8Array(30), 7)) }
    ])
  })

  it("of 128 bits is split in two, the upper half with the sign", () => {
    const signed = [0n, 1n, -1n, most + 6n, -most - 6n, Values.i128Max, Values.i128Min].map((value) => {
      const made = i128(value)
      assert(made.type === "scvI128")
      return [made.i128.hi, made.i128.lo, Values.asI128(made) === value]
    })
    assert.deepStrictEqual(signed, [
      [0n, 0n, true],
      [0n, 1n, true],
      [-1n, most, true],
      [1n, 5n, true],
      [-2n, most - 4n, true],
      [top - 1n, most, true],
      [-top, 0n, true]
    ])
    const unsigned = [0n, most, most + 6n, Values.u128Max].map((value) => {
      const made = u128(value)
      assert(made.type === "scvU128")
      return [made.u128.hi, made.u128.lo, Values.asU128(made) === value]
    })
    assert.deepStrictEqual(unsigned, [[0n, 0n, true], [0n, most, true], [1n, 5n, true], [most, most, true]])
  })

  it("of 256 bits is split in four", () => {
    const mixed = (1n << 192n) + (2n << 128n) + (3n << 64n) + 4n
    const parts = [0n, mixed, Values.u256Max].map((value) => {
      const made = u256(value)
      assert(made.type === "scvU256")
      const { hiHi, hiLo, loHi, loLo } = made.u256
      return [hiHi, hiLo, loHi, loLo, Values.asU256(made) === value]
    })
    assert.deepStrictEqual(parts, [[0n, 0n, 0n, 0n, true], [1n, 2n, 3n, 4n, true], [most, most, most, most, true]])
  })

  it("is refused as an overflow where the number is one too large or too small", () => {
    assert.deepStrictEqual([Values.i128Min, Values.i128Max, Values.u128Max, Values.u256Max], [
      -170_141_183_460_469_231_731_687_303_715_884_105_728n,
      170_141_183_460_469_231_731_687_303_715_884_105_727n,
      340_282_366_920_938_463_463_374_607_431_768_211_455n,
      115_792_089_237_316_195_423_570_985_008_687_907_853_269_984_665_640_564_039_457_584_007_913_129_639_935n
    ])
    const tooFar = [
      () => i128(Values.i128Max + 1n),
      () => i128(Values.i128Min - 1n),
      () => u128(Values.u128Max + 1n),
      () => u128(-1n),
      () => u256(Values.u256Max + 1n),
      () => u256(-1n)
    ]
    assert.deepStrictEqual(tooFar.map(refusalOf), tooFar.map(() => overflow))
  })
})

/** A reader, a value that it reads, and what it makes of that. */
const readers: ReadonlyArray<readonly [name: string, read: (value: xdr.ScVal) => unknown, value: xdr.ScVal, content: unknown]> = [
  ["asI128", Values.asI128, i128(-5n), -5n],
  ["asU128", Values.asU128, u128(5n), 5n],
  ["asU32", Values.asU32, u32(6), 6],
  ["asI32", Values.asI32, i32(-6), -6],
  ["asU256", Values.asU256, u256(7n), 7n],
  ["asU64", Values.asU64, u64(8n), 8n],
  ["asBool", Values.asBool, bool(true), true],
  ["asSymbol", Values.asSymbol, symbol("ab"), "ab"],
  ["asString", Values.asString, string("cd"), "cd"],
  ["asBytes", Values.asBytes, bytes(Uint8Array.of(1, 2)), Uint8Array.of(1, 2)],
  ["asVec", Values.asVec, vec(u32(1), u32(2)), [u32(1), u32(2)]],
  ["asAddress", Values.asAddress, addressVal(account), account]
]

describe("reading a value", () => {
  for (const [name, read, value, content] of readers) {
    it(`gives what is in one of its type, and fails for every other type: ${name}`, () => {
      assert.deepStrictEqual(read(value), content)
      const others = [...readers.flatMap(([other, , of]) => (other === name ? [] : [of])), voidVal, mapOf([])]
      assert.deepStrictEqual(others.map((other) => refusalOf(() => read(other))), others.map(() => mismatch))
    })
  }

  it("gives nothing of a vector without content", () => {
    assert.deepStrictEqual(Values.asVec(xdr.ScVal.scvVec(null)), [])
  })

  it("gives addresses of accounts and contracts alone", () => {
    assert.strictEqual(Values.asAddress(addressVal(contract)), contract)
    assert.strictEqual(refusalOf(() => Values.asAddress(addressVal(balance))), mismatch)
  })
})

describe("a map", () => {
  const map = mapOf([[symbol("b"), u32(2)], [u32(9), u32(3)], [symbol("aa"), u32(1)]])

  it("is in the order of its keys", () => {
    assert.deepStrictEqual(map.toJson(), {
      map: [
        { key: { u32: 9 }, val: { u32: 3 } },
        { key: { symbol: "aa" }, val: { u32: 1 } },
        { key: { symbol: "b" }, val: { u32: 2 } }
      ]
    })
    assert.deepStrictEqual(mapOf(new Map()).toJson(), { map: [] })
    assert.deepStrictEqual(Values.struct({ b: u32(2), aa: u32(1) }), mapOf([[symbol("aa"), u32(1)], [symbol("b"), u32(2)]]))
  })

  it("has values under its keys alone", () => {
    assert.deepStrictEqual([u32(9), symbol("aa"), symbol("b"), symbol("c")].map((key) => Values.lookup(map, key)), [
      u32(3),
      u32(1),
      u32(2),
      undefined
    ])
    assert.deepStrictEqual([mapOf([]), xdr.ScVal.scvMap(null)].map((none) => Values.lookup(none, symbol("b"))), [undefined, undefined])
    assert.strictEqual(refusalOf(() => Values.lookup(vec(symbol("b")), symbol("b"))), mismatch)
  })

  it("has fields by name, and fails for one that it lacks", () => {
    assert.deepStrictEqual(Values.field(map, "b"), u32(2))
    const lacking = [() => Values.field(map, "c"), () => Values.field(voidVal, "b")]
    assert.deepStrictEqual(lacking.map(refusalOf), [mismatch, mismatch])
  })

  it("differs from a variant, which is a vector of a tag and its payload", () => {
    assert.deepStrictEqual([Values.variant("None"), Values.variant("Some", u32(1), voidVal)], [
      vec(symbol("None")),
      vec(symbol("Some"), u32(1), voidVal)
    ])
  })
})

describe("an address", () => {
  it("is named by the strkey of an account or contract, and of nothing else", () => {
    const strkey = StrKey.encodeContract(Uint8Array.of(7, ...new Uint8Array(30), 7))
    assert.deepStrictEqual([addressOf(pair.publicKey()), addressOf(strkey)], [account, contract])
    assert.deepStrictEqual([account, contract].map(Values.strkeyOf), [pair.publicKey(), strkey])
    assert.strictEqual(refusalOf(() => Values.strkeyOf(balance)), "HostError: Error(Object, InternalError): not an account or contract")
  })

  it("equals another of the same kind and content", () => {
    const others = [account, contract, accountOf(7), contractOf(7, 8), balance]
    assert.deepStrictEqual(others.map((other) => Values.sameAddress(contract, other)), [false, true, false, false, false])
    assert.isTrue(Values.sameAddress(contractOf(7), contractOf(7)))
    assert.isTrue(Values.sameAddress(accountOf(7), accountOf(7)))
  })
})
