import { assert, describe, it } from "@effect/vitest"
import { xdr } from "@stellar/stellar-sdk"
import { toTrustlineAsset } from "../../../src/ledger/Asset.ts"
import { noLiabilities } from "../../../src/ledger/entries/Account.ts"
import {
  isAuthorized,
  isClawbackEnabled,
  isPoolShare,
  lineLiabilities,
  mayMaintainLiabilities,
  poolUseCount,
  withLine,
  withLineLiabilities,
  withPoolUseCount
} from "../../../src/ledger/entries/Trustline.ts"
import { assetOf, shareOf, xlm } from "../support/Bodies.ts"
import { idOf, World } from "../support/World.ts"

const world = new World()
const [owner, issuer] = [world.account(), world.account()]

const lineOf = (asset: xdr.TrustLineAsset): xdr.TrustLineEntry =>
  new xdr.TrustLineEntry({ accountId: idOf(owner), asset, balance: 5n, limit: 9n, flags: 1, ext: xdr.TrustLineEntryExt.v0() })

const line = lineOf(toTrustlineAsset(assetOf(issuer)))
const share = lineOf(shareOf(xlm, assetOf(issuer)))
const liabilities = new xdr.Liabilities({ buying: 3n, selling: 4n })

describe("a trustline", () => {
  it("tells its flags apart", () => {
    const flags = [0, 1, 2, 3, 4, 5, 6, 7].map((flags) => withLine(line, { flags }))
    assert.deepStrictEqual(flags.map(isAuthorized), [false, true, false, true, false, true, false, true])
    assert.deepStrictEqual(flags.map(mayMaintainLiabilities), [false, true, true, true, false, true, true, true])
    assert.deepStrictEqual(flags.map(isClawbackEnabled), [false, false, false, false, true, true, true, true])
  })

  it("of pool shares keeps them whatever its flags are", () => {
    assert.deepStrictEqual([line, share].map(isPoolShare), [false, true])
    assert.isTrue(mayMaintainLiabilities(withLine(share, { flags: 0 })))
    assert.isFalse(isAuthorized(withLine(share, { flags: 0 })))
  })

  it("changes the fields that are given, and no others", () => {
    const changed = withLine(line, { balance: 6n })
    assert.deepStrictEqual(changed, new xdr.TrustLineEntry({ ...line, balance: 6n }))
    assert.deepStrictEqual(withLine(line, { limit: 8n, flags: 2 }), new xdr.TrustLineEntry({ ...line, limit: 8n, flags: 2 }))
  })

  it("has no liabilities and no pool uses before it has an extension", () => {
    assert.strictEqual(lineLiabilities(line), noLiabilities)
    assert.strictEqual(poolUseCount(line), 0)
  })

  it("with liabilities has a small extension, and no pool uses", () => {
    const bound = withLineLiabilities(line, liabilities)
    assert.deepStrictEqual([bound.ext.type, bound.ext.type === "v1" ? bound.ext.v1.ext.type : ""], ["v1", "v0"])
    assert.deepStrictEqual(lineLiabilities(bound), liabilities)
    assert.strictEqual(poolUseCount(bound), 0)
  })

  it("keeps pool uses and liabilities beside each other", () => {
    const used = withPoolUseCount(line, 2)
    assert.deepStrictEqual([poolUseCount(used), lineLiabilities(used)], [2, noLiabilities])
    const both = withLineLiabilities(used, liabilities)
    assert.deepStrictEqual([poolUseCount(both), lineLiabilities(both)], [2, liabilities])
    const fewer = withPoolUseCount(both, 0)
    assert.deepStrictEqual([poolUseCount(fewer), lineLiabilities(fewer)], [0, liabilities])
    assert.strictEqual(fewer.ext.type === "v1" ? fewer.ext.v1.ext.type : "", "v2", "an extension stays")
  })
})
