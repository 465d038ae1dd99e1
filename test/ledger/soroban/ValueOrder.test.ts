import { assert, it } from "@effect/vitest"
import { Address, xdr } from "@stellar/stellar-sdk"
import { compareBytes } from "../../../src/ledger/Int64.ts"
import { compareValues } from "../../../src/ledger/soroban/Values.ts"

const bytes = (first: number, last: number): Buffer => Buffer.from([first, ...Buffer.alloc(30), last])

/** Values that sort as their XDR does, of several types. */
const values = [
  xdr.ScVal.scvBool(false),
  xdr.ScVal.scvBool(true),
  xdr.ScVal.scvVoid(),
  ...[0, 1, 255, 256, 2 ** 31, 2 ** 32 - 1].map((value) => xdr.ScVal.scvU32(value)),
  ...[0n, 1n, 2n ** 63n].map((value) => xdr.ScVal.scvU64(value)),
  ...[[0, 1], [1, 0], [128, 0], [255, 255]].flatMap(([first = 0, last = 0]) => [
    Address.account(bytes(first, last)).toScVal(),
    Address.contract(bytes(first, last)).toScVal()
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
