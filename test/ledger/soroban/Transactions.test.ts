import { assert, describe, it } from "@effect/vitest"
import { Keypair, xdr } from "@stellar/stellar-sdk"
import { applyTransaction, checkTransaction } from "../../../src/ledger/Apply.ts"
import { native, toTrustlineAsset } from "../../../src/ledger/Asset.ts"
import { withFields, withLiabilities } from "../../../src/ledger/entries/Account.ts"
import { newEntry } from "../../../src/ledger/entries/LedgerEntry.ts"
import { int64Max } from "../../../src/ledger/Int64.ts"
import { i128, u32 } from "../../../src/ledger/soroban/Values.ts"
import { accountKey, keyOfInstance, keyOfNonce, offerKey, trustlineKey } from "../../../src/xdr/LedgerKeys.ts"
import { assetOf, createAccount } from "../support/Bodies.ts"
import { freeze } from "../support/Freezing.ts"
import { addressOf, codesOf, feeBump } from "../support/World.ts"
import { callOf, madeBy, tree } from "./support/Agreements.ts"
import {
  addressIn,
  addressVal,
  ample,
  baseFee,
  baseReserve,
  ContractWorld,
  lostFee,
  type Shape,
  withResources
} from "./support/ContractWorld.ts"

const one = () => {
  const world = new ContractWorld()
  const [alice, bob] = [world.account(), world.account()]
  const contract = world.asset(native)
  const args = [addressVal(alice), addressVal(bob), i128(5n)]
  const { auth, estimate } = world.succeedSimulating(alice, contract, "transfer", ...args)
  const body = xdr.OperationBody.invokeHostFunction(world.operation(contract, "transfer", args, auth))
  const envelope = (change: Parameters<typeof withResources>[1] = {}, shape: Shape = {}) =>
    world.envelope(alice, body, withResources(estimate.data, change), shape)
  return { world, alice, bob, contract, args, body, data: estimate.data, envelope }
}

const simple = ["txSuccess", "invokeHostFunctionSuccess"]

