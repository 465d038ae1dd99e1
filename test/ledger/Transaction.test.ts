import { assert, describe, it } from "@effect/vitest"
import { Keypair, xdr } from "@stellar/stellar-sdk"
import { applyTransaction, checkTransaction } from "../../src/ledger/Apply.ts"
import { withFields } from "../../src/ledger/entries/Account.ts"
import { readTransaction } from "../../src/ledger/Transaction.ts"
import { assetOf, begin, bump, merge, pay, setData, setOptions, signerKeyOf, trust, xlm } from "./support/Bodies.ts"
import { versionZero } from "./support/VersionZero.ts"
import { baseFee, bothSay, codesOf, networkPassphrase, signatureOf, type TransactionShape, World } from "./support/World.ts"

const one = () => {
  const world = new World()
  const [account, other] = [world.account(), world.account()]
  return { world, account, other, touch: pay(other, xlm, 1n) }
}

const v2 = (conditions: Partial<ConstructorParameters<typeof xdr.PreconditionsV2>[0]>): TransactionShape => ({
  cond: xdr.Preconditions.precondV2(
    new xdr.PreconditionsV2({
      timeBounds: null,
      ledgerBounds: null,
      minSeqNum: null,
      minSeqAge: 0n,
      minSeqLedgerGap: 0,
      extraSigners: [],
      ...conditions
    })
  )
})

describe("outer envelope", () => {
  it("no signature", () => {
    const { account, touch, world } = one()
    bothSay(world, account, { signers: [] }, "txBadAuth", touch)
  })

  it("bad signature: another network's, and another's with the right hint", () => {
    const { account, touch, world } = one()
    bothSay(world, account, { networkPassphrase: "another network" }, "txBadAuth", touch)
    const wrong = new xdr.DecoratedSignature({ hint: account.rawPublicKey().slice(-4), signature: new Uint8Array(64) })
    bothSay(world, account, { signers: [], extraSignatures: [wrong] }, "txBadAuth", touch)
  })

  it("bad signature: wrong hint", () => {
    const { account, other, touch, world } = one()
    const { hash } = readTransaction(world.envelope(account, [touch]), networkPassphrase)
    const misplaced = new xdr.DecoratedSignature({ hint: other.rawPublicKey().slice(-4), signature: signatureOf(account, hash).signature })
    bothSay(world, account, { signers: [], extraSignatures: [misplaced] }, "txBadAuth", touch)
  })

  it("too many signatures: signed twice, and an unused signature", () => {
    const { account, other, touch, world } = one()
    bothSay(world, account, { signers: [account, account] }, "txBadAuthExtra", touch)
    bothSay(world, account, { signers: [account, other] }, "txBadAuthExtra", touch)
  })

  it("the fee and the sequence number of a failed transaction are used up, and nothing else changes", () => {
    const { account, other, world } = one()
    const before = world.others(account)
    const applied = world.apply(account, [setData("a", "1"), pay(other, assetOf(other), 1n)])
    assert.deepStrictEqual(codesOf(applied), ["txFailed", "manageDataSuccess", "paymentSrcNoTrust"])
    assert.deepStrictEqual(world.others(account), before)
    assert.deepStrictEqual(applied.meta.operations, [[], []])
    assert.strictEqual(world.get(account).balance, 10_000_000_000n - 2n * baseFee)
  })

  it("a check that fails at one operation leaves the others at their initial result", () => {
    const { account, other, world } = one()
    assert.deepStrictEqual(world.check(account, [merge(other), pay(other, xlm, 0n), setData("a", "1")]), [
      "txFailed",
      "accountMergeSuccess",
      "paymentMalformed",
      "manageDataSuccess"
    ])
  })

  it("signatures are checked again when its turn comes: who lost its key fails its own operations", () => {
    const { account, other, world } = one()
    const lost = world.envelope(other, [setOptions({ masterWeight: 0 })])
    const [, applied] = world.close(lost, world.envelope(account, [setData("a", "1"), [other, bump(0n)], setData("b", "1")]))
    assert.deepStrictEqual(codesOf(applied!), ["txFailed", "manageDataSuccess", "opBadAuth", "manageDataSuccess"])
    assert.deepStrictEqual(applied!.meta.operations, [[], [], []])
    assert.isFalse(world.hasData(account, "a"))
  })

  it("on a ledger that contradicts itself it ends in an internal error, and nothing but fee and sequence number changes", () => {
    const { account, world } = one()
    world.succeed(account, [setData("a", "1")])
    world.edit(account, (entry) => withFields(entry, { numSubEntries: 0 }))
    const { balance, seqNum } = world.get(account)
    const envelope = world.envelope(account, [setData("a", null)])
    world.next()
    const applied = applyTransaction(world.state, envelope, { networkPassphrase, signatures: "verify" })
    assert.deepStrictEqual(codesOf(applied), ["txInternalError"])
    world.state = applied.state
    assert.isTrue(world.hasData(account, "a"))
    assert.deepStrictEqual([world.get(account).balance, world.get(account).seqNum], [balance - baseFee, seqNum + 1n])
  })

  it("the envelope without a version reads as the new one", () => {
    const { account, touch, world } = one()
    const modern = world.envelope(account, [touch])
    const { signatures, tx } = modern.type === "envelopeTypeTx" ? modern.v1 : assert.fail("not plain")
    const old = (timeBounds: xdr.TimeBounds | null) => versionZero(tx, { timeBounds, signatures })
    assert.deepStrictEqual(world.checkEnvelope(old(new xdr.TimeBounds({ minTime: 0n, maxTime: 1n }))), ["txTooLate"])
    assert.deepStrictEqual(codesOf(world.submit(old(null))), ["txSuccess", "paymentSuccess"])
  })

  it("assume takes every signature as given, and asks for nothing else", () => {
    const { account, touch, world } = one()
    const unsigned = world.envelope(account, [touch], { signers: [] })
    world.next()
    const options = { networkPassphrase, signatures: "assume" } as const
    assert.isNull(checkTransaction(world.state, unsigned, options))
    assert.deepStrictEqual(codesOf(applyTransaction(world.state, unsigned, options)), ["txSuccess", "paymentSuccess"])
  })
})

