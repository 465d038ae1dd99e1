import { assert, describe, it } from "@effect/vitest"
import { Address, Keypair, xdr } from "@stellar/stellar-sdk"
import { Schema } from "effect"
import {
  belowAccepted,
  feesOfCall,
  isPlayedToItsEnd,
  isUncertain,
  lumensAhead,
  minReceived,
  notGuaranteed,
  tighterSlippages
} from "../../src/close/project/MinReceived.ts"
import { Answers } from "../../src/close/situation/Answers.ts"
import { type AtomicGroup, atomicGroup } from "../../src/close/situation/AtomicGroup.ts"
import { DecisionId } from "../../src/close/situation/DecisionId.ts"
import type { LaterAnswer } from "../../src/close/situation/LaterGifts.ts"
import { called, Freed } from "../../src/close/situation/Progress.ts"
import { AccountAddress, ContractAddress } from "../../src/domain/Address.ts"
import { stroops } from "../../src/domain/Amount.ts"
import { AssetId, native } from "../../src/domain/Asset.ts"
import { blocker } from "../../src/domain/Blocker.ts"
import { Decision } from "../../src/domain/Decision.ts"
import type { Sold } from "../../src/domain/SoldAmount.ts"
import type { Operation } from "../../src/operations/Operations.ts"

type Played = Parameters<typeof belowAccepted>[1]
type Transaction = Played["transactions"][number]
type Limits = Parameters<typeof tighterSlippages>[0]

const address = AccountAddress.make(Keypair.random().publicKey())
const [usd, eur] = ["USD", "EUR"].map((code) => AssetId.make(`${code}:${address}`)) as [AssetId, AssetId]
const tokenOfLater = ContractAddress.make(Address.contract(Buffer.alloc(32, 2)).toString())
const position = DecisionId.asset(usd)

const ended = (result: xdr.TransactionResultResult): xdr.TransactionResult =>
  new xdr.TransactionResult({ feeCharged: 100n, result, ext: xdr.TransactionResultExt.v0() })
const success = ended(xdr.TransactionResultResult.txSuccess([]))
const failure = ended(xdr.TransactionResultResult.txFailed([]))

const merge: Operation = { type: "account_merge", source: address, destination: address }

/** A group of so many operations, or of these. */
const group = (operations: number | ReadonlyArray<Operation> = 1, more: Partial<AtomicGroup> = {}): AtomicGroup => ({
  ...atomicGroup(more.steps ?? [], more),
  operations: typeof operations === "number" ? Array.from({ length: operations }, () => merge) : operations
})

/** A sale of so much of an asset by a path payment. */
const sale = (sendAsset: AssetId, sendAmount: bigint): Operation => ({
  type: "path_payment_strict_send",
  source: address,
  destination: address,
  sendAsset,
  sendAmount: stroops(sendAmount),
  destAsset: native,
  destMin: stroops(1n),
  path: []
})

const transaction = (more: Partial<Transaction> & { readonly fee?: bigint } = {}): Transaction => ({
  reason: null,
  isContract: false,
  progress: null,
  groups: [group()],
  bid: { perOperation: 100n, spendable: 10n ** 9n, affordableOperations: 100 },
  applied: { feeCharged: more.fee ?? 100n, result: success },
  ...more
})

const played = (received: bigint, ...transactions: ReadonlyArray<Transaction>): Played => ({ merges: true, received, transactions })

/** An operation may be bid 5,000 stroops, and a call declare a million. */
const limits = (more: Partial<Limits["input"]> = {}): Limits => ({
  exits: { mostResourceFee: 1_000_000n },
  mostFeePerOperation: 5_000n,
  input: { answers: new Answers([]), feePayer: "source", later: null, accept: null, maxSlippageBps: 100, mostSlippageBps: 100, ...more }
})

const accepting = (minReceivedLumens: bigint, more: Partial<Limits["input"]> = {}): Limits =>
  limits({ accept: { minReceivedLumens: stroops(minReceivedLumens), ledger: 1, had: [] }, ...more })

