import { assert, describe, it } from "@effect/vitest"
import type { xdr } from "@stellar/stellar-sdk"
import { HashSet } from "effect"
import { atOnce } from "../../src/chain/pace/Turns.ts"
import { type NextTransaction, nextTransaction, type PlannedTransaction, simulatedIn } from "../../src/close/project/PlannedTransaction.ts"
import { type Exits, noExits } from "../../src/close/situation/Exits.ts"
import { called, Freed, nothingDone, TrustlinesMade } from "../../src/close/situation/Progress.ts"
import type { Situation } from "../../src/close/situation/Situation.ts"
import {
  begin,
  claimant,
  deposit,
  end,
  pay,
  setApart,
  setData,
  setOptions,
  setSigner,
  signerKeyOf,
  trust,
  trustPool,
  xlm
} from "../ledger/support/Bodies.ts"
import { baseFee, baseReserve, codesOf } from "../ledger/support/World.ts"
import { leave, token } from "./leaving/support/Simulating.ts"
import { exitOf, smallClose, throughMediator } from "./support/SmallClose.ts"

type Scene = ReturnType<typeof smallClose>

/** A close of an account with so many data entries, and so many stroops to spend; left out: plenty. */
const withData = (count: number, above?: bigint): Scene => {
  const scene = smallClose()
  const { source, world } = scene
  const names = Array.from({ length: count }, (_, at) => `entry ${at}`)
  for (let at = 0; at < count; at += 100) world.succeed(source, names.slice(at, at + 100).map((name) => setData(name, "x")))
  if (above !== undefined) world.setBalance(source, BigInt(2 + count) * baseReserve + above)
  return scene
}

/** A close of an account with a thousand units of an asset. */
const withAsset = (): Scene => {
  const scene = smallClose()
  const { issuer, source, usd, world } = scene
  world.succeed(source, [trust(usd)])
  world.succeed(issuer, [pay(source, usd, 1_000n)])
  return scene
}

const played = (situation: Situation, mayMerge = true, done = nothingDone, ledgerState = situation.ledgerState): NextTransaction =>
  atOnce(nextTransaction(situation, ledgerState, mayMerge, done))

/** The transaction that comes next. */
const next = (...given: Parameters<typeof played>): PlannedTransaction => {
  const found = played(...given)
  return found._tag === "Transaction" ? found : assert.fail(found._tag)
}

const plainOf = ({ envelope }: PlannedTransaction): xdr.Transaction =>
  envelope.type === "envelopeTypeTx" ? envelope.v1.tx : assert.fail("no plain envelope")

/** The kinds of what stands in a transaction. */
const kindsOf = (one: PlannedTransaction) => plainOf(one).operations.map(({ body }) => body.type)

/** The kinds with how many there are of each. */
const runsOf = (one: PlannedTransaction) => [...Map.groupBy(kindsOf(one), (kind) => kind)].map(([kind, all]) => [kind, all.length])

const exits = (...planned: Exits["planned"]): Pick<Situation, "exits"> => ({ exits: { ...noExits, inclusionFee: 200n, planned } })

describe("where a transaction was simulated", () => {
  it("is its ledger, or nothing where the model applied it", () => {
    const one = next(smallClose().situation())
    assert.deepStrictEqual([simulatedIn(one), simulatedIn({ ...one, simulatedAt: 7 })], [null, { ledger: 7 }])
  })
})

