import { assert, describe, it } from "@effect/vitest"
import { xdr } from "@stellar/stellar-sdk"
import { toTrustlineAsset } from "../../src/ledger/Asset.ts"
import { newAccount } from "../../src/ledger/entries/Account.ts"
import { newClaimableBalance } from "../../src/ledger/entries/ClaimableBalance.ts"
import { newEntry } from "../../src/ledger/entries/LedgerEntry.ts"
import { accountEntryId, claimableEntryId, idOf, idOfEntry, offerEntryId, poolEntryId, trustlineEntryId } from "../../src/ledger/EntryId.ts"
import { contractCode, contractData } from "../../src/ledger/soroban/ContractEntries.ts"
import { ttlEntry } from "../../src/ledger/soroban/Life.ts"
import { symbol, u32 } from "../../src/ledger/soroban/Values.ts"
import {
  keyOf,
  keyOfAccount,
  keyOfClaimableBalance,
  keyOfCode,
  keyOfConfigSetting,
  keyOfContractData,
  keyOfData,
  keyOfOffer,
  keyOfPool,
  keyOfTrustline,
  keyOfTtl
} from "../../src/xdr/LedgerKeys.ts"
import { poolParameters, price, xlm } from "./support/Bodies.ts"

const filled = (byte: number): Uint8Array => new Uint8Array(32).fill(byte)
const owner = xdr.PublicKey.publicKeyTypeEd25519(filled(0xa1))
const issuer = xdr.PublicKey.publicKeyTypeEd25519(filled(0xb2))
const [ownerHex, issuerHex, otherHex] = ["a1".repeat(32), "b2".repeat(32), "c3".repeat(32)]

const usd = xdr.Asset.assetTypeCreditAlphanum4(new xdr.AlphaNum4({ assetCode: "USD", issuer }))
const long = xdr.Asset.assetTypeCreditAlphanum12(new xdr.AlphaNum12({ assetCode: "DOLLARS", issuer }))
const usdId = `55534400:${issuerHex}`
const longId = `444f4c4c4152530000000000:${issuerHex}`
const pool = new xdr.PoolId(filled(0xc3))
const share = xdr.TrustLineAsset.assetTypePoolShare(pool)
const balanceId = xdr.ClaimableBalanceId.claimableBalanceIdTypeV0(filled(0xc3))
const contract = xdr.ScAddress.scAddressTypeContract(new xdr.ContractId(filled(0xc3)))
const dataKey = keyOfContractData(contract, symbol("a"), "temporary")

/** Keys of every kind, and what their entries are stored under. */
const ids: ReadonlyArray<readonly [kind: string, key: xdr.LedgerKey, id: string]> = [
  ["an account", keyOfAccount(owner), `account:${ownerHex}`],
  ["a trustline", keyOfTrustline(owner, toTrustlineAsset(usd)), `trustline:${ownerHex}:${usdId}`],
  ["a trustline of a long code", keyOfTrustline(owner, toTrustlineAsset(long)), `trustline:${ownerHex}:${longId}`],
  ["a share line", keyOfTrustline(owner, share), `trustline:${ownerHex}:pool:${otherHex}`],
  ["an offer", keyOfOffer(owner, 9_007_199_254_740_993n), `offer:${ownerHex}:9007199254740993`],
  ["a data entry", keyOfData(owner, "a:b"), `data:${ownerHex}:613a62`],
  ["a data entry whose name is no text", keyOfData(owner, Uint8Array.of(0xff, 0)), `data:${ownerHex}:ff00`],
  ["a claimable balance", keyOfClaimableBalance(balanceId), `claimable:${otherHex}`],
  ["a pool", keyOfPool(pool), `pool:${otherHex}`],
  ["a life", keyOfTtl(filled(0xc3)), `ttl:${otherHex}`],
  ["code", keyOfCode(filled(0xc3)), `code:${otherHex}`],
  [
    "a setting",
    keyOfConfigSetting(xdr.ConfigSettingId.configSettingStateArchival),
    "setting:configSettingStateArchival"
  ],
  ["contract data, by its key as it goes over the wire", dataKey, dataKey.toXdr("base64")]
]

describe("an id of an entry", () => {
  for (const [kind, key, id] of ids) {
    it(`of ${kind}`, () => assert.strictEqual(idOf(key), id))
  }

  it("is the same from its parts", () => {
    assert.strictEqual(accountEntryId(owner), `account:${ownerHex}`)
    assert.strictEqual(trustlineEntryId(owner, usd), `trustline:${ownerHex}:${usdId}`)
    assert.strictEqual(trustlineEntryId(owner, share), `trustline:${ownerHex}:pool:${otherHex}`)
    assert.strictEqual(offerEntryId(owner, 7n), `offer:${ownerHex}:7`)
    assert.strictEqual(poolEntryId(pool), `pool:${otherHex}`)
    assert.strictEqual(claimableEntryId(balanceId), `claimable:${otherHex}`)
  })

  it("is that of its key, for entries of every kind", () => {
    const entries = [
      xdr.LedgerEntryData.account(newAccount(owner, 1n, 0n)),
      ...[toTrustlineAsset(usd), share].map((asset) =>
        xdr.LedgerEntryData.trustline(
          new xdr.TrustLineEntry({ accountId: owner, asset, balance: 0n, limit: 1n, flags: 1, ext: xdr.TrustLineEntryExt.v0() })
        )
      ),
      xdr.LedgerEntryData.offer(
        new xdr.OfferEntry({
          sellerId: owner,
          offerId: 7n,
          selling: usd,
          buying: xlm,
          amount: 1n,
          price: price(1, 1),
          flags: 0,
          ext: xdr.OfferEntryExt.v0()
        })
      ),
      xdr.LedgerEntryData.data(
        new xdr.DataEntry({ accountId: owner, dataName: "a", dataValue: new Uint8Array(1), ext: xdr.DataEntryExt.v0() })
      ),
      newClaimableBalance({ balanceId, claimants: [], asset: usd, amount: 1n, clawbackEnabled: false }).data,
      xdr.LedgerEntryData.liquidityPool(
        new xdr.LiquidityPoolEntry({
          liquidityPoolId: pool,
          body: xdr.LiquidityPoolEntryBody.liquidityPoolConstantProduct(
            new xdr.LiquidityPoolEntryConstantProduct({
              params: poolParameters(xlm, usd).constantProduct,
              reserveA: 1n,
              reserveB: 1n,
              totalPoolShares: 1n,
              poolSharesTrustLineCount: 1n
            })
          )
        })
      ),
      contractData(contract, symbol("a"), "temporary", u32(1)),
      contractData(contract, symbol("a"), "persistent", u32(1)),
      contractCode(filled(0xc3), new Uint8Array(1)),
      ttlEntry(dataKey, 9).data,
      xdr.LedgerEntryData.configSetting(xdr.ConfigSettingEntry.configSettingContractMaxSizeBytes(1))
    ].map(newEntry)
    for (const entry of entries) assert.strictEqual(idOfEntry(entry), idOf(keyOf(entry)), entry.data.type)
    assert.strictEqual(new Set(entries.map(idOfEntry)).size, entries.length)
  })
})
