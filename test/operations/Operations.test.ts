import { assert, describe, it } from "@effect/vitest"
import { Account, Asset, Keypair, Operation as SdkOperation, StrKey, TransactionBuilder, xdr } from "@stellar/stellar-sdk"
import { envelopeOf, toSdkMemo } from "../../src/close/situation/Envelope.ts"
import { AccountAddress } from "../../src/domain/Address.ts"
import { stroops } from "../../src/domain/Amount.ts"
import { AssetId, native } from "../../src/domain/Asset.ts"
import { baseAccount, MuxedAddress } from "../../src/domain/DestinationAddress.ts"
import type { Memo } from "../../src/domain/Memo.ts"
import { build, decode, levelOf, type Operation } from "../../src/operations/Operations.ts"
import { pairPoolId, poolPair } from "../../src/stellar/Assets.ts"
import { muxedOf } from "../close/support/Muxed.ts"

const address = () => AccountAddress.make(Keypair.random().publicKey())
const source = address()
const other = address()
const issuer = address()
const short = AssetId.make(`USD:${issuer}`)
const long = AssetId.make(`LONGERCODE:${issuer}`)
const [poolA, poolB] = poolPair(long, short)

const every: ReadonlyArray<readonly [Operation, level: string]> = [
  [{ type: "account_merge", source, destination: other }, "high"],
  [{ type: "change_trust", source, asset: short, limit: stroops(0n) }, "med"],
  [{ type: "change_trust", source, asset: `pool:${poolA}/${poolB}`, limit: stroops(0n) }, "med"],
  [{ type: "claim_claimable_balance", source, balanceId: `00000000${"ab".repeat(32)}` }, "low"],
  [{
    type: "liquidity_pool_withdraw",
    source,
    poolId: pairPoolId(native, short),
    shares: stroops(7n),
    minAmountA: stroops(1n),
    minAmountB: stroops(2n)
  }, "med"],
  [{ type: "manage_data", source, name: "note", value: null }, "med"],
  [{ type: "manage_sell_offer", source, offerId: "42", selling: native, buying: long, amount: stroops(0n) }, "med"],
  [{
    type: "path_payment_strict_send",
    source,
    sendAsset: short,
    sendAmount: stroops(9n),
    destination: source,
    destAsset: native,
    destMin: stroops(3n),
    path: [long]
  }, "med"],
  [{ type: "begin_sponsoring_future_reserves", source: other, sponsored: source }, "med"],
  [{ type: "end_sponsoring_future_reserves", source }, "med"],
  ...[
    `account:${other}`,
    `trustline:${other}:USD-${issuer}`,
    `trustline:${other}:${pairPoolId(native, short)}`,
    `offer:${other}:7`,
    `data_entry:${other}:a:name`,
    `signer:${other}:${StrKey.encodeSha256Hash(new Uint8Array(32))}`
  ].map((entry) => [{ type: "revoke_sponsorship" as const, source, entry, owner: other }, "med"] as const),
  [{ type: "revoke_sponsorship", source, entry: `claimable_balance:00000000${"ab".repeat(32)}`, owner: null }, "med"],
  [{
    type: "path_payment_strict_receive",
    source,
    sendAsset: short,
    sendMax: stroops(9n),
    destination: source,
    destAsset: long,
    destAmount: stroops(3n),
    path: [native]
  }, "med"],
  [{ type: "payment", source, asset: short, amount: stroops(5n), destination: issuer }, "med"]
]