describe("a classic transaction", () => {
  it("is an unsigned envelope with what it does on the ledger", () => {
    const { address, situation: at, source, to, world } = withData(1)
    const situation = at()
    const one = next(situation)
    const { fee, memo, operations, seqNum } = plainOf(one)
    assert.deepStrictEqual([fee, memo.type, operations.length, seqNum], [200, "memoNone", 2, world.get(source).seqNum + 1n])
    assert.deepStrictEqual(kindsOf(one), ["manageData", "accountMerge"])
    const { applied, call, doubt, groups, holdings, isContract, ledgerState, merges, progress, reason, simulatedAt } = one
    assert.deepStrictEqual({ call, doubt, isContract, merges, progress, reason, simulatedAt }, {
      call: null,
      doubt: null,
      isContract: false,
      merges: true,
      progress: null,
      reason: null,
      simulatedAt: null
    })
    assert.deepStrictEqual(groups.map(({ steps }) => steps.map(({ entry, type }) => [type, entry])), [
      [["REMOVE_DATA_ENTRIES", "entry 0"]],
      [["MERGE", to]]
    ])
    assert.strictEqual(holdings.address, address)
    assert.strictEqual(ledgerState, situation.ledgerState)
    assert.deepStrictEqual(codesOf(applied), ["txSuccess", "manageDataSuccess", "accountMergeSuccess"])
    assert.strictEqual(applied.feeCharged, 200n)
  })

  it("is valid as long as its signers need: a merge needs the high threshold, anything else the medium one", () => {
    const validity = (medThreshold: number, mayMerge: boolean) => {
      const { maker, situation: at, source, world } = withData(1)
      world.succeed(source, [setSigner(signerKeyOf(maker), 1), setOptions({ medThreshold, highThreshold: 2 })])
      const situation = at()
      const { closeTime, ledgerSeq } = situation.ledgerState.header
      const one = next(situation, mayMerge)
      const { cond } = plainOf(one)
      const bounds = cond.type === "precondV2" ? [cond.v2.timeBounds?.maxTime, cond.v2.ledgerBounds?.maxLedger] : []
      assert.deepStrictEqual(bounds, [one.validUntil, one.validUntilLedger])
      return [one.merges, one.validUntil - closeTime, one.validUntilLedger - (ledgerSeq - 1)]
    }
    assert.deepStrictEqual([validity(1, false), validity(1, true)], [[false, 300n, 90], [true, 1_800n, 540]])
    assert.deepStrictEqual(validity(2, false), [false, 1_800n, 540])
  })

  it("bears the memo only where it merges, and merges apart from what pays others then", () => {
    const { situation: at } = withAsset()
    const bare = at()
    const situation: Situation = { ...bare, input: { ...bare.input, memo: { type: "text", value: "42" } } }
    const first = next(situation)
    const second = next(situation, true, nothingDone, first.applied.state)
    assert.deepStrictEqual(
      [first, second].map((one) => [one.merges, one.reason, plainOf(one).memo.type, runsOf(one)]),
      [[false, null, "memoNone", [["payment", 1], ["changeTrust", 1]]], [true, null, "memoText", [["accountMerge", 1]]]]
    )
    assert.deepStrictEqual(next(bare).merges, true)
  })

  it("offers what is suggested where another account pays, and its envelope nothing", () => {
    const one = next(withData(1, 0n).situation([], { feePayer: "fee_bump", feePerOperation: 500n }))
    assert.deepStrictEqual([one.bid.perOperation, plainOf(one).fee, one.applied.feeCharged], [500n, 0, 0n])
    assert.deepStrictEqual(codesOf(one.applied).slice(0, 2), ["txFeeBumpInnerSuccess", "txSuccess"])
  })
})

describe("what a transaction offers", () => {
  /** A close that claims units on a new trustline, with 0.6 lumens to spend. */
  const claiming = () => {
    const { issuer, situation, source, usd, usdId, world } = smallClose()
    world.succeed(issuer, [setApart(usd, 10n, claimant(source))])
    world.setBalance(source, 2n * baseReserve + 6_000_000n)
    const claim = { id: `claims:${usdId.replace(":", "-")}`, choice: "add_trustline_then_claim" }
    return situation([claim], { feePerOperation: 500_000n })
  }

  it("is as much of the suggested fee as leaves its operations what they need", () => {
    const one = next(claiming())
    assert.deepStrictEqual(kindsOf(one), ["changeTrust", "claimClaimableBalance", "payment", "changeTrust", "accountMerge"])
    // A half of it still leaves less than the reserve of the trustline, a quarter leaves enough.
    assert.deepStrictEqual([one.bid.perOperation, plainOf(one).fee], [125_000n, 625_000])
    assert.strictEqual(codesOf(one.applied)[0], "txSuccess")
  })

  it("is the suggested fee where that leaves enough", () => {
    const one = next(withData(1).situation([], { feePerOperation: 500n }))
    assert.deepStrictEqual([one.bid.perOperation, plainOf(one).fee], [500n, 1_000])
  })

  it("is what a few operations can pay where a hundred could not", () => {
    const one = next(withData(1, 600n).situation([], { feePerOperation: 500n }))
    assert.deepStrictEqual([one.bid.perOperation, plainOf(one).fee], [300n, 600])
  })

  it("stays as it is where the transaction fails anyway", () => {
    const { situation, source, world } = smallClose()
    world.succeed(source, [setOptions({ setFlags: 4 })])
    world.setBalance(source, 2n * baseReserve + 200_000n)
    const one = next(situation([], { feePerOperation: 1_000n }))
    assert.deepStrictEqual(codesOf(one.applied), ["txFailed", "accountMergeImmutableSet"])
    assert.deepStrictEqual([one.bid.perOperation, plainOf(one).fee], [1_000n, 1_000])
  })
})