describe("the least that a destination receives", () => {
  it("takes off the largest fee of each transaction, twice, less the one that is in the projection", () => {
    assert.strictEqual(minReceived(limits(), played(1_000_000n, transaction())), 1_000_000n - (2n * 5_000n - 100n))
    assert.strictEqual(
      minReceived(limits(), played(1_000_000n, transaction({ groups: [group(2), group(3)] }))),
      1_000_000n - (2n * 25_000n - 100n)
    )
    assert.strictEqual(minReceived(limits(), played(1_000_000n, transaction({ groups: [] }))), 1_000_000n - (2n * 5_000n - 100n))
    assert.strictEqual(minReceived(limits(), played(1_000_000n, transaction(), transaction())), 1_000_000n - 2n * (2n * 5_000n - 100n))
  })

  it("takes off no more than the account can pay, and no less than the projection did", () => {
    const poor = transaction({ bid: { perOperation: 100n, spendable: 700n, affordableOperations: 7 } })
    assert.strictEqual(minReceived(limits(), played(1_000_000n, poor)), 1_000_000n - (2n * 700n - 100n))
    const none = transaction({ bid: { perOperation: 100n, spendable: 0n, affordableOperations: 0 } })
    assert.strictEqual(minReceived(limits(), played(1_000_000n, none)), 1_000_000n - (2n * 100n - 100n))
  })

  it("is never below zero", () => {
    assert.strictEqual(minReceived(limits(), played(9_900n, transaction())), 0n)
    assert.strictEqual(minReceived(limits(), played(9_901n, transaction())), 1n)
    assert.strictEqual(minReceived(limits(), played(5n, transaction())), 0n)
  })

  it("takes off no fee where another account pays, unless the mediator's merge is what pays", () => {
    const bumped = limits({ feePayer: "fee_bump" })
    assert.strictEqual(minReceived(bumped, played(1_000_000n, transaction())), 1_000_000n)
    const mediated = transaction({
      reason: "mediator",
      groups: [group(2)],
      bid: { perOperation: 300n, spendable: 10n ** 9n, affordableOperations: 9 }
    })
    for (const one of [bumped, limits()]) {
      assert.strictEqual(minReceived(one, played(1_000_000n, mediated)), 1_000_000n - (2n * 10_000n - 600n))
    }
  })

  it("takes off the resource fee of a call, or what its owner accepts by name", () => {
    const call = transaction({ isContract: true, progress: called({ id: position }, 0) })
    assert.strictEqual(minReceived(limits(), played(10n ** 8n, call)), 10n ** 8n - (2n * 1_005_000n - 100n))
    const named = Schema.decodeSync(Decision)({ id: position, choice: "exit", params: { maxResourceFee: "0.2000000" } })
    assert.strictEqual(
      minReceived(limits({ answers: new Answers([named]) }), played(10n ** 8n, call)),
      10n ** 8n - (2n * 2_005_000n - 100n)
    )
    const other = transaction({ isContract: true, progress: Freed() })
    assert.strictEqual(minReceived(limits(), played(10n ** 8n, other)), 10n ** 8n - (2n * 5_000n - 100n))
    const classic = transaction({ progress: called({ id: position }, 0) })
    assert.strictEqual(minReceived(limits(), played(10n ** 8n, classic)), 10n ** 8n - (2n * 5_000n - 100n))
  })

  it("takes off no fee of a call that leaves a gift of later", () => {
    const gift = DecisionId.token(tokenOfLater)
    const call = transaction({ isContract: true, progress: called({ id: gift }, 0) })
    const later: LaterAnswer = { ledger: 1, had: new Set(), isFull: false, maxLumensEach: null }
    assert.strictEqual(minReceived(limits({ later }), played(10n ** 8n, call)), 10n ** 8n)
    assert.strictEqual(minReceived(limits({ later }), played(10n ** 8n, transaction())), 10n ** 8n - 9_900n)
    assert.strictEqual(minReceived(limits({ later: { ...later, had: new Set([gift]) } }), played(10n ** 8n, call)), 10n ** 8n - 2_009_900n)
  })

  it("takes off of a sale by a call at most what it brings", () => {
    const selling = (floor: bigint, isContract = true) =>
      transaction({ isContract, groups: [group(1, { quoted: { receive: floor + 50n, floor, least: floor } })] })
    // What is lost against the quote comes on top.
    // An attempt that fails costs its fee and brings nothing: of a sale at what it is quoted at, before the price falls to the floor.
    assert.strictEqual(minReceived(limits(), played(1_000_000n, selling(3_000n))), 1_000_000n - (3_050n + 3_000n - 100n) - 50n)
    assert.strictEqual(minReceived(limits(), played(1_000_000n, selling(4_960n))), 1_000_000n - (5_000n + 4_960n - 100n) - 50n)
    assert.strictEqual(minReceived(limits(), played(1_000_000n, selling(5_001n))), 1_000_000n - (10_000n - 100n) - 50n)
    assert.strictEqual(minReceived(limits(), played(1_000_000n, selling(30_000n))), 1_000_000n - (10_000n - 100n) - 50n)
    assert.strictEqual(minReceived(limits(), played(1_000_000n, selling(40n))), 1_000_000n - (90n + 40n - 100n) - 50n)
    assert.strictEqual(minReceived(limits(), played(1_000_000n, selling(10n))), 1_000_000n - 50n)
    assert.strictEqual(minReceived(limits(), played(1_000_000n, selling(3_000n, false))), 1_000_000n - (10_000n - 100n) - 50n)
    // A sale whose owner accepts a fee by name is made even where it costs more than it brings.
    const named = Schema.decodeSync(Decision)({ id: position, choice: "convert_to_native", params: { maxResourceFee: "0.2000000" } })
    const call = { ...selling(3_000n), progress: called({ id: position }, 0) }
    const least = (more: Partial<Limits["input"]>) => minReceived(limits(more), played(10n ** 8n, call))
    assert.strictEqual(least({ answers: new Answers([named]) }), 10n ** 8n - (2n * 2_005_000n - 100n) - 50n)
    const unnamed = Schema.decodeSync(Decision)({ id: position, choice: "convert_to_native" })
    assert.strictEqual(least({ answers: new Answers([unnamed]) }), 10n ** 8n - (3_050n + 3_000n - 100n) - 50n)
    assert.strictEqual(least({}), 10n ** 8n - (3_050n + 3_000n - 100n) - 50n)
  })

  it("counts every sale at its agreed floor, whatever the transaction insists on", () => {
    const sold = group([sale(usd, 1_000n)], { quoted: { receive: 1_000n, floor: 950n, least: 990n } })
    assert.strictEqual(minReceived(limits(), played(1_000_000n, transaction({ groups: [sold] }))), 1_000_000n - 9_900n - 50n)
  })

  it("takes off in full what may lack of a payout, at the price of its sale", () => {
    const lacking = (...mayLack: ReadonlyArray<readonly [AssetId, bigint]>) =>
      transaction({ groups: [group(1, { mayLack: new Map(mayLack) })] })
    const selling = (amount: bigint, asset = usd) =>
      transaction({ groups: [group([sale(asset, amount)], { quoted: { receive: 1_000n, floor: 900n, least: 900n } })] })
    const least = (...all: ReadonlyArray<Transaction>) =>
      1_000_000n - minReceived(limits(), played(1_000_000n, ...all)) - 9_900n * BigInt(all.length)
    assert.strictEqual(least(lacking([native, 70n])), 70n)
    assert.strictEqual(least(lacking([usd, 70n])), 0n)
    // A tenth of what is sold is missing: a tenth of the floor.
    assert.strictEqual(least(lacking([usd, 100n]), selling(1_000n)), 100n + 90n)
    assert.strictEqual(least(lacking([usd, 60n]), lacking([usd, 40n]), selling(1_000n)), 100n + 90n)
    assert.strictEqual(least(lacking([eur, 100n]), selling(1_000n)), 100n)
    assert.strictEqual(least(selling(1_000n), lacking([usd, 100n])), 100n)
    // More is missing than is sold: that sale brings nothing, and the rest is missing of the next one.
    assert.strictEqual(least(lacking([usd, 1_500n]), selling(1_000n), selling(1_000n)), 1_000n + 100n + 450n)
    assert.strictEqual(least(lacking([usd, 500n]), selling(1_000n), selling(1_000n)), 100n + 450n + 100n)
    assert.strictEqual(least(selling(0n)), 100n)
  })

  it("takes off what may lack of a payout at the price of its sale through contracts too", () => {
    const lacking = (of: Sold, amount: bigint) => transaction({ groups: [group(1, { mayLack: new Map([[of, amount]]) })] })
    const selling = (of: Sold, quoted = { receive: 100_000n, floor: 90_000n, least: 90_000n }) =>
      transaction({
        isContract: true,
        groups: [group(1, {
          quoted,
          steps: [{
            type: "HANDLE_TOKENS",
            title: "",
            description: "",
            operations: [],
            moves: { pays: [{ of: native, units: 100_000n }], takes: [{ of: native, units: 1n }, { of, units: 1_000n }] }
          }]
        })]
      })
    const least = (...all: ReadonlyArray<Transaction>) =>
      1_000_000n - minReceived(limits(), played(1_000_000n, ...all)) - 9_900n * BigInt(all.length)
    const unknown = transaction({
      isContract: true,
      groups: [group(1, {
        quoted: { receive: 100_000n, floor: 90_000n, least: 90_000n },
        steps: [{ type: "HANDLE_TOKENS", title: "", description: "", operations: [] }]
      })]
    })
    assert.strictEqual(least(lacking(usd, 100n), unknown, selling(usd)), 20_000n + 9_000n)
    for (const sold of [tokenOfLater, usd]) {
      assert.strictEqual(least(selling(sold)), 10_000n)
      assert.strictEqual(least(lacking(sold, 100n), selling(sold)), 10_000n + 9_000n)
      assert.strictEqual(least(lacking(sold, 100n), selling(sold), selling(sold)), 20_000n + 9_000n)
      assert.strictEqual(least(lacking(sold, 1_500n), selling(sold), selling(sold)), 100_000n + 10_000n + 45_000n)
      assert.strictEqual(least(selling(sold), lacking(sold, 100n)), 10_000n)
    }
    assert.strictEqual(least(lacking(eur, 100n), selling(usd)), 10_000n)
    // A call that sells nothing may take what is missing: that is no sale.
    assert.strictEqual(least(lacking(usd, 100n), selling(usd, { receive: 0n, floor: 0n, least: 0n }), selling(usd)), 19_000n)
  })
})

