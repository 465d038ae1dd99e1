import { assert, describe, it } from "@effect/vitest"
import { xdr } from "@stellar/stellar-sdk"
import { addressOf, addressVal, symbol, u32, vec } from "../../src/ledger/soroban/Values.ts"
import { namesAddress } from "../../src/stellar/ScAddresses.ts"
import { own, pool, stranger, user } from "../close/leaving/support/Simulating.ts"

const map = (key: xdr.ScVal, val: xdr.ScVal): xdr.ScVal => xdr.ScVal.scvMap([new xdr.ScMapEntry({ key, val })])

describe("a value", () => {
  it("names an address where it stands anywhere in it", () => {
    const other = addressVal(addressOf(stranger))
    for (const value of [own, vec(u32(1), vec(own)), map(own, u32(1)), map(u32(1), own), map(u32(1), map(other, vec(own)))]) {
      assert.isTrue(namesAddress(value, user))
      assert.isFalse(namesAddress(value, pool))
    }
    for (const value of [other, u32(1), symbol(user), vec(), xdr.ScVal.scvVec(null), xdr.ScVal.scvMap(null)]) {
      assert.isFalse(namesAddress(value, user))
    }
  })
})