describe("common transaction", () => {
  it("fees: below the base fee, surge, and never above the bid", () => {
    const { account, touch, world } = one()
    bothSay(world, account, { fee: baseFee - 1n }, "txInsufficientFee", touch)
    const charged = (fee: bigint, surgeBaseFee: number) =>
      applyTransaction(world.state, world.envelope(account, [touch], { fee }), {
        networkPassphrase,
        signatures: "verify",
        surgeBaseFee
      }).feeCharged
    assert.deepStrictEqual([charged(1_000n, 100), charged(1_000n, 700), charged(1_000n, 5_000)], [100n, 700n, 1_000n])
  })

  it("fees: the answer holds the least that a ledger takes", () => {
    const { account, other, touch, world } = one()
    const bodies = [touch, pay(other, xlm, 0n), touch]
    world.next()
    const result = checkTransaction(world.state, world.envelope(account, bodies, { fee: 9_000n }), {
      networkPassphrase,
      signatures: "verify"
    })
    assert.deepStrictEqual([result?.result.type, result?.feeCharged], ["txFailed", 3n * baseFee])
  })

  it("missing operation", () => {
    const { account, world } = one()
    assert.deepStrictEqual(world.check(account, []), ["txMissingOperation"])
  })

  it("no account", () => {
    const { touch, world } = one()
    const stranger = Keypair.random()
    assert.deepStrictEqual(world.check(stranger, [touch]), ["txNoAccount"])
    const applied = world.apply(stranger, [touch])
    assert.deepStrictEqual([codesOf(applied), applied.feeCharged], [["txNoAccount"], 0n])
  })

  const sequences: ReadonlyArray<readonly [string, bigint, string | null]> = [
    ["same", 0n, "txBadSeq"],
    ["next", 1n, null],
    ["gap", 2n, "txBadSeq"],
    ["past", -1n, "txBadSeq"]
  ]
  for (const [name, offset, code] of sequences) {
    it(`sequence number: ${name}`, () => {
      const { account, touch, world } = one()
      bothSay(world, account, { seqNum: world.get(account).seqNum + offset }, code, touch)
    })
  }

  it("sequence number: the ledger's own starting number is always bad", () => {
    const { account, touch, world } = one()
    const start = BigInt(world.header.ledgerSeq + 2) << 32n
    world.succeed(account, [bump(start - 1n)])
    assert.deepStrictEqual(world.check(account, [touch], { seqNum: start }), ["txBadSeq"])
  })

  it("one that came too late uses up the fee in a ledger and not the number", () => {
    const { account, touch, world } = one()
    const { balance, seqNum } = world.get(account)
    const over = { cond: xdr.Preconditions.precondTime(new xdr.TimeBounds({ minTime: 0n, maxTime: 1n })) }
    assert.deepStrictEqual(codesOf(world.apply(account, [touch], over)), ["txTooLate"])
    assert.deepStrictEqual([world.get(account).balance, world.get(account).seqNum], [balance - baseFee, seqNum])
  })

  it("a bad sequence number uses up the fee in a ledger and not the number", () => {
    const { account, touch, world } = one()
    const before = world.get(account).seqNum
    const applied = world.apply(account, [touch], { seqNum: before + 2n })
    assert.deepStrictEqual([applied.feeCharged, world.get(account).seqNum], [baseFee, before])
  })

  it("time bounds", () => {
    const { account, touch, world } = one()
    const next = () => world.header.closeTime + 5n
    const within = (minTime: bigint, maxTime: bigint) => ({ cond: xdr.Preconditions.precondTime(new xdr.TimeBounds({ minTime, maxTime })) })
    assert.deepStrictEqual(world.check(account, [touch], within(next() + 1n, 0n)), ["txTooEarly"])
    assert.isNull(world.check(account, [touch], within(next(), next())))
    assert.deepStrictEqual(world.check(account, [touch], within(0n, next() - 1n)), ["txTooLate"])
  })

  it("ledger bounds", () => {
    const { account, touch, world } = one()
    const next = () => world.header.ledgerSeq + 1
    const within = (minLedger: number, maxLedger: number) => v2({ ledgerBounds: new xdr.LedgerBounds({ minLedger, maxLedger }) })
    assert.deepStrictEqual(world.check(account, [touch], within(next() + 1, 0)), ["txTooEarly"])
    assert.isNull(world.check(account, [touch], within(next(), next() + 1)))
    assert.isNull(world.check(account, [touch], within(next(), 0)))
    assert.deepStrictEqual(world.check(account, [touch], within(0, next())), ["txTooLate"])
  })

  it("minSeqNum lets the number jump", () => {
    const { account, touch, world } = one()
    const used = world.get(account).seqNum
    bothSay(world, account, { ...v2({ minSeqNum: used + 1n }), seqNum: used + 10n }, "txBadSeq", touch)
    bothSay(world, account, { ...v2({ minSeqNum: used - 1n }), seqNum: used }, "txBadSeq", touch)
    bothSay(world, account, { ...v2({ minSeqNum: used }), seqNum: used + 10n }, null, touch)
    assert.strictEqual(world.get(account).seqNum, used + 10n)
  })

  it("minSeqAge and minSeqLedgerGap count from the last use", () => {
    const { account, touch, world } = one()
    const since = v2({ minSeqAge: world.header.closeTime + 6n })
    assert.deepStrictEqual(world.check(account, [touch], since), ["txBadMinSeqAgeOrGap"], "an account that was never used")
    assert.deepStrictEqual(world.check(account, [touch], v2({ minSeqLedgerGap: world.header.ledgerSeq + 2 })), ["txBadMinSeqAgeOrGap"])
    world.succeed(account, [touch])
    assert.deepStrictEqual(world.check(account, [touch], v2({ minSeqAge: 6n })), ["txBadMinSeqAgeOrGap"])
    assert.deepStrictEqual(world.check(account, [touch], v2({ minSeqLedgerGap: 2 })), ["txBadMinSeqAgeOrGap"])
    assert.isNull(world.check(account, [touch], v2({ minSeqAge: 5n, minSeqLedgerGap: 1 })))
  })

  it("extraSigners: each must sign; duplicates and empty payloads are malformed", () => {
    const { account, other, touch, world } = one()
    const key = signerKeyOf(other)
    const empty = xdr.SignerKey.signerKeyTypeEd25519SignedPayload(
      new xdr.SignerKeyEd25519SignedPayload({ ed25519: other.rawPublicKey(), payload: new Uint8Array() })
    )
    bothSay(world, account, v2({ extraSigners: [key] }), "txBadAuth", touch)
    bothSay(world, account, { ...v2({ extraSigners: [key] }), signers: [account, other] }, null, touch)
    const both = v2({ extraSigners: [key, signerKeyOf(world.account())] })
    bothSay(world, account, { ...both, signers: [account, other] }, "txBadAuth", touch)
    bothSay(world, account, v2({ extraSigners: [key, key] }), "txMalformed", touch)
    bothSay(world, account, v2({ extraSigners: [empty] }), "txMalformed", touch)
    const payload = Buffer.from("what is signed")
    const signed = xdr.SignerKey.signerKeyTypeEd25519SignedPayload(
      new xdr.SignerKeyEd25519SignedPayload({ ed25519: other.rawPublicKey(), payload })
    )
    const hint = other.rawPublicKey().slice(-4).map((byte, at) => byte ^ (payload.at(at - 4) ?? 0))
    const extraSignatures = [new xdr.DecoratedSignature({ hint, signature: signatureOf(other, payload).signature })]
    bothSay(world, account, { ...v2({ extraSigners: [signed] }), extraSignatures }, null, touch)
  })

  it("an open sponsorship at the end", () => {
    const { account, other, world } = one()
    assert.deepStrictEqual(codesOf(world.apply(account, [begin(other), [other, setData("a", "1")]])), ["txBadSponsorship"])
    assert.isFalse(world.hasData(other, "a"))
  })

  it("mux accounts: source of the transaction, of an operation, and destination", () => {
    const { account, other, world } = one()
    const muxed = (pair: Keypair) =>
      xdr.MuxedAccount.keyTypeMuxedEd25519(new xdr.MuxedAccountMed25519({ id: 7n, ed25519: pair.rawPublicKey() }))
    const plain = world.envelope(account, [pay(other, xlm, 1n)])
    const tx = plain.type === "envelopeTypeTx" ? plain.v1.tx : assert.fail("not plain")
    const operation = new xdr.Operation({
      sourceAccount: muxed(account),
      body: xdr.OperationBody.payment(new xdr.PaymentOp({ destination: muxed(other), asset: xlm, amount: 5n }))
    })
    const moved = new xdr.Transaction({ ...tx, sourceAccount: muxed(account), operations: [operation] })
    const wrap = (signatures: Array<xdr.DecoratedSignature>) =>
      xdr.TransactionEnvelope.envelopeTypeTx(new xdr.TransactionV1Envelope({ tx: moved, signatures }))
    const { hash } = readTransaction(wrap([]), networkPassphrase)
    const before = world.get(other).balance
    assert.deepStrictEqual(codesOf(world.submit(wrap([signatureOf(account, hash)]))), ["txSuccess", "paymentSuccess"])
    assert.strictEqual(world.get(other).balance, before + 5n)
  })
})

