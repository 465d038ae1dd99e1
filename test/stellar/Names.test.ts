import { assert, describe, it } from "@effect/vitest"
import { Address, Asset, Keypair, StrKey, xdr } from "@stellar/stellar-sdk"
import { FastCheck } from "effect"
import { AssetId, native } from "../../src/domain/Asset.ts"
import { holdsAt } from "../../src/domain/ClaimPredicate.ts"
import { BalanceId, PoolId } from "../../src/domain/Ledger.ts"
import { assetIdOf, assetOf, poolShareTrustlineOf, trustlineAssetOf } from "../../src/stellar/Assets.ts"
import { balanceIdOf, poolIdOf, predicateOf } from "../../src/stellar/Names.ts"
import { addressNamed, addressValue, nameOfAddress } from "../../src/stellar/ScAddresses.ts"
import { claimableBalanceKey, keyOfEntryData, keyText, offerKey, poolKey, trustlineKey } from "../../src/xdr/LedgerKeys.ts"
import { dataEntry, publicKeyOf, someAddress } from "../chain/support/Entries.ts"

const code = FastCheck.stringMatching(/^[A-Za-z0-9]{1,12}$/)
const hash = FastCheck.stringMatching(/^[0-9a-f]{64}$/)

describe("addresses of contract values", () => {
  it("are spelled as the SDK spells each of their kinds, and found again by their names", () => {
    const key = Keypair.random().rawPublicKey()
    const names = [
      StrKey.encodeEd25519PublicKey(key),
      StrKey.encodeContract(key),
      StrKey.encodeMed25519PublicKey(Buffer.concat([key, Buffer.alloc(8, 3)])),
      StrKey.encodeClaimableBalance(Buffer.concat([Buffer.alloc(1), key])),
      StrKey.encodeLiquidityPool(key)
    ]
    for (const name of [...names, ...names]) {
      const theirs = Address.fromString(name)
      assert.strictEqual(addressNamed(name).toXdr("base64"), theirs.toScAddress().toXdr("base64"))
      assert.strictEqual(addressValue(name).toXdr("base64"), theirs.toScVal().toXdr("base64"))
      assert.strictEqual(nameOfAddress(theirs.toScAddress()), name)
    }
    assert.throws(() => addressNamed(`${names[1]?.slice(0, -1)}?`), /Unsupported address type/)
  })
})

describe("assets", () => {
  it.prop("are named as the SDK names them, and found again by their name", { code }, ({ code }) => {
    const issuer = Keypair.random().publicKey()
    const theirs = new Asset(code, issuer)
    const id = assetIdOf(theirs.toXdrObject())
    assert.strictEqual(id, AssetId.make(`${code}:${issuer}`))
    assert.strictEqual(assetOf(id).toXdr("base64"), theirs.toXdrObject().toXdr("base64"))
    assert.strictEqual(trustlineAssetOf(id).toXdr("base64"), theirs.toTrustLineXdrObject().toXdr("base64"))
  })

  it("include the lumen", () => {
    assert.strictEqual(assetIdOf(Asset.native().toXdrObject()), native)
    assert.strictEqual(assetOf(native).type, "assetTypeNative")
  })

  it.prop("do not include pool shares", { hash }, ({ hash }) => {
    const line = poolShareTrustlineOf(PoolId.make(hash))
    assert.isNull(assetIdOf(line))
    assert.strictEqual(line.type === "assetTypePoolShare" ? poolIdOf(line.liquidityPoolId) : "", hash)
  })
})

describe("keys", () => {
  it.prop("of claimable balances and pools carry the id", { hash }, ({ hash }) => {
    const key = claimableBalanceKey(BalanceId.make(`00000000${hash}`))
    assert.strictEqual(key.type === "claimableBalance" ? balanceIdOf(key.claimableBalance.balanceId) : "", `00000000${hash}`)
    const pool = poolKey(PoolId.make(hash))
    assert.strictEqual(pool.type === "liquidityPool" ? poolIdOf(pool.liquidityPool.liquidityPoolId) : "", hash)
  })

  it("are those of the entries they name", () => {
    const owner = someAddress()
    const id = AssetId.make(`USD:${someAddress()}`)
    const line = new xdr.TrustLineEntry({
      accountId: publicKeyOf(owner),
      asset: trustlineAssetOf(id),
      balance: 1n,
      limit: 2n,
      flags: 1,
      ext: xdr.TrustLineEntryExt.v0()
    })
    const offer = new xdr.OfferEntry({
      sellerId: publicKeyOf(owner),
      offerId: 9n,
      selling: assetOf(id),
      buying: assetOf(native),
      amount: 1n,
      price: new xdr.Price({ n: 1, d: 1 }),
      flags: 0,
      ext: xdr.OfferEntryExt.v0()
    })
    assert.strictEqual(keyText(keyOfEntryData(xdr.LedgerEntryData.trustline(line))), keyText(trustlineKey(owner, trustlineAssetOf(id))))
    assert.strictEqual(keyText(keyOfEntryData(xdr.LedgerEntryData.offer(offer))), keyText(offerKey(owner, 9n)))
    assert.notStrictEqual(keyText(keyOfEntryData(dataEntry(owner, "a"))), keyText(keyOfEntryData(dataEntry(owner, "b"))))
  })
})

describe("predicates", () => {
  const { claimPredicateAnd, claimPredicateBeforeAbsoluteTime, claimPredicateNot, claimPredicateOr, claimPredicateUnconditional } =
    xdr.ClaimPredicate

  it("hold as the ledger says, strictly before the limit", () => {
    const before = predicateOf(claimPredicateBeforeAbsoluteTime(100n))
    assert.deepStrictEqual([99n, 100n].map((time) => holdsAt(before, time)), [true, false])
    const after = predicateOf(claimPredicateNot(claimPredicateBeforeAbsoluteTime(100n)))
    assert.deepStrictEqual([99n, 100n].map((time) => holdsAt(after, time)), [false, true])
    const either = predicateOf(claimPredicateOr([claimPredicateBeforeAbsoluteTime(1n), claimPredicateUnconditional()]))
    assert.isTrue(holdsAt(either, 5n))
    const both = predicateOf(claimPredicateAnd([claimPredicateBeforeAbsoluteTime(1n), claimPredicateUnconditional()]))
    assert.isFalse(holdsAt(both, 5n))
  })

  it("that are still relative never hold", () => {
    assert.isFalse(holdsAt(predicateOf(xdr.ClaimPredicate.claimPredicateBeforeRelativeTime(100n)), 0n))
  })
})
