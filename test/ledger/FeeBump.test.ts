import { assert, describe, it } from "@effect/vitest"
import { Keypair, type xdr } from "@stellar/stellar-sdk"
import { checkTransaction } from "../../src/ledger/Apply.ts"
import { readTransaction } from "../../src/ledger/Transaction.ts"
import { assetOf, merge, pay, preAuth, setData, setSigner, xlm } from "./support/Bodies.ts"
import { baseFee, baseReserve, codesOf, feeBump, networkPassphrase, World } from "./support/World.ts"

const scene = () => {
  const world = new World()
  const [account, payer] = [world.account(), world.account()]
  return { world, account, payer, inner: (fee = baseFee) => world.envelope(account, [pay(payer, xlm, 1n)], { fee }) }
}

/** What the queue says of an envelope: a code and a fee; null: it is valid. */
const told = (world: World, envelope: xdr.TransactionEnvelope) => {
  world.next()
  const result = checkTransaction(world.state, envelope, { networkPassphrase, signatures: "verify" })
  return result === null ? null : [result.result.type, result.feeCharged]
}

describe("fee bump transactions", () => {
  it("insufficient fee: below two base fees", () => {
    const { inner, payer, world } = scene()
    assert.deepStrictEqual(world.checkEnvelope(feeBump(payer, 2n * baseFee - 1n, inner())), ["txInsufficientFee"])
    assert.isNull(world.checkEnvelope(feeBump(payer, 2n * baseFee, inner())))
    assert.deepStrictEqual(told(world, feeBump(payer, 2n * baseFee - 1n, inner(0n))), ["txInsufficientFee", 2n * baseFee])
    assert.deepStrictEqual(told(world, feeBump(payer, -1n, inner())), ["txMalformed", 0n])
    assert.strictEqual(world.submit(feeBump(payer, -1n, inner())).feeCharged, 0n, "a ledger gives nothing for a bid below nothing")
    assert.deepStrictEqual(told(world, feeBump(payer, 0n, inner())), ["txInsufficientFee", 2n * baseFee])
  })

  it("insufficient fee: the rate must not fall, and the answer holds what is needed", () => {
    const { account, inner, payer, world } = scene()
    assert.deepStrictEqual(told(world, feeBump(payer, 2n * baseFee, inner(baseFee + 1n))), ["txInsufficientFee", 2n * (baseFee + 1n)])
    assert.isNull(world.checkEnvelope(feeBump(payer, 2n * (baseFee + 1n), inner(baseFee + 1n))))
    // A stroop over three base fees, for four operations instead of three: rounded up.
    const three = world.envelope(account, [setData("a", "1"), setData("b", "1"), setData("c", "1")], { fee: 3n * baseFee + 1n })
    assert.deepStrictEqual(told(world, feeBump(payer, 4n * baseFee + 1n, three)), ["txInsufficientFee", 4n * baseFee + 2n])
    assert.isNull(told(world, feeBump(payer, 4n * baseFee + 2n, three)))
  })

  it("fee source does not exist", () => {
    const { inner, world } = scene()
    const stranger = Keypair.random()
    const envelope = feeBump(stranger, 2n * baseFee, inner())
    assert.deepStrictEqual(world.checkEnvelope(envelope), ["txNoAccount"])
    const before = [...world.state.entries()]
    const applied = world.submit(envelope)
    assert.deepStrictEqual([codesOf(applied), applied.feeCharged], [["txNoAccount"], 0n])
    assert.deepStrictEqual(applied.meta, { feeChanges: [], txChangesBefore: [], operations: [], txChangesAfter: [], postFeeChanges: [] })
    assert.deepStrictEqual([...world.state.entries()], before)
  })

  it("bad signatures: missing, of someone else, extra", () => {
    const { account, inner, payer, world } = scene()
    assert.deepStrictEqual(world.checkEnvelope(feeBump(payer, 2n * baseFee, inner(), [])), ["txBadAuth"])
    assert.deepStrictEqual(world.checkEnvelope(feeBump(payer, 2n * baseFee, inner(), [account])), ["txBadAuth"])
    assert.deepStrictEqual(world.checkEnvelope(feeBump(payer, 2n * baseFee, inner(), [payer, account])), ["txBadAuthExtra"])
  })

  it("insufficient balance of the fee source", () => {
    const { inner, payer, world } = scene()
    world.setBalance(payer, 2n * baseReserve + 2n * baseFee - 1n)
    assert.deepStrictEqual(world.checkEnvelope(feeBump(payer, 2n * baseFee, inner())), ["txInsufficientBalance"])
    world.setBalance(payer, 2n * baseReserve + 2n * baseFee)
    assert.isNull(world.checkEnvelope(feeBump(payer, 2n * baseFee, inner())))
  })

  it("inner transaction invalid: transaction level and operation level", () => {
    const { account, payer, world } = scene()
    const late = world.envelope(account, [pay(payer, xlm, 1n)], { seqNum: 1n })
    assert.deepStrictEqual(world.checkEnvelope(feeBump(payer, 2n * baseFee, late)), ["txFeeBumpInnerFailed", "txBadSeq"])
    assert.deepStrictEqual(told(world, feeBump(payer, 2n * baseFee, late)), ["txFeeBumpInnerFailed", 2n * baseFee])
    const bad = world.envelope(account, [pay(payer, xlm, 0n)])
    assert.deepStrictEqual(world.checkEnvelope(feeBump(payer, 2n * baseFee, bad)), ["txFeeBumpInnerFailed", "txFailed", "paymentMalformed"])
    const unsigned = world.envelope(account, [pay(payer, xlm, 1n)], { signers: [] })
    assert.deepStrictEqual(world.checkEnvelope(feeBump(payer, 2n * baseFee, unsigned)), ["txFeeBumpInnerFailed", "txBadAuth"])
  })

  it("the inner source needs no balance for a fee of zero", () => {
    const { account, payer, world } = scene()
    world.setBalance(account, 2n * baseReserve)
    const envelope = feeBump(payer, 2n * baseFee, world.envelope(account, [merge(payer)], { fee: 0n }))
    assert.isNull(world.checkEnvelope(envelope))
    const applied = world.submit(envelope)
    assert.deepStrictEqual(codesOf(applied), ["txFeeBumpInnerSuccess", "txSuccess", "accountMergeSuccess"])
    assert.strictEqual(applied.feeCharged, 2n * baseFee)
  })

  it("apply: success, failure, and a merged inner source", () => {
    const { account, inner, payer, world } = scene()
    const first = world.submit(feeBump(payer, 20n * baseFee, inner()))
    assert.deepStrictEqual([codesOf(first)[0], first.feeCharged], ["txFeeBumpInnerSuccess", 2n * baseFee])
    const pair = first.result.result.type === "txFeeBumpInnerSuccess" ? first.result.result.innerResultPair : assert.fail("no pair")
    assert.strictEqual(pair.result.feeCharged, 0n)
    const failing = world.envelope(account, [pay(payer, assetOf(payer), 1n)])
    assert.deepStrictEqual(codesOf(world.submit(feeBump(payer, 2n * baseFee, failing))), [
      "txFeeBumpInnerFailed",
      "txFailed",
      "paymentSrcNoTrust"
    ])
    const gone = inner()
    world.succeed(account, [merge(payer)], { seqNum: world.get(account).seqNum + 1n })
    assert.deepStrictEqual(codesOf(world.submit(feeBump(payer, 2n * baseFee, gone))), ["txFeeBumpInnerFailed", "txNoAccount"])
  })

  it("one-time signer removal: of the fee source by the outer hash, of the inner source by the inner one", () => {
    const { account, payer, world } = scene()
    const inner = world.envelope(account, [setData("a", "1")], { seqNum: world.get(account).seqNum + 2n, signers: [] })
    const outer = feeBump(payer, 2n * baseFee, inner, [])
    world.succeed(account, [setSigner(preAuth(readTransaction(inner, networkPassphrase).hash), 1)])
    world.succeed(payer, [setSigner(preAuth(readTransaction(outer, networkPassphrase).hash), 1)])
    const applied = world.submit(outer)
    assert.deepStrictEqual(codesOf(applied), ["txFeeBumpInnerSuccess", "txSuccess", "manageDataSuccess"])
    assert.deepStrictEqual([world.get(account).signers, world.get(payer).signers], [[], []])
    assert.strictEqual(applied.meta.txChangesBefore.length, 4, "fee source and inner source")
  })
})
