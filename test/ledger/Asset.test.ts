import { assert, describe, it } from "@effect/vitest"
import { xdr } from "@stellar/stellar-sdk"
import { assetOfCode, heldAsset, isValidAsset, poolFee, toTrustlineAsset } from "../../src/ledger/Asset.ts"
import { assetOf, xlm } from "./support/Bodies.ts"
import { idOf, World } from "./support/World.ts"

const issuer = new World().account()
const long = xdr.Asset.assetTypeCreditAlphanum12(new xdr.AlphaNum12({ assetCode: "LONGER", issuer: idOf(issuer) }))

const short = (...code: ReadonlyArray<number>) =>
  xdr.Asset.assetTypeCreditAlphanum4(new xdr.AlphaNum4({ assetCode: Uint8Array.from({ ...code, length: 4 }), issuer: idOf(issuer) }))

const poolOf = (assetA: xdr.Asset, assetB: xdr.Asset, fee = poolFee) =>
  xdr.ChangeTrustAsset.assetTypePoolShare(
    xdr.LiquidityPoolParameters.liquidityPoolConstantProduct(new xdr.LiquidityPoolConstantProductParameters({ assetA, assetB, fee }))
  )

describe("an asset", () => {
  it("has a code of digits and letters, followed by zeros only", () => {
    for (const letter of "09AZaz") assert.isTrue(isValidAsset(short(letter.charCodeAt(0))), letter)
    for (const other of "/:@[`{") assert.isFalse(isValidAsset(short(other.charCodeAt(0))), other)
    assert.isTrue(isValidAsset(short(0x41, 0x42, 0x43, 0x44)))
    for (const code of [[], [0x41, 0, 0x42], [0, 0x41], [0x41, 0x20]]) assert.isFalse(isValidAsset(short(...code)), String(code))
  })

  it("of up to twelve letters has five at least", () => {
    const named = (assetCode: string) => xdr.Asset.assetTypeCreditAlphanum12(new xdr.AlphaNum12({ assetCode, issuer: idOf(issuer) }))
    assert.deepStrictEqual(["FIVE5", "TWELVELETTER", "FOUR", ""].map((code) => isValidAsset(named(code))), [true, true, false, false])
  })

  it("that is a pool has two others in their order, and the one fee", () => {
    const [first, second, broken] = [assetOf(issuer, "AAA"), assetOf(issuer, "BBB"), short(0x2f)]
    assert.isTrue(isValidAsset(poolOf(first, second)))
    assert.isTrue(isValidAsset(poolOf(xlm, second)))
    const wrong = [poolOf(second, first), poolOf(first, first), poolOf(xlm, broken), poolOf(broken, first)]
    for (const pool of wrong) assert.isFalse(isValidAsset(pool))
    for (const fee of [poolFee - 1, poolFee + 1]) assert.isFalse(isValidAsset(poolOf(first, second, fee)))
  })

  it("of a trustline is the one that it was made for", () => {
    for (const asset of [xlm, assetOf(issuer), long]) assert.deepStrictEqual(heldAsset(toTrustlineAsset(asset)), asset)
  })

  it("is named by its issuer and a bare code of either length", () => {
    assert.deepStrictEqual(assetOfCode(idOf(issuer), xdr.AssetCode.assetTypeCreditAlphanum4("USD")), assetOf(issuer))
    assert.deepStrictEqual(assetOfCode(idOf(issuer), xdr.AssetCode.assetTypeCreditAlphanum12("LONGER")), long)
  })
})