describe("form of a contract transaction", () => {
  const refused = (name: string, envelope: (setUp: ReturnType<typeof one>) => xdr.TransactionEnvelope, codes: ReadonlyArray<string>) =>
    it(name, () => {
      const setUp = one()
      assert.isNull(setUp.world.check(setUp.envelope()))
      assert.deepStrictEqual(setUp.world.check(envelope(setUp)), codes)
    })

  refused("a memo", ({ envelope }) => envelope({}, { memo: xdr.Memo.memoId(7n) }), ["txSorobanInvalid"])
  refused(
    "a multiplexed source",
    ({ alice, envelope }) =>
      envelope({}, {
        source: xdr.MuxedAccount.keyTypeMuxedEd25519(new xdr.MuxedAccountMed25519({ id: 1n, ed25519: alice.rawPublicKey() }))
      }),
    ["txSorobanInvalid"]
  )
  refused("no resources", ({ envelope }) => envelope({}, { ext: xdr.TransactionExt.v0() }), ["txMalformed"])
  refused("a negative resource fee", ({ envelope }) => envelope({ resourceFee: -1n }, { fee: 100n }), ["txMalformed"])
  refused("a resource fee out of range", ({ envelope }) => envelope({ resourceFee: (1n << 50n) + 1n }, { fee: 100n }), ["txMalformed"])
  refused("a resource fee above the whole fee", ({ data, envelope }) => envelope({}, { fee: data.resourceFee - 1n }), ["txSorobanInvalid"])
  refused("a resource fee below what is declared", ({ envelope }) => envelope({ resourceFee: lostFee(envelope()) - 1n }), [
    "txSorobanInvalid"
  ])
  refused("too low an inclusion fee", ({ data, envelope }) => envelope({}, { fee: data.resourceFee + baseFee - 1n }), ["txInsufficientFee"])
  refused(
    "a key named twice",
    ({ data, envelope }) => envelope({ readOnly: [...data.resources.footprint.readOnly, ...data.resources.footprint.readWrite] }),
    ["txSorobanInvalid"]
  )
  refused("a key no contract may touch", ({ alice, envelope }) => envelope({ readOnly: [offerKey(alice.publicKey(), 1n)] }), [
    "txSorobanInvalid"
  ])
  refused(
    "a trustline of the native asset",
    ({ alice, envelope }) => envelope({ readOnly: [trustlineKey(alice.publicKey(), toTrustlineAsset(native))] }),
    ["txSorobanInvalid"]
  )
  refused(
    "a trustline of the issuer",
    ({ alice, envelope }) => envelope({ readOnly: [trustlineKey(alice.publicKey(), toTrustlineAsset(assetOf(alice)))] }),
    ["txSorobanInvalid"]
  )
  refused("more instructions than there may be", ({ envelope }) => envelope({ instructions: 400_000_001, resourceFee: 10n ** 9n }), [
    "txSorobanInvalid"
  ])
  refused("more bytes read than there may be", ({ envelope }) => envelope({ diskReadBytes: 200_001, resourceFee: 10n ** 8n }), [
    "txSorobanInvalid"
  ])
  refused("more bytes written than there may be", ({ envelope }) => envelope({ writeBytes: 132_097, resourceFee: 10n ** 8n }), [
    "txSorobanInvalid"
  ])
  refused(
    "more entries written than there may be",
    ({ envelope }) =>
      envelope({ readWrite: Array.from({ length: 201 }, () => accountKey(Keypair.random().publicKey())), resourceFee: 10n ** 8n }),
    ["txSorobanInvalid"]
  )
  refused("archived entries named out of bounds", ({ envelope }) => envelope({ archived: [9], resourceFee: 10n ** 8n }), [
    "txSorobanInvalid"
  ])
  refused("a classic entry named as archived", ({ envelope }) => envelope({ archived: [0], resourceFee: 10n ** 8n }), ["txSorobanInvalid"])
  refused(
    "a temporary entry named as archived",
    ({ alice, data, envelope }) =>
      envelope({
        readWrite: [...data.resources.footprint.readWrite, keyOfNonce(addressIn(alice), 1n)],
        archived: [2],
        resourceFee: 10n ** 8n
      }),
    ["txSorobanInvalid"]
  )
  refused(
    "archived entries out of order",
    ({ contract, data, envelope }) =>
      envelope({
        readOnly: [],
        readWrite: [keyOfInstance(contract), ...data.resources.footprint.readWrite],
        archived: [0, 0],
        resourceFee: 10n ** 8n
      }),
    ["txSorobanInvalid"]
  )

  it("that names a frozen key in its footprint is refused, whether it writes or reads it", () => {
    for (const kind of ["readOnly", "readWrite"] as const) {
      const { data, envelope, world } = one()
      const [key] = data.resources.footprint[kind]
      freeze(world, key ?? assert.fail("the footprint is empty"))
      assert.deepStrictEqual(world.check(envelope()), ["txFrozenKeyAccessed"])
    }
  })

  it("the answer to one that is refused holds its resource fee and the least inclusion fee, and nothing where that fee is none", () => {
    const { envelope, world } = one()
    world.next()
    const fee = (change: Parameters<typeof withResources>[1], shape: Shape) =>
      checkTransaction(world.state, envelope(change, shape), world.options)?.feeCharged
    assert.strictEqual(fee({ resourceFee: 10n ** 7n }, { memo: xdr.Memo.memoId(7n) }), 10n ** 7n + baseFee)
    assert.strictEqual(fee({ resourceFee: -1n }, { fee: 100n }), 0n)
  })

  it("a call needs the medium threshold of its source", () => {
    const { alice, envelope, world } = one()
    for (const [medium, outcome] of [[1, null], [2, ["txFailed", "opBadAuth"]]] as const) {
      world.edit(alice, (account) => withFields(account, { thresholds: Uint8Array.of(1, 1, medium, 3) }))
      assert.deepStrictEqual(world.check(envelope()), outcome)
    }
  })

  it("code that is too large, and the contract of an asset with a bad code, are malformed", () => {
    const { alice, world } = one()
    const executable = xdr.ContractExecutable.contractExecutableStellarAsset()
    const create = (contractIdPreimage: xdr.ContractIdPreimage) =>
      xdr.HostFunction.hostFunctionTypeCreateContract(new xdr.CreateContractArgs({ contractIdPreimage, executable }))
    const ofAsset = (code: string) => create(xdr.ContractIdPreimage.contractIdPreimageFromAsset(assetOf(alice, code)))
    const upload = (bytes: number) => xdr.HostFunction.hostFunctionTypeUploadContractWasm(new Uint8Array(bytes))
    const ofAddress = create(madeBy(addressIn(alice)))
    const malformed = ["txFailed", "invokeHostFunctionMalformed"]
    const check = (hostFunction: xdr.HostFunction) => {
      const body = xdr.OperationBody.invokeHostFunction(new xdr.InvokeHostFunctionOp({ hostFunction, auth: [] }))
      return world.check(world.envelope(alice, body, withResources(ample([], []), { resourceFee: 50_000_000n })))
    }
    assert.deepStrictEqual([ofAddress, ofAsset("USD"), ofAsset("U D")].map(check), [null, null, malformed])
    assert.deepStrictEqual([upload(131_072), upload(131_073)].map(check), [null, malformed])
    world.put(newEntry(xdr.LedgerEntryData.configSetting(xdr.ConfigSettingEntry.configSettingContractMaxSizeBytes(100))))
    assert.deepStrictEqual([upload(100), upload(101)].map(check), [null, malformed])
  })

  it("a classic transaction with resources is malformed", () => {
    const { alice, bob, data, world } = one()
    const body = xdr.OperationBody.payment(
      new xdr.PaymentOp({ destination: addressOf(bob), asset: native, amount: 1n })
    )
    assert.deepStrictEqual(world.check(world.envelope(alice, body, data)), ["txMalformed"])
  })
})

