import { assert, it } from "@effect/vitest"
import { Address, Keypair, xdr } from "@stellar/stellar-sdk"
import { native, toTrustlineAsset } from "../../../src/ledger/Asset.ts"
import { compareKeys } from "../../../src/ledger/soroban/KeyOrder.ts"
import { symbol } from "../../../src/ledger/soroban/Values.ts"
import { accountKey, dataKey, keyOfCode, keyOfContractData, keyOfTtl, offerKey, trustlineKey } from "../../../src/xdr/LedgerKeys.ts"

const owner = Keypair.fromRawEd25519Seed(Buffer.alloc(32, 1)).publicKey()
const contract = (first: number) => Address.contract(Buffer.alloc(32, first)).toScAddress()

/** Of each kind in turn; of one kind, field by field. The text of a value is compared before its length. */
const inOrder = [
  accountKey(owner),
  trustlineKey(owner, toTrustlineAsset(native)),
  offerKey(owner, 1n),
  offerKey(owner, 256n),
  dataKey(owner, "a"),
  keyOfContractData(contract(1), symbol("aa"), "temporary"),
  keyOfContractData(contract(1), symbol("aa"), "persistent"),
  keyOfContractData(contract(1), symbol("b"), "temporary"),
  keyOfContractData(contract(1), xdr.ScVal.scvLedgerKeyContractInstance(), "persistent"),
  keyOfContractData(contract(2), symbol("a"), "temporary"),
  keyOfCode(Buffer.alloc(32, 1)),
  keyOfCode(Buffer.alloc(32, 255)),
  keyOfTtl(Buffer.alloc(32))
]

it("keys come by kind, and keys of contract data by contract, value and durability", () => {
  for (const [at, left] of inOrder.entries()) {
    for (const [place, right] of inOrder.entries()) {
      assert.strictEqual(Math.sign(compareKeys(left, right)), Math.sign(at - place), `${at} ${place}`)
    }
  }
})