describe("what the rest of a close brings", () => {
  it("keeps the fee of one attempt at the next transaction, and of two at each later one", () => {
    const { current, guaranteed } = lumensAhead(limits(), played(1_000_000n, transaction(), transaction()))
    assert.deepStrictEqual([current, guaranteed], [1_000_000n - 4_900n - 9_900n, 1_000_000n - 4_900n - 9_900n])
  })

  it("is guaranteed at what the transactions insist on, where that is above what was agreed", () => {
    const sold = (least: bigint) =>
      transaction({ groups: [group([sale(usd, 1_000n)], { quoted: { receive: 1_000n, floor: 950n, least } })] })
    for (const [least, lost] of [[990n, 10n], [900n, 50n]] as const) {
      const { current, guaranteed } = lumensAhead(limits(), played(1_000_000n, sold(least)))
      assert.deepStrictEqual([current, guaranteed], [1_000_000n - 4_900n, 1_000_000n - 4_900n - lost])
    }
  })

  it("counts a sale by a call as quoted, or at its floor", () => {
    const call = transaction({ isContract: true, groups: [group(1, { quoted: { receive: 3_000n, floor: 1_000n, least: 2_000n } })] })
    const { current, guaranteed } = lumensAhead(limits(), played(1_000_000n, call))
    assert.deepStrictEqual([current, guaranteed], [1_000_000n - 2_900n, 1_000_000n - 1_900n - 1_000n])
    assert.strictEqual(minReceived(limits(), played(1_000_000n, call)), 1_000_000n - (3_000n + 1_000n - 100n) - 2_000n)
  })

  it("is known where the last transaction merges and succeeds", () => {
    const failing = transaction({ applied: { feeCharged: 100n, result: failure } })
    assert.isTrue(isPlayedToItsEnd(played(0n, failing, transaction())))
    assert.isFalse(isPlayedToItsEnd(played(0n, transaction(), failing)))
    assert.isFalse(isPlayedToItsEnd(played(0n)))
    assert.isFalse(isPlayedToItsEnd({ ...played(0n, transaction()), merges: false }))
  })

  it("is not known yet where a position is open or something blocks, short of the merge", () => {
    const [whole, part] = [played(0n, transaction()), { ...played(0n, transaction()), merges: false }]
    const blockers = [{ failure: null, shown: blocker("destination_unusable", "It is closed.") }]
    for (const uncertain of [{ open: true, blockers: [] }, { open: false, blockers }, { open: true, blockers }]) {
      assert.isTrue(isUncertain({ ...part, ...uncertain }))
      assert.isFalse(isUncertain({ ...whole, ...uncertain }))
    }
    assert.isFalse(isUncertain({ ...part, open: false, blockers: [] }))
  })
})