describe("footprint and resources at work", () => {
  const failing = (name: string, change: (setUp: ReturnType<typeof one>) => Parameters<typeof withResources>[1], code: string) =>
    it(name, () => {
      const setUp = one()
      const envelope = setUp.envelope({ resourceFee: 10n ** 7n, ...change(setUp) })
      assert.isNull(setUp.world.check(envelope))
      const before = setUp.world.entry(setUp.alice).balance
      const applied = setUp.world.submit(envelope)
      assert.deepStrictEqual(codesOf(applied), ["txFailed", code])
      assert.strictEqual(applied.feeCharged, baseFee + lostFee(envelope), "the refundable part comes back")
      assert.strictEqual(setUp.world.entry(setUp.alice).balance, before - applied.feeCharged)
      assert.deepStrictEqual(applied.receipt?.events, [])
    })

  failing("an entry left out", ({ data }) => ({ readWrite: data.resources.footprint.readWrite.slice(1) }), "invokeHostFunctionTrapped")
  failing("the contract left out", () => ({ readOnly: [] }), "invokeHostFunctionTrapped")
  failing(
    "an entry only to be read",
    ({ data }) => ({ readOnly: [...data.resources.footprint.readOnly, ...data.resources.footprint.readWrite], readWrite: [] }),
    "invokeHostFunctionTrapped"
  )
  failing("too few instructions", () => ({ instructions: 1_000 }), "invokeHostFunctionResourceLimitExceeded")
  failing("too few bytes read from disk", () => ({ diskReadBytes: 10 }), "invokeHostFunctionResourceLimitExceeded")
  failing("too few bytes written", () => ({ writeBytes: 10 }), "invokeHostFunctionResourceLimitExceeded")

  it("too little left for rent and events", () => {
    const { envelope, world } = one()
    const applied = world.submit(envelope({ resourceFee: lostFee(envelope()) + 1n }))
    assert.deepStrictEqual(codesOf(applied), ["txFailed", "invokeHostFunctionInsufficientRefundableFee"])
    assert.strictEqual(applied.receipt?.refund, 1n)
  })

  it("entries of the footprint that are not used count as changed all the same", () => {
    const { bob, data, envelope, world } = one()
    const idle = world.account()
    const applied = world.submit(
      envelope({
        readWrite: [...data.resources.footprint.readWrite, accountKey(idle.publicKey())],
        diskReadBytes: 1000,
        writeBytes: 1000,
        resourceFee: 10n ** 7n
      })
    )
    assert.deepStrictEqual(codesOf(applied), simple)
    assert.strictEqual(world.state.get(accountKey(idle.publicKey()))?.lastModifiedLedgerSeq, world.ledgerSeq)
    assert.strictEqual(world.state.get(accountKey(bob.publicKey()))?.lastModifiedLedgerSeq, world.ledgerSeq)
  })
})

