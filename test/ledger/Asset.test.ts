import { assert, describe, it } from "@effect/vitest"
import { xdr } from "@stellar/stellar-sdk"
import { assetOfCode, heldAsset, toTrustlineAsset } from "../../src/ledger/Asset.ts"
import { assetOf, xlm } from "./support/Bodies.ts"
import { idOf, World } from "./support/World.ts"

const issuer = new World().account()
const long = xdr.Asset.assetTypeCreditAlphanum12(new xdr.AlphaNum12({ assetCode: "LONGER", issuer: idOf(issuer) }))

describe("an asset", () => {
  it("of a trustline is the one that it was made for", () => {
    for (const asset of [xlm, assetOf(issuer), long]) assert.deepStrictEqual(heldAsset(toTrustlineAsset(asset)), asset)
  })

  it("is named by its issuer and a bare code of either length", () => {
    assert.deepStrictEqual(assetOfCode(idOf(issuer), xdr.AssetCode.assetTypeCreditAlphanum4("USD")), assetOf(issuer))
    assert.deepStrictEqual(assetOfCode(idOf(issuer), xdr.AssetCode.assetTypeCreditAlphanum12("LONGER")), long)
  })
})