describe("an accepted amount", () => {
  const brings = played(1_000_000n, transaction())

  it("is refused where the close brings less at the quotes of now", () => {
    assert.isNull(belowAccepted(accepting(995_100n), brings))
    assert.deepInclude<object | null>(belowAccepted(accepting(995_101n), brings), { accepted: 995_101n, current: 995_100n })
    assert.deepInclude<object | null>(belowAccepted(accepting(1n), played(10n, transaction())), { current: 0n })
    assert.isNull(belowAccepted(limits(), played(0n, transaction())))
    assert.isNull(belowAccepted(accepting(995_101n), { ...brings, merges: false }))
  })

  it("is guaranteed by as much slippage as the quotes leave room for, and by less", () => {
    const sold = played(
      1_000_000n,
      transaction({ groups: [group([sale(usd, 1_000n)], { quoted: { receive: 10_000n, floor: 9_000n, least: 9_000n } })] })
    )
    // The quotes bring 995,100, the floors a thousand less.
    assert.deepStrictEqual(tighterSlippages(accepting(994_100n), sold), [])
    assert.deepStrictEqual(tighterSlippages(accepting(994_101n), sold), [99, 49, 0])
    assert.deepStrictEqual(tighterSlippages(accepting(994_600n), sold), [50, 25, 0])
    assert.deepStrictEqual(tighterSlippages(accepting(994_600n, { mostSlippageBps: 10 }), sold), [5, 2, 0])
    assert.deepStrictEqual(tighterSlippages(accepting(995_090n), sold), [1, 0])
    assert.deepStrictEqual(tighterSlippages(accepting(995_100n), sold), [0])
    assert.deepStrictEqual(tighterSlippages(accepting(995_101n), sold), [])
    assert.deepStrictEqual(tighterSlippages(limits(), sold), [])
    assert.deepStrictEqual(tighterSlippages(accepting(994_600n), { ...sold, merges: false }), [])
  })
})