describe("contract operations", () => {
  const restore = xdr.OperationBody.restoreFootprint(new xdr.RestoreFootprintOp({ ext: xdr.ExtensionPoint.v0() }))

  it("more than one, or beside a classic one", () => {
    const { account, touch, world } = one()
    assert.deepStrictEqual(world.check(account, [restore, restore]), ["txMalformed"])
    assert.deepStrictEqual(world.check(account, [restore, touch]), ["txMalformed"])
    assert.deepStrictEqual(world.check(account, [touch, restore]), ["txMalformed"])
  })

  it("without resources it is malformed", () => {
    const { account, world } = one()
    assert.deepStrictEqual(world.check(account, [restore]), ["txMalformed"])
  })

  it("inflation is not supported", () => {
    const { account, world } = one()
    assert.deepStrictEqual(world.check(account, [xdr.OperationBody.inflation()]), ["txFailed", "opNotSupported"])
  })
})

describe("metadata", () => {
  it("names every stage: fee, sequence number, operations", () => {
    const { account, other, world } = one()
    const { meta } = world.succeed(account, [trust(assetOf(other)), setData("a", "1")])
    const kinds = (changes: ReadonlyArray<xdr.LedgerEntryChange>) => changes.map(({ type }) => type)
    assert.deepStrictEqual(kinds(meta.feeChanges), ["ledgerEntryState", "ledgerEntryUpdated"])
    assert.deepStrictEqual(kinds(meta.txChangesBefore), ["ledgerEntryState", "ledgerEntryUpdated"])
    assert.deepStrictEqual(meta.operations.map(kinds), [
      ["ledgerEntryState", "ledgerEntryUpdated", "ledgerEntryCreated"],
      ["ledgerEntryState", "ledgerEntryUpdated", "ledgerEntryCreated"]
    ])
    assert.deepStrictEqual([meta.txChangesAfter, meta.postFeeChanges], [[], []])
  })

  it("a removal follows the state it ends", () => {
    const { account, world } = one()
    const { meta } = world.succeed(account, [setData("a", "1"), setData("a", null)])
    assert.deepStrictEqual(meta.operations[1]?.map(({ type }) => type).toSorted(), [
      "ledgerEntryRemoved",
      "ledgerEntryState",
      "ledgerEntryState",
      "ledgerEntryUpdated"
    ])
  })
})