describe("the reason of a transaction that is not the last", () => {
  it("is that it holds a hundred operations, however many can be paid", () => {
    const { situation, source, world } = withData(101)
    for (const above of [100n ** 4n, 100n * baseFee]) {
      world.setBalance(source, 103n * baseReserve + above)
      const one = next(situation())
      assert.deepStrictEqual([one.reason, one.merges, runsOf(one)], ["op_batch", false, [["manageData", 100]]])
    }
  })

  it("is the same where no more bytes fit, however few operations can be paid", () => {
    const one = next(withData(40, 50n * baseFee).situation([], { envelopeLimit: 1_000 }))
    assert.deepStrictEqual([one.reason, one.merges], ["op_batch", false])
    assert.isBelow(kindsOf(one).length, 40)
  })

  it("is that it frees lumens where fewer can be paid", () => {
    const one = next(withData(4, 2n * baseFee + 99n).situation())
    assert.deepStrictEqual([one.reason, one.merges, runsOf(one)], ["frees_lumens", false, [["manageData", 2]]])
  })

  it("is that amounts are read again after it", () => {
    const { situation, source, usd, world } = withAsset()
    world.succeed(source, [trustPool(xlm, usd), deposit(xlm, usd, 500n, 500n)])
    const one = next(situation())
    assert.deepStrictEqual([one.reason, one.merges, kindsOf(one)], ["reread_needed", false, ["liquidityPoolWithdraw", "changeTrust"]])
  })
})

describe("no transaction", () => {
  it("is left where the account is gone", () => {
    const { situation: at } = smallClose()
    const situation = at()
    assert.deepStrictEqual(played(situation, true, nothingDone, next(situation).applied.state), { _tag: "NothingLeft" })
  })

  it("is left where all is done, and nothing may or can be merged", () => {
    const { situation: at } = smallClose()
    const situation = at()
    const nothing = { _tag: "NothingLeft" as const }
    assert.deepStrictEqual(played(situation, false), nothing)
    assert.deepStrictEqual(played({ ...situation, destination: null }), nothing)
  })

  it("can be paid where lumens lack for the operations of the next group", () => {
    const short = (above: bigint) => played(withData(1, above).situation([], { feePerOperation: 300n }))
    const lacking = { _tag: "NoLumens" as const, leeway: 0n, wrappable: true }
    assert.deepStrictEqual(short(99n), { ...lacking, needed: 100n, spendable: 99n })
    // The missing reserve comes on top.
    assert.deepStrictEqual(short(-30n), { ...lacking, needed: 130n, spendable: 0n })
    const { situation: at, source: holder, world: other } = withAsset()
    other.setBalance(holder, 3n * baseReserve + 199n)
    assert.deepStrictEqual(played(at()), { ...lacking, needed: 200n, spendable: 199n })
  })
})

describe("a close into an exchange through the mediator", () => {
  it("ends with a merge into the mediator and its payment, once everything else is done", () => {
    const scene = withData(1)
    const situation = throughMediator(scene)
    const first = next(situation)
    assert.deepStrictEqual([first.reason, first.merges, kindsOf(first), plainOf(first).memo.type], [
      null,
      false,
      ["manageData"],
      "memoNone"
    ])
    const last = next(situation, true, nothingDone, first.applied.state)
    const { closeTime, ledgerSeq } = situation.ledgerState.header
    assert.deepStrictEqual([last.reason, last.merges, kindsOf(last), plainOf(last).memo.type], [
      "mediator",
      true,
      ["accountMerge", "payment"],
      "memoText"
    ])
    assert.deepStrictEqual([last.progress, last.validUntil - closeTime, last.validUntilLedger - (ledgerSeq - 1)], [null, 290n, 89])
    assert.deepStrictEqual([last.bid.perOperation, plainOf(last).fee], [100n, 200])
    assert.strictEqual(codesOf(last.applied)[0], "txSuccess")
  })

  it("pays its last fee itself, whoever pays the others", () => {
    const last = next(throughMediator(smallClose(), { feePayer: "fee_bump", feePerOperation: 300n }))
    assert.deepStrictEqual([plainOf(last).fee, last.applied.feeCharged, codesOf(last.applied)[0]], [600, 200n, "txSuccess"])
  })

  it("has no last transaction where that may not be, cannot be paid, or something is left", () => {
    const situation = throughMediator(smallClose())
    const nothing = { _tag: "NothingLeft" as const }
    const waiting = exitOf({ exit: { _tag: "Refused", refusal: { _tag: "CoolingDown", unlocksAt: 5n } } })
    assert.deepStrictEqual([played(situation, false), played({ ...situation, ...exits(waiting) })], [nothing, nothing])
    const unpaid = withData(0, 199n)
    assert.deepStrictEqual(played(throughMediator(unpaid)), {
      _tag: "NoLumens",
      needed: 200n,
      spendable: 199n,
      leeway: 0n,
      wrappable: false
    })
    // What was missing before is named as such.
    assert.deepInclude(played(throughMediator(withData(1, 0n))), { _tag: "NoLumens", needed: 100n, wrappable: true })
    const sponsoring = smallClose()
    sponsoring.world.succeed(sponsoring.source, [setApart(xlm, 1n, claimant(sponsoring.maker))])
    assert.deepStrictEqual(played(throughMediator(sponsoring)), nothing)
  })
})