describe("an accepted amount before an exit", () => {
  const exit = (mayLack: bigint, isContract = true) =>
    transaction({ isContract, groups: [group(1, { mayLack: new Map([[native, mayLack]]) })] })

  it("is refused where what the exit may lack puts it out of reach", () => {
    const left = played(1_000_000n, exit(500n))
    assert.isNull(notGuaranteed(accepting(994_600n), left))
    assert.deepInclude<object | null>(notGuaranteed(accepting(994_601n), left), { accepted: 994_601n, current: 994_600n })
    assert.deepInclude<object | null>(notGuaranteed(accepting(1n), played(10n, exit(500n))), { current: 0n })
    const amongOthers = { ...exit(500n), groups: [group(1), ...exit(500n).groups] }
    assert.isNotNull(notGuaranteed(accepting(994_601n), played(1_000_000n, amongOthers)))
    assert.isNull(notGuaranteed(limits(), left))
    assert.isNull(notGuaranteed(accepting(994_601n), { ...left, merges: false }))
  })

  it("is not judged by what does not leave a position next", () => {
    assert.isNull(notGuaranteed(accepting(994_601n), played(1_000_000n, exit(500n, false))))
    assert.isNull(notGuaranteed(accepting(995_101n), played(1_000_000n, transaction({ isContract: true }))))
    assert.isNull(notGuaranteed(accepting(994_601n), played(1_000_000n, transaction(), exit(500n))))
    assert.isNull(notGuaranteed(accepting(994_601n), played(1_000_000n)))
  })
})

describe("a call that is not projected yet", () => {
  it("may take its largest fee twice, unless another account pays", () => {
    assert.strictEqual(feesOfCall(limits()), 2n * 1_005_000n)
    assert.strictEqual(feesOfCall(limits({ feePayer: "fee_bump" })), 0n)
  })
})
