import { assert, describe, it } from "@effect/vitest"
import { Keypair, xdr } from "@stellar/stellar-sdk"
import { Either, FastCheck } from "effect"
import { AccountAddress } from "../../src/domain/Address.ts"
import type { ScValCodec } from "../../src/stellar/ScValCodec.ts"
import * as Codec from "../../src/stellar/ScValCodec.ts"
import { anyContract } from "../support/Addresses.ts"

const account = AccountAddress.make(Keypair.random().publicKey())
const contract = anyContract()

/** Checks that encode and decode return the same value, and that both codecs give the same bytes. */
const roundTrip = <A>(codec: ScValCodec<A>, value: A) => {
  const encoded = codec.encode(value)
  const decoded = codec.decode(xdr.ScVal.fromXdr(encoded.toXdr("base64"), "base64"))
  assert.deepStrictEqual(decoded, Either.right(value))
  assert.strictEqual(codec.encode(Either.getOrThrow(decoded)).toXdr("base64"), encoded.toXdr("base64"))
}

const Request = Codec.struct({ request_type: Codec.u32, address: Codec.contract, amount: Codec.i128 })

describe("contract values", () => {
  it("amounts go there and back in all their width", () => {
    FastCheck.assert(
      FastCheck.property(FastCheck.bigInt({ min: -(2n ** 127n), max: 2n ** 127n - 1n }), (value) => roundTrip(Codec.i128, value))
    )
    FastCheck.assert(FastCheck.property(FastCheck.bigInt({ min: 0n, max: 2n ** 128n - 1n }), (value) => roundTrip(Codec.u128, value)))
  })

  it("shapes go there and back", () => {
    roundTrip(Codec.u32, 4_294_967_295)
    roundTrip(Codec.i32, -21_880)
    roundTrip(Codec.u64, 2n ** 64n - 1n)
    roundTrip(Codec.bool, true)
    roundTrip(Codec.symbol, "ResList")
    roundTrip(Codec.string, "Recorded")
    roundTrip(Codec.account, account)
    roundTrip(Codec.contract, contract)
    roundTrip(Codec.address, account as string)
    roundTrip(Codec.option(Codec.u64), null)
    roundTrip(Codec.option(Codec.u64), 7n)
    roundTrip(Codec.vec(Codec.i128), [1n, -1n])
    roundTrip(Codec.map(Codec.u32, Codec.i128), [[0, 7n], [3, 9n]])
    roundTrip(Codec.tuple(Codec.account, Codec.symbol), [account, "USD"])
    roundTrip(Request, { address: contract, amount: 5n, request_type: 1 })
  })

  it("a struct is a map with its fields sorted", () => {
    const value = Request.encode({ request_type: 1, address: contract, amount: 5n })
    assert(value.type === "scvMap" && value.map !== null)
    assert.deepStrictEqual(value.map.map(({ key }) => (key.type === "scvSymbol" ? key.sym.toString() : "")), [
      "address",
      "amount",
      "request_type"
    ])
  })

  it("width, fields and kinds of address are told apart", () => {
    const no = <A>(codec: ScValCodec<A>, value: xdr.ScVal) => assert.isTrue(Either.isLeft(codec.decode(value)))
    no(Codec.i128, Codec.u128.encode(1n))
    no(Codec.u32, Codec.u64.encode(1n))
    no(Codec.symbol, Codec.string.encode("USD"))
    no(Codec.contract, Codec.account.encode(account))
    no(Codec.account, Codec.contract.encode(contract))
    no(Codec.tuple(Codec.u32), Codec.vec(Codec.u32).encode([1, 2]))
    no(Codec.struct({ amount: Codec.i128 }), Request.encode({ request_type: 1, address: contract, amount: 5n }))
    no(Codec.struct({ amount: Codec.i128, more: Codec.bool }), Codec.struct({ amount: Codec.i128 }).encode({ amount: 1n }))
    no(Codec.struct({ amount: Codec.i128 }), Codec.map(Codec.string, Codec.i128).encode([["amount", 1n]]))
  })

  it("a misfit tells where it is, and not what is there", () => {
    const wrong = Codec.struct({ list: Codec.vec(Request) })
    const value = Codec.struct({ list: Codec.vec(Codec.struct({ request_type: Codec.u32, address: Codec.contract, amount: Codec.u128 })) })
      .encode({ list: [{ request_type: 1, address: contract, amount: 12345n }] })
    const decoded = wrong.decode(value)
    assert(Either.isLeft(decoded))
    assert.strictEqual(Codec.describeMisfit(decoded.left), "list.0.amount is not an i128")
  })

  it("variants of a union are their name and payloads", () => {
    assert.deepStrictEqual(Codec.payloadsOf("Some", Codec.variant("Some", Codec.u32.encode(1)))?.map((one) => one.type), ["scvU32"])
    assert.deepStrictEqual(Codec.payloadsOf("None", Codec.variant("None")), [])
    assert.isNull(Codec.payloadsOf("Some", Codec.variant("None")))
    assert.isNull(Codec.payloadsOf("Some", Codec.symbol.encode("Some")))
  })
})
