import { assert, describe, it } from "@effect/vitest"
import { xdr } from "@stellar/stellar-sdk"
import { createHash } from "node:crypto"
import {
  createdBalanceId,
  isBalanceClawbackEnabled,
  newClaimableBalance,
  type OperationPlace,
  revokedBalanceId
} from "../../../src/ledger/entries/ClaimableBalance.ts"
import { assetOf, claimant, poolOf, xlm } from "../support/Bodies.ts"
import { idOf, World } from "../support/World.ts"

const world = new World()
const [owner, issuer] = [world.account(), world.account()]
const usd = assetOf(issuer)
const place: OperationPlace = { transactionSource: idOf(owner), transactionSequence: 258n, index: 3 }
const balanceId = createdBalanceId(place)
const hex = (id: xdr.ClaimableBalanceId): string => Buffer.from(id.v0.value).toString("hex")

const made = (clawbackEnabled: boolean): xdr.ClaimableBalanceEntry => {
  const { data } = newClaimableBalance({ balanceId, claimants: [claimant(owner)], asset: usd, amount: 12n, clawbackEnabled })
  return data.type === "claimableBalance" ? data.claimableBalance : assert.fail(data.type)
}

const withFlags = (flags: number): xdr.ClaimableBalanceEntry =>
  new xdr.ClaimableBalanceEntry({
    ...made(false),
    ext: xdr.ClaimableBalanceEntryExt.v1(
      new xdr.ClaimableBalanceEntryExtensionV1({ ext: xdr.ClaimableBalanceEntryExtensionV1Ext.v0(), flags })
    )
  })

describe("a claimable balance", () => {
  it("has an extension only where it can be clawed back", () => {
    assert.deepStrictEqual([made(false).ext.type, made(true).ext.type], ["v0", "v1"])
    assert.deepStrictEqual(made(true), withFlags(1))
  })

  it("can be clawed back where that flag is set, whatever others are", () => {
    assert.deepStrictEqual([made(false), made(true)].map(isBalanceClawbackEnabled), [false, true])
    assert.deepStrictEqual([0, 1, 2, 3].map((flags) => isBalanceClawbackEnabled(withFlags(flags))), [false, true, false, true])
  })
})

describe("the id of a claimable balance", () => {
  // A type, an account of type 0 with its key, a sequence number and the place of the operation.
  const preimage = (type: string): string => `${type}00000000${Buffer.from(owner.rawPublicKey()).toString("hex")}000000000000010200000003`
  const sha256 = (bytes: string): string => createHash("sha256").update(Buffer.from(bytes, "hex")).digest("hex")

  it("is a hash of where the operation that made it stands", () => {
    assert.strictEqual(hex(balanceId), sha256(preimage("00000006")))
  })

  it("is a hash of the pool and the asset too, where shares were taken back", () => {
    const pool = Buffer.from(poolOf(xlm, usd).value).toString("hex")
    assert.strictEqual(hex(revokedBalanceId(place, poolOf(xlm, usd), xlm)), sha256(`${preimage("00000007")}${pool}00000000`))
  })
})
