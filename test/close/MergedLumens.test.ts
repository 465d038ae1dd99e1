import { assert, describe, it } from "@effect/vitest"
import { Keypair, xdr } from "@stellar/stellar-sdk"
import { receivedLumens, withMergedLumens } from "../../src/close/project/MergedLumens.ts"
import { atomicGroup } from "../../src/close/situation/AtomicGroup.ts"
import { AccountAddress } from "../../src/domain/Address.ts"
import { stroops } from "../../src/domain/Amount.ts"
import { native } from "../../src/domain/Asset.ts"
import type { Operation } from "../../src/operations/Operations.ts"

type Played = Parameters<typeof receivedLumens>[0]

const address = AccountAddress.make(Keypair.random().publicKey())

const done = (code: xdr.OperationResultTr) => xdr.OperationResult.opInner(code)
const merged = (amount: bigint) => done(xdr.OperationResultTr.accountMerge(xdr.AccountMergeResult.accountMergeSuccess(amount)))
const refused = done(xdr.OperationResultTr.accountMerge(xdr.AccountMergeResult.accountMergeHasSubEntries()))
const paid = done(xdr.OperationResultTr.payment(xdr.PaymentResult.paymentSuccess()))

const outcome = (result: xdr.TransactionResultResult) => ({
  result: new xdr.TransactionResult({ feeCharged: 100n, result, ext: xdr.TransactionResultExt.v0() })
})

const succeeded = (...results: Array<xdr.OperationResult>) => outcome(xdr.TransactionResultResult.txSuccess(results))

const played = (more: Partial<Played>): Played => ({ applied: succeeded(), groups: [], merges: true, reason: null, ...more })

const merge: Operation = { type: "account_merge", source: address, destination: address }
const payment = (amount: bigint): Operation => ({
  type: "payment",
  source: address,
  destination: address,
  asset: native,
  amount: stroops(amount)
})

const step = (...operations: ReadonlyArray<Operation>) => ({ type: "MERGE" as const, title: "", description: "", operations })

describe("what the destination receives from a transaction", () => {
  it("is what its last operation merged", () => {
    assert.strictEqual(receivedLumens(played({ applied: succeeded(merged(7n)) })), 7n)
    assert.strictEqual(receivedLumens(played({ applied: succeeded(merged(5n), merged(7n)) })), 7n)
  })

  it("is nothing where it ends otherwise, is not to merge, or fails", () => {
    const none = [
      played({}),
      played({ applied: succeeded(merged(7n), paid) }),
      played({ applied: succeeded(refused) }),
      played({ applied: succeeded(xdr.OperationResult.opNoAccount()) }),
      played({ applied: succeeded(merged(7n)), merges: false }),
      played({ applied: outcome(xdr.TransactionResultResult.txFailed([merged(7n)])) })
    ]
    for (const one of none) assert.strictEqual(receivedLumens(one), 0n)
  })

  it("is what the mediator pays on where it goes through one, whatever was merged", () => {
    const groups = [atomicGroup([step(merge, payment(3n))]), atomicGroup([step(payment(2n)), step(payment(1n))])]
    const mediated = played({ applied: succeeded(merged(9n), paid), groups, reason: "mediator" })
    assert.strictEqual(receivedLumens(mediated), 6n)
    assert.strictEqual(receivedLumens({ ...mediated, merges: false }), 0n)
    assert.strictEqual(receivedLumens({ ...mediated, applied: outcome(xdr.TransactionResultResult.txFailed([])) }), 0n)
  })
})

describe("the merge of a plan that was played to its end", () => {
  const other = { ...step(), type: "HANDLE_ASSETS" as const, title: "Sell" }
  const closing = { ...step(merge), title: "Merge", entry: address }
  const groups = [atomicGroup([other, closing])]
  const last = played({ applied: succeeded(paid, merged(30_000_000n)), groups })

  it("says how many lumens arrive, where to, and what it takes out of the account", () => {
    const before = played({ groups, merges: false })
    const [first, after = last] = withMergedLumens([before, last], 25_000_000n)
    assert.deepStrictEqual(first, before)
    assert.deepStrictEqual(after.groups[0]?.steps, [
      other,
      { ...closing, title: `Merge: 2.5 XLM go to ${address}`, moves: { pays: [], takes: [{ of: native, units: 30_000_000n }] } }
    ])
    assert.deepStrictEqual({ ...after, groups }, last)
  })

  it("says nothing where nothing arrives, or nothing was merged", () => {
    for (const received of [0n, -1n]) assert.deepStrictEqual(withMergedLumens([last], received), [last])
    for (const applied of [succeeded(paid), succeeded(merged(0n))]) {
      assert.deepStrictEqual(withMergedLumens([{ ...last, applied }], 5n), [{ ...last, applied }])
    }
  })
})