describe("what is left of the resource fee", () => {
  it("comes back to who paid, after the call", () => {
    const { alice, envelope, world } = one()
    const before = world.entry(alice).balance
    const sent = envelope({ resourceFee: 10n ** 7n })
    const applied = world.submit(sent)
    assert.deepStrictEqual(codesOf(applied), simple)
    assert.strictEqual(world.entry(alice).balance, before - 5n - applied.feeCharged)
    assert.strictEqual(applied.feeCharged + (applied.receipt?.refund ?? 0n), 10n ** 7n + baseFee)
    assert.strictEqual(applied.result.feeCharged, applied.feeCharged)
    assert.isAbove(Number(applied.feeCharged), Number(lostFee(sent) + baseFee), "events are paid for")
    assert.strictEqual(applied.meta.postFeeChanges.length, 2)
  })

  it("is charged beside the surge of contract transactions, or of all where those have none of their own", () => {
    for (const surge of [{ surgeContractFee: 300 }, { surgeBaseFee: 300 }, { surgeBaseFee: 900, surgeContractFee: 300 }]) {
      const { data, envelope, world } = one()
      world.next()
      const { feeCharged, receipt } = applyTransaction(world.state, envelope({}, { fee: data.resourceFee + 1_000n }), {
        ...world.options,
        ...surge
      })
      assert.strictEqual(feeCharged + (receipt?.refund ?? 0n), data.resourceFee + 300n)
    }
  })

  it("is sent to the source of a fee bump", () => {
    const { alice, envelope, world } = one()
    const payer = world.account()
    const [alices, payers] = [world.entry(alice).balance, world.entry(payer).balance]
    const inner = envelope({ resourceFee: 10n ** 7n }, { fee: 0n })
    const applied = world.submit(feeBump(payer, 2n * baseFee + 10n ** 7n, inner))
    assert.deepStrictEqual(codesOf(applied), ["txFeeBumpInnerSuccess", ...simple])
    assert.strictEqual(world.entry(alice).balance, alices - 5n)
    assert.strictEqual(world.entry(payer).balance, payers - applied.feeCharged)
    assert.strictEqual(applied.feeCharged, 2n * baseFee + 10n ** 7n - (applied.receipt?.refund ?? 0n))
  })

  it("is lost when the account that paid was merged in the same ledger", () => {
    const { alice, bob, envelope, world } = one()
    const payer = world.account()
    const merge = xdr.OperationBody.accountMerge(addressOf(bob))
    const classic = world.envelope(payer, merge, ample([], []), { ext: xdr.TransactionExt.v0(), fee: baseFee })
    const wrapped = feeBump(payer, 2n * baseFee + 10n ** 7n, envelope({ resourceFee: 10n ** 7n }, { fee: 0n }))
    const [first, second] = world.close(wrapped, classic)
    assert(first !== undefined && second !== undefined)
    assert.deepStrictEqual(codesOf(first), ["txSuccess", "accountMergeSuccess"], "classic transactions come first")
    assert.deepStrictEqual(codesOf(second), ["txFeeBumpInnerSuccess", ...simple])
    assert.strictEqual(second.feeCharged, 2n * baseFee + 10n ** 7n)
    assert.isAbove(Number(second.receipt?.refund ?? 0n), 0)
    assert.deepStrictEqual(second.meta.postFeeChanges, [])
    assert.isUndefined(world.state.get(accountKey(payer.publicKey())))
    assert.isDefined(world.state.get(accountKey(alice.publicKey())))
  })

  it("does not go to an account that was created in the same ledger, and so paid nothing", () => {
    const { alice, body, data, world } = one()
    const fresh = Keypair.random()
    const create = createAccount(fresh, 10n ** 9n)
    const call = world.envelope(fresh, body, withResources(data, { resourceFee: 10n ** 7n }), { seqNum: 1n })
    const [made, mine] = world.close(call, world.envelope(alice, create, ample([], []), { ext: xdr.TransactionExt.v0(), fee: baseFee }))
    assert.deepStrictEqual([made, mine].map((one) => (one === undefined ? [] : codesOf(one))), [["txSuccess", "createAccountSuccess"], [
      "txNoAccount"
    ]])
    assert.deepStrictEqual([mine?.feeCharged, mine?.meta.postFeeChanges], [0n, []])
    assert.strictEqual(world.entry(fresh).balance, 10n ** 9n)
  })

  it("is lost with the transaction when its own source was merged in the same ledger", () => {
    const { alice, bob, envelope, world } = one()
    const call = envelope({ resourceFee: 10n ** 7n })
    const merge = xdr.OperationBody.accountMerge(addressOf(bob))
    const [, mine] = world.close(world.envelope(alice, merge, ample([], []), { ext: xdr.TransactionExt.v0(), fee: baseFee }), call)
    assert(mine !== undefined)
    assert.deepStrictEqual(codesOf(mine), ["txNoAccount"])
    assert.strictEqual(mine.feeCharged, 10n ** 7n + baseFee)
  })

  it("is skipped where offers leave no room for it", () => {
    const { alice, envelope, world } = one()
    const { balance } = world.entry(alice)
    const sent = envelope({ resourceFee: 10n ** 7n })
    world.edit(alice, (account) => withLiabilities(account, new xdr.Liabilities({ buying: int64Max - balance + 10n ** 7n, selling: 0n })))
    const [applied] = world.close(sent)
    assert.strictEqual(applied?.feeCharged, 10n ** 7n + baseFee)
    assert.deepStrictEqual(applied?.meta.postFeeChanges, [])
  })

  it("is given back after every transaction, not before the next one needs it", () => {
    for (const [beyond, codes] of [[0n, simple], [1n, ["txFailed", "invokeHostFunctionTrapped"]]] as const) {
      const { alice, bob, contract, envelope, world } = one()
      world.call(alice, contract, "approve", addressVal(alice), addressVal(bob), i128(1n << 60n), u32(world.ledgerSeq + 100))
      const first = envelope({ resourceFee: 10n ** 7n })
      const free = world.entry(alice).balance - 2n * baseReserve - 10n ** 7n - baseFee - 5n
      const args = (amount: bigint) => [addressVal(bob), addressVal(alice), addressVal(bob), i128(amount)]
      const { auth, estimate } = world.succeedSimulating(bob, contract, "transfer_from", ...args(1n))
      const [entry] = auth
      assert(entry !== undefined)
      const agreed = new xdr.SorobanAuthorizationEntry({
        credentials: entry.credentials,
        rootInvocation: tree(callOf(contract, "transfer_from", args(free + beyond)))
      })
      const body = xdr.OperationBody.invokeHostFunction(world.operation(contract, "transfer_from", args(free + beyond), [agreed]))
      const data = withResources(estimate.data, { diskReadBytes: 2_000, writeBytes: 2_000, resourceFee: 10n ** 7n })
      const [, taken] = world.close(first, world.envelope(bob, body, data))
      assert.deepStrictEqual(taken === undefined ? [] : codesOf(taken), codes)
    }
  })

  it("comes back whole after bad authorization", () => {
    const { envelope, world } = one()
    const sent = envelope({ resourceFee: 10n ** 7n }, { signers: [Keypair.random()] })
    const applied = world.submit(sent)
    assert.deepStrictEqual(codesOf(applied), ["txBadAuth"])
    assert.strictEqual(applied.feeCharged, baseFee + lostFee(sent))
  })
})

describe("metadata", () => {
  it("carries fees, return value and events", () => {
    const { envelope, world } = one()
    const sent = envelope({ resourceFee: 10n ** 7n })
    const { receipt } = world.submit(sent)
    const meta = receipt?.toMeta()
    assert.strictEqual(meta?.returnValue?.type, "scvVoid")
    assert(meta?.ext.type === "v1")
    assert.strictEqual(meta.ext.v1.totalNonRefundableResourceFeeCharged, lostFee(sent))
    assert.strictEqual(meta.ext.v1.rentFeeCharged, 0n)
    assert.isAbove(Number(meta.ext.v1.totalRefundableResourceFeeCharged), 0)
    assert.strictEqual(receipt?.events.length, 1)
  })
})