describe("what is done about positions", () => {
  const calls = { _tag: "Calls" as const, calls: [leave] as const, unlocksAt: null }
  const cooling = { _tag: "Refused" as const, refusal: { _tag: "CoolingDown" as const, unlocksAt: 5n } }

  /** An exit that pays units of the asset. */
  const lined = exitOf({ exit: { ...calls, calls: [{ ...leave, payouts: [{ token, expected: 5n }] }] } })
  const paying = (one: Exits["planned"][number], asset: Scene["usdId"]): Exits => ({
    ...exits(one).exits,
    assets: new Map([[token, asset]])
  })

  it("is a call before anything else, as long as it is not made", () => {
    const { situation: at } = withData(1)
    const situation = { ...at(), ...exits(exitOf()) }
    const one = next(situation)
    assert.deepStrictEqual([one.isContract, one.call, one.reason, one.merges, kindsOf(one)], [true, leave, "position_exit", false, [
      "invokeHostFunction"
    ]])
    assert.deepStrictEqual(one.progress, called(exitOf(), 0))
    const after = next(situation, true, HashSet.make(called(exitOf(), 0)))
    assert.deepStrictEqual([after.isContract, after.merges, after.progress], [false, true, null])
  })

  it("is a trustline first where a call pays onto one", () => {
    const { situation: at, usdId } = smallClose()
    const one = next({ ...at(), exits: paying(lined, usdId) })
    assert.deepStrictEqual([one.reason, one.merges, kindsOf(one)], ["prepares_exit", false, ["changeTrust"]])
    assert.deepStrictEqual(one.progress, TrustlinesMade({ position: lined.id, index: 0 }))
  })

  it("lacks lumens where a call cannot be paid, and nothing can be freed", () => {
    assert.deepStrictEqual(played({ ...withData(0, 7n).situation(), ...exits(exitOf()) }), {
      _tag: "NoLumens",
      needed: 2_000_200n,
      spendable: 7n,
      leeway: 20_000n,
      wrappable: true
    })
  })

  it("is to free lumens where a call cannot be paid: all that can be, as far as that can be paid", () => {
    const freeing = (count: number, above: bigint) => {
      const one = next({ ...withData(count, above).situation(), ...exits(exitOf()) })
      return [one.reason, one.merges, one.progress, ...runsOf(one)]
    }
    assert.deepStrictEqual(freeing(2, 1_000n), ["frees_lumens", false, Freed(), ["manageData", 2]])
    assert.deepStrictEqual(freeing(3, 2n * baseFee), ["frees_lumens", false, null, ["manageData", 2]])
    assert.deepStrictEqual(freeing(101, 1_000n * baseFee), ["frees_lumens", false, null, ["manageData", 100]])
  })

  it("is not to free what it awaits", () => {
    const { situation: at, source, usd, usdId, world } = smallClose()
    world.succeed(source, [trust(usd)])
    world.setBalance(source, 3n * baseReserve + 1_000n)
    assert.deepInclude(played({ ...at(), exits: paying(lined, usdId) }), { _tag: "NoLumens", needed: 2_000_200n })
  })

  it("keeps the account open while something stays there", () => {
    const { situation: at } = withData(1)
    const one = next({ ...at(), ...exits(exitOf({ exit: cooling })) })
    assert.deepStrictEqual([one.merges, one.reason, kindsOf(one)], [false, null, ["manageData"]])
  })

  it("keeps what is awaited until then, and gives no lumens away before", () => {
    const { situation: at, source, usdId, world } = withAsset()
    const poor = world.account(2n * baseReserve)
    world.succeed(source, [begin(poor), [poor, setData("paid for", "1")], [poor, end()]])
    const situation = at()
    // The asset returns to its issuer, and the poor owner is paid the reserve that it takes back.
    assert.deepStrictEqual(runsOf(next(situation)), [["payment", 2], ["changeTrust", 1], ["revokeSponsorship", 1], ["accountMerge", 1]])
    const staying = exitOf({ exit: cooling, position: { pays: [token] } })
    assert.deepStrictEqual(played({ ...situation, exits: paying(staying, usdId) }), { _tag: "NothingLeft" })
  })
})
