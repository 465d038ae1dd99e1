import { assert, describe, it } from "@effect/vitest"
import { Keypair, xdr } from "@stellar/stellar-sdk"
import { int64Max } from "../../../src/ledger/Int64.ts"
import {
  assetOf,
  begin,
  bump,
  claimant,
  createAccount,
  end,
  merge,
  mergeMuxed,
  pay,
  price,
  sell,
  setApart,
  setData,
  setOptions,
  setSigner,
  signerKeyOf,
  trust,
  withId,
  xlm
} from "../support/Bodies.ts"
import { baseFee, baseReserve, codeAt, codesOf, feeBump, World } from "../support/World.ts"

const pair = () => {
  const world = new World()
  return { world, closer: world.account(), other: world.account(100n * baseReserve) }
}

describe("merge", () => {
  it("into self", () => {
    const { closer, world } = pair()
    assert.deepStrictEqual(world.check(closer, [merge(closer)]), ["txFailed", "accountMergeMalformed"])
    assert.strictEqual(codeAt(world.apply(closer, [merge(closer)])), "accountMergeMalformed")
  })

  it("into non existent account", () => {
    const { closer, world } = pair()
    assert.strictEqual(codeAt(world.apply(closer, [merge(Keypair.random())])), "accountMergeNoAccount")
  })

  it("into an id behind itself, behind an account that is not there, and behind one that is", () => {
    const { closer, other, world } = pair()
    assert.deepStrictEqual(world.check(closer, [mergeMuxed(withId(closer, 7n))]), ["txFailed", "accountMergeMalformed"])
    assert.strictEqual(codeAt(world.apply(closer, [mergeMuxed(withId(Keypair.random(), 7n))])), "accountMergeNoAccount")
    const [before, left] = [world.get(other).balance, world.get(closer).balance]
    world.succeed(closer, [mergeMuxed(withId(other, 2n ** 64n - 1n))])
    assert.isUndefined(world.find(closer))
    assert.strictEqual(world.get(other).balance, before + left - baseFee)
  })

  it("with create", () => {
    const { closer, world } = pair()
    const fresh = Keypair.random()
    world.succeed(closer, [createAccount(fresh, 2n * baseReserve), merge(fresh)])
    assert.isUndefined(world.find(closer))
    assert.strictEqual(world.get(fresh).balance, 10_000_000_000n - 2n * baseFee)
  })

  it("merge, create, merge back", () => {
    const { closer, other, world } = pair()
    const applied = world.apply(closer, [merge(other), [other, createAccount(closer, 20n * baseReserve)], [closer, merge(other)]])
    assert.deepStrictEqual(codesOf(applied), ["txFailed", "accountMergeSuccess", "createAccountSuccess", "accountMergeSeqnumTooFar"])
    assert.isDefined(world.find(closer))
  })

  it("merge account twice", () => {
    const { closer, other, world } = pair()
    assert.deepStrictEqual(codesOf(world.apply(closer, [merge(other), merge(other)])), ["txFailed", "accountMergeSuccess", "opNoAccount"])
  })

  it("operations of the merged account after it do not stop the loop", () => {
    const { closer, other, world } = pair()
    const applied = world.apply(closer, [merge(other), setData("a", "1"), [other, setData("a", "1")]])
    assert.deepStrictEqual(codesOf(applied), ["txFailed", "accountMergeSuccess", "opNoAccount", "manageDataSuccess"])
    assert.isFalse(world.hasData(other, "a"))
  })

  it("Account has static auth flag set", () => {
    const { closer, other, world } = pair()
    world.succeed(closer, [setOptions({ setFlags: 4 })])
    assert.strictEqual(codeAt(world.apply(closer, [merge(other)])), "accountMergeImmutableSet")
  })

  it("With sub entries: trust line", () => {
    const { closer, other, world } = pair()
    world.succeed(closer, [trust(assetOf(other))])
    assert.strictEqual(codeAt(world.apply(closer, [merge(other)])), "accountMergeHasSubEntries")
    world.succeed(closer, [trust(assetOf(other), 0n), merge(other)])
  })

  it("With sub entries: offer", () => {
    const { closer, other, world } = pair()
    const issued = assetOf(closer)
    world.succeed(closer, [sell(issued, xlm, 100n, price(1, 1))])
    assert.strictEqual(codeAt(world.apply(closer, [merge(other)])), "accountMergeHasSubEntries")
    world.succeed(closer, [sell(issued, xlm, 0n, price(1, 1), 1n), merge(other)])
  })

  it("With sub entries: data", () => {
    const { closer, other, world } = pair()
    world.succeed(closer, [setData("name", "value")])
    assert.strictEqual(codeAt(world.apply(closer, [merge(other)])), "accountMergeHasSubEntries")
    world.succeed(closer, [setData("name", null), merge(other)])
  })

  it("account has signer", () => {
    const { closer, other, world } = pair()
    world.succeed(closer, [setSigner(signerKeyOf(Keypair.random()), 1)])
    world.succeed(closer, [setSigner(signerKeyOf(Keypair.random()), 1)])
    world.succeed(closer, [merge(other)])
    assert.isUndefined(world.find(closer))
  })

  it("success", () => {
    const { closer, other, world } = pair()
    const before = world.get(other).balance
    const applied = world.succeed(closer, [merge(other)])
    assert.strictEqual(world.get(other).balance, before + 10_000_000_000n - baseFee)
    const [merged] = applied.result.result.type === "txSuccess" ? applied.result.result.results : []
    const amount = merged?.type === "opInner" && merged.tr.value.type === "accountMergeSuccess" ? merged.tr.value.sourceAccountBalance : 0n
    assert.strictEqual(amount, 10_000_000_000n - baseFee)
  })

  it("success, invalidates dependent tx", () => {
    const { closer, other, world } = pair()
    const first = world.envelope(closer, [merge(other)])
    const second = world.envelope(closer, [pay(other, xlm, 1n)], { seqNum: world.get(closer).seqNum + 2n })
    const before = world.get(other).balance
    const applied = world.close(first, second)
    assert.deepStrictEqual(applied.map((each) => codesOf(each)[0]), ["txSuccess", "txNoAccount"])
    assert.strictEqual(applied[1]?.feeCharged, baseFee)
    assert.strictEqual(world.get(other).balance, before + 10_000_000_000n - 2n * baseFee, "both fees were taken first")
  })

  const balances: ReadonlyArray<readonly [string, bigint, boolean]> = [
    ["account has only base reserve", 2n * baseReserve, false],
    ["account has only base reserve + one stroop", 2n * baseReserve + 1n, false],
    ["account has only base reserve + one operation fee - one stroop", 2n * baseReserve + baseFee - 1n, false],
    ["account has only base reserve + one operation fee", 2n * baseReserve + baseFee, true]
  ]
  for (const [name, balance, succeeds] of balances) {
    it(name, () => {
      const world = new World()
      const closer = world.account(balance)
      const other = world.account()
      assert.deepStrictEqual(world.check(closer, [merge(other)]), succeeds ? null : ["txInsufficientBalance"])
      if (succeeds) world.succeed(closer, [merge(other)])
    })
  }

  it("a raised reserve leaves only a fee bump", () => {
    const { closer, other, world } = pair()
    world.setBalance(closer, 2n * baseReserve)
    assert.deepStrictEqual(world.check(closer, [merge(other)]), ["txInsufficientBalance"])
    const inner = world.envelope(closer, [merge(other)], { fee: 0n })
    assert.deepStrictEqual(codesOf(world.submit(feeBump(other, 2n * baseFee, inner))).slice(0, 3), [
      "txFeeBumpInnerSuccess",
      "txSuccess",
      "accountMergeSuccess"
    ])
  })

  it("merge too far", () => {
    const { closer, other, world } = pair()
    const next = BigInt(world.header.ledgerSeq + 2) << 32n
    world.succeed(closer, [bump(next - 2n)])
    assert.deepStrictEqual(codesOf(world.apply(closer, [merge(other)])), ["txSuccess", "accountMergeSuccess"], "start - 1")
    const late = world.account()
    const start = BigInt(world.header.ledgerSeq + 2) << 32n
    world.succeed(late, [bump(start)])
    assert.strictEqual(codeAt(world.apply(late, [merge(other)])), "accountMergeSeqnumTooFar", "start + 1")
    world.next()
    world.succeed(late, [merge(other)])
  })

  it("merge too far, in a transaction of another account", () => {
    for (const [below, code] of [[0n, "accountMergeSeqnumTooFar"], [1n, "accountMergeSuccess"]] as const) {
      const { closer, other, world } = pair()
      world.succeed(closer, [bump((BigInt(world.header.ledgerSeq + 2) << 32n) - below)])
      assert.strictEqual(codeAt(world.apply(other, [[closer, merge(other)]])), code, `start - ${below}`)
    }
  })

  const anyLater = xdr.Preconditions.precondV2(
    new xdr.PreconditionsV2({
      timeBounds: null,
      ledgerBounds: null,
      minSeqNum: 0n,
      minSeqAge: 0n,
      minSeqLedgerGap: 0,
      extraSigners: []
    })
  )
  const reaches: ReadonlyArray<readonly [string, bigint, string, string]> = [
    ["start - 1", -1n, "accountMergeSuccess", "txNoAccount"],
    ["start", 0n, "accountMergeSeqnumTooFar", "txBadSeq"],
    ["start + 1", 1n, "accountMergeSeqnumTooFar", "txSuccess"]
  ]
  for (const [name, above, merged, later] of reaches) {
    it(`MAX_SEQ_NUM_TO_APPLY: a later transaction of the ledger reaches ${name}`, () => {
      const { closer, other, world } = pair()
      const far = BigInt(world.header.ledgerSeq + 1) << 32n
      const first = world.envelope(closer, [merge(other)])
      const second = world.envelope(closer, [pay(other, xlm, 1n)], { seqNum: far + above, cond: anyLater })
      const applied = world.close(first, second).map(codesOf)
      assert.deepStrictEqual([applied[0]?.[1], applied[1]?.[0]], [merged, later])
    })
  }

  it("MAX_SEQ_NUM_TO_APPLY: also where that one comes first, and fails", () => {
    const { closer, other, world } = pair()
    const start = BigInt(world.header.ledgerSeq + 1) << 32n
    const far = world.envelope(closer, [pay(other, xlm, 1n)], { seqNum: start, cond: anyLater })
    const applied = world.close(far, world.envelope(closer, [merge(other)])).map(codesOf)
    assert.deepStrictEqual(applied, [["txBadSeq"], ["txFailed", "accountMergeSeqnumTooFar"]])
  })

  it("destination with native buying liabilities", () => {
    const { closer, other, world } = pair()
    const issued = assetOf(other)
    const room = 10_000_000_000n
    world.succeed(other, [sell(issued, xlm, int64Max - 2n * room, price(1, 1))])
    world.setBalance(other, room + baseFee)
    world.succeed(other, [setData("fee", "1")])
    const free = int64Max - world.get(other).balance - (int64Max - 2n * room)
    world.setBalance(closer, free + baseFee + 1n)
    assert.strictEqual(codeAt(world.apply(closer, [merge(other)])), "accountMergeDestFull")
    world.setBalance(closer, free + baseFee)
    world.succeed(closer, [merge(other)])
  })
})