describe("operations", () => {
  it("come back from XDR as they went in, at the level the ledger asks for", () => {
    for (const [operation, level] of every) {
      const wire = xdr.Operation.fromXdr(build(operation).toXdr())
      assert.deepStrictEqual(decode(wire, other), operation)
      assert.strictEqual(levelOf(operation), level)
    }
  })

  it("equal what the SDK builds", () => {
    const built = (index: number) => build(every[index]![0]).toXdr("base64")
    assert.strictEqual(built(0), SdkOperation.accountMerge({ source, destination: other }).toXdr("base64"))
    assert.strictEqual(built(1), SdkOperation.changeTrust({ source, asset: new Asset("USD", issuer), limit: "0" }).toXdr("base64"))
    assert.strictEqual(built(5), SdkOperation.manageData({ source, name: "note", value: null }).toXdr("base64"))
    assert.strictEqual(
      built(4),
      SdkOperation.liquidityPoolWithdraw({
        source,
        liquidityPoolId: pairPoolId(native, short),
        amount: "0.0000007",
        minAmountA: "0.0000001",
        minAmountB: "0.0000002"
      }).toXdr("base64")
    )
    assert.strictEqual(
      built(7),
      SdkOperation.pathPaymentStrictSend({
        source,
        sendAsset: new Asset("USD", issuer),
        sendAmount: "0.0000009",
        destination: source,
        destAsset: Asset.native(),
        destMin: "0.0000003",
        path: [new Asset("LONGERCODE", issuer)]
      }).toXdr("base64")
    )
  })

  it("stand in the envelope that the SDK would build, byte for byte, whatever the memo", () => {
    const memos: ReadonlyArray<Memo | null> = [
      null,
      { type: "text", value: "to whom" },
      { type: "id", value: "18446744073709551615" },
      { type: "hash", value: "ab".repeat(32) },
      { type: "return", value: "cd".repeat(32) }
    ]
    for (const memo of memos) {
      const operations = every.map(([operation]) => operation)
      const bounds = { maxTime: 1_800_000_000n, maxLedger: 4_000_000_000 }
      const ours = envelopeOf({ source, currentSequence: 7n << 40n, operations, feePerOperation: 100n, memo, ...bounds })
      const builder = new TransactionBuilder(new Account(source, String(7n << 40n)), {
        fee: "100",
        networkPassphrase: "any",
        memo: toSdkMemo(memo)
      })
      for (const operation of operations) builder.addOperation(build(operation))
      const theirs = builder.setTimebounds(0, Number(bounds.maxTime)).setLedgerbounds(0, bounds.maxLedger).build().toEnvelope()
      assert.strictEqual(ours.toXdr("base64"), theirs.toXdr("base64"))
    }
    const [first] = every.map(([operation]) => operation)
    const tooMuch = { source, currentSequence: 1n, operations: [first!], feePerOperation: 2n ** 32n, memo: null, maxTime: 1n, maxLedger: 1 }
    assert.throws(() => envelopeOf(tooMuch), RangeError)
    const most = envelopeOf({ ...tooMuch, feePerOperation: 2n ** 32n - 1n })
    assert.strictEqual(most.type === "envelopeTypeTx" ? most.v1.tx.fee : null, 2 ** 32 - 1)
  })

  it("take the transaction's source where they name none", () => {
    assert.deepStrictEqual(decode(SdkOperation.accountMerge({ destination: other }), source), every[0]![0])
  })

  it("keep the id of who receives, from the smallest to the largest", () => {
    for (const id of [0n, 7n, 2n ** 63n, 2n ** 64n - 1n]) {
      const destination = MuxedAddress.make(muxedOf(other, id))
      const ours: ReadonlyArray<Operation> = [
        { type: "account_merge", source, destination },
        { type: "payment", source, destination, asset: native, amount: stroops(1n) }
      ]
      const theirs = [
        SdkOperation.accountMerge({ source, destination }),
        SdkOperation.payment({ source, destination, asset: Asset.native(), amount: "0.0000001" })
      ]
      assert.deepStrictEqual(ours.map((one) => build(one).toXdr("base64")), theirs.map((one) => one.toXdr("base64")))
      assert.deepStrictEqual<ReadonlyArray<Operation | null>>(theirs.map((one) => decode(one, source)), ours)
      assert.strictEqual(baseAccount(destination), other)
    }
  })

  it("do not admit what the service never builds", () => {
    const foreign: ReadonlyArray<xdr.Operation> = [
      SdkOperation.manageData({ name: "note", value: "written" }),
      SdkOperation.manageSellOffer({ selling: Asset.native(), buying: new Asset("USD", issuer), amount: "1", price: "1", offerId: 42 }),
      SdkOperation.setOptions({ masterWeight: 0 }),
      SdkOperation.accountMerge({ destination: other, source: muxedOf(source, 7n) }),
      SdkOperation.payment({ destination: other, asset: Asset.native(), amount: "1", source: muxedOf(source, 7n) }),
      SdkOperation.createAccount({ destination: other, startingBalance: "1" }),
      SdkOperation.bumpSequence({ bumpTo: "9" })
    ]
    for (const operation of foreign) assert.isNull(decode(operation, source))
  })
})