describe("merge: sponsorships", () => {
  const sponsored = () => {
    const { closer, other, world } = pair()
    const sponsor = world.account()
    const signer = signerKeyOf(Keypair.random())
    world.succeed(closer, [[sponsor, begin(closer)], setSigner(signer, 1), end()])
    return { closer, other, sponsor, world }
  }

  it("with sponsored signers: merge into a non-sponsoring account", () => {
    const { closer, other, sponsor, world } = sponsored()
    assert.deepStrictEqual(world.sponsorship(closer), [1, 0])
    world.succeed(closer, [merge(other)])
    assert.deepStrictEqual(world.sponsorship(sponsor), [0, 0])
  })

  it("with sponsored signers: merge into the sponsoring account", () => {
    const { closer, sponsor, world } = sponsored()
    world.succeed(closer, [merge(sponsor)])
    assert.deepStrictEqual(world.sponsorship(sponsor), [0, 0])
  })

  for (const withSigner of [false, true]) {
    it(`sponsored account${withSigner ? " with sponsored signer" : ""}`, () => {
      const world = new World()
      const [sponsor, other] = [world.account(), world.account()]
      const closer = Keypair.random()
      world.succeed(sponsor, [begin(closer), createAccount(closer, 0n), [closer, end()]])
      assert.deepStrictEqual(world.sponsorship(closer), [2, 0])
      if (withSigner) world.succeed(sponsor, [begin(closer), [closer, setSigner(signerKeyOf(Keypair.random()), 1)], [closer, end()]])
      assert.deepStrictEqual(world.sponsorship(sponsor), [0, withSigner ? 3 : 2])
      world.next()
      const inner = world.envelope(closer, [merge(other)], { fee: 0n })
      assert.strictEqual(codesOf(world.submit(feeBump(other, 2n * baseFee, inner)))[1], "txSuccess")
      assert.deepStrictEqual(world.sponsorship(sponsor), [0, 0])
    })
  }

  it("is sponsoring future reserves", () => {
    const { closer, other, world } = pair()
    assert.deepStrictEqual(codesOf(world.apply(closer, [begin(other), merge(other), [other, end()]])), [
      "txFailed",
      "beginSponsoringFutureReservesSuccess",
      "accountMergeIsSponsor",
      "endSponsoringFutureReservesSuccess"
    ])
  })

  it("is sponsoring reserve", () => {
    const { closer, other, world } = pair()
    world.succeed(closer, [begin(other), [other, setData("a", "1")], [other, end()]])
    assert.strictEqual(codeAt(world.apply(closer, [merge(other)])), "accountMergeIsSponsor")
    world.succeed(other, [setData("a", null)])
    world.succeed(closer, [merge(other)])
  })

  it("merge sponsoring account: a claimable balance it made", () => {
    const { closer, other, world } = pair()
    world.succeed(closer, [setApart(xlm, 10n, claimant(other))])
    assert.strictEqual(codeAt(world.apply(closer, [merge(other)])), "accountMergeIsSponsor")
  })
})
