import { assert, describe, it } from "@effect/vitest"
import { Keypair, xdr } from "@stellar/stellar-sdk"
import { createHash } from "node:crypto"
import type { AppliedTransaction } from "../../../src/ledger/Apply.ts"
import { int64Max } from "../../../src/ledger/Int64.ts"
import { accountKey, keyOfClaimableBalance } from "../../../src/xdr/LedgerKeys.ts"
import {
  assetOf,
  begin,
  claim,
  claimant,
  clawBack,
  clawBackBalance,
  createAccount,
  end,
  merge,
  pay,
  price,
  revoke,
  sell,
  setApart,
  setLineFlags,
  setOptions,
  trust,
  withId,
  xlm
} from "../support/Bodies.ts"
import { baseFee, baseReserve, codeAt, codesOf, World } from "../support/World.ts"

const Predicate = xdr.ClaimPredicate

const setup = () => {
  const world = new World()
  const [issuer, giver, taker] = [world.account(), world.account(), world.account()]
  const usd = assetOf(issuer)
  world.succeed(issuer, [setOptions({ setFlags: 2 })])
  world.succeed(issuer, [[giver, trust(usd)], pay(giver, usd, 1_000n)])
  return { world, issuer, giver, taker, usd }
}

const idsOf = ({ result }: AppliedTransaction): ReadonlyArray<xdr.ClaimableBalanceId> =>
  (result.result.type === "txSuccess" ? result.result.results : []).flatMap((each) =>
    each.type === "opInner" && each.tr.value.type === "createClaimableBalanceSuccess" ? [each.tr.value.balanceId] : []
  )

const firstId = (applied: AppliedTransaction): xdr.ClaimableBalanceId => idsOf(applied)[0] ?? assert.fail(codesOf(applied).join())

const balanceOf = (world: World, id: xdr.ClaimableBalanceId): xdr.ClaimableBalanceEntry | undefined => {
  const data = world.state.get(keyOfClaimableBalance(id))?.data
  return data?.type === "claimableBalance" ? data.claimableBalance : undefined
}

describe("createClaimableBalance", () => {
  it("malformed", () => {
    const { giver, issuer, taker, usd, world } = setup()
    const deep = Predicate.claimPredicateNot(
      Predicate.claimPredicateNot(Predicate.claimPredicateNot(Predicate.claimPredicateNot(Predicate.claimPredicateUnconditional())))
    )
    const always = Predicate.claimPredicateUnconditional()
    const rows: ReadonlyArray<readonly [string, xdr.OperationBody]> = [
      ["no amount", setApart(usd, 0n, claimant(taker))],
      ["no claimants", setApart(usd, 1n)],
      ["a claimant twice", setApart(usd, 1n, claimant(taker), claimant(taker))],
      ["bad asset", setApart(assetOf(issuer, "A B"), 1n, claimant(taker))],
      ["and of one", setApart(usd, 1n, claimant(taker, Predicate.claimPredicateAnd([always])))],
      ["or of one", setApart(usd, 1n, claimant(taker, Predicate.claimPredicateOr([always])))],
      ["not of nothing", setApart(usd, 1n, claimant(taker, Predicate.claimPredicateNot(null)))],
      ["negative absolute time", setApart(usd, 1n, claimant(taker, Predicate.claimPredicateBeforeAbsoluteTime(-1n)))],
      ["negative relative time", setApart(usd, 1n, claimant(taker, Predicate.claimPredicateBeforeRelativeTime(-1n)))],
      ["five levels", setApart(usd, 1n, claimant(taker, deep))],
      ["the second of two predicates", setApart(usd, 1n, claimant(taker), claimant(issuer, deep))]
    ]
    for (const [name, body] of rows) {
      assert.deepStrictEqual(world.check(giver, [body]), ["txFailed", "createClaimableBalanceMalformed"], name)
    }
  })

  it("no trust, not authorized, underfunded, low reserve", () => {
    const { giver, issuer, taker, usd, world } = setup()
    assert.strictEqual(codeAt(world.apply(taker, [setApart(usd, 1n, claimant(taker))])), "createClaimableBalanceNoTrust")
    assert.strictEqual(codeAt(world.apply(giver, [setApart(usd, 1_001n, claimant(taker))])), "createClaimableBalanceUnderfunded")
    world.setBalance(giver, 5n * baseReserve + baseFee - 1n)
    assert.strictEqual(
      codeAt(world.apply(giver, [setApart(usd, 1n, claimant(taker), claimant(issuer))])),
      "createClaimableBalanceLowReserve"
    )
    world.setBalance(giver, 5n * baseReserve + baseFee)
    world.succeed(giver, [setApart(usd, 1n, claimant(taker), claimant(issuer))])
    assert.deepStrictEqual(world.sponsorship(giver), [0, 2], "one unit a claimant")
    world.succeed(issuer, [setLineFlags(giver, usd, 2, 1)])
    world.setBalance(giver, 100n * baseReserve)
    assert.strictEqual(codeAt(world.apply(giver, [setApart(usd, 1n, claimant(taker))])), "createClaimableBalanceNotAuthorized")
    assert.strictEqual(
      codeAt(world.apply(giver, [setApart(xlm, 100n * baseReserve, claimant(taker))])),
      "createClaimableBalanceUnderfunded"
    )
  })

  it("index in hash, and tx account rather than op account", () => {
    const { giver, taker, usd, world } = setup()
    const ids = idsOf(world.succeed(taker, [[giver, setApart(usd, 1n, claimant(taker))], [giver, setApart(usd, 1n, claimant(taker))]]))
    const preimage = (opNum: number) =>
      xdr.HashIdPreimage.envelopeTypeOpId(
        new xdr.HashIdPreimageOperationId({ sourceAccount: world.get(taker).accountId, seqNum: world.get(taker).seqNum, opNum })
      )
    const expected = [0, 1].map((at) => createHash("sha256").update(preimage(at).toXdr()).digest("hex"))
    assert.deepStrictEqual(ids.map((id) => Buffer.from(id.v0.value).toString("hex")), expected)
  })
})

describe("claimClaimableBalance", () => {
  const now = 0n
  const seconds = (offset: bigint) => offset
  const before = Predicate.claimPredicateBeforeAbsoluteTime
  const rows: ReadonlyArray<readonly [string, (closeTime: bigint) => xdr.ClaimPredicate, boolean]> = [
    ["unconditional", () => Predicate.claimPredicateUnconditional(), true],
    ["before a later time", (closeTime) => before(closeTime + 1n), true],
    ["before the very time", (closeTime) => before(closeTime), false],
    ["not before a later time", (closeTime) => Predicate.claimPredicateNot(before(closeTime + 1n)), false],
    ["not before the very time", (closeTime) => Predicate.claimPredicateNot(before(closeTime)), true],
    [
      "and of both",
      (closeTime) => Predicate.claimPredicateAnd([before(closeTime + 1n), Predicate.claimPredicateNot(before(closeTime))]),
      true
    ],
    ["and of one", (closeTime) => Predicate.claimPredicateAnd([before(closeTime + 1n), before(closeTime)]), false],
    ["or of one", (closeTime) => Predicate.claimPredicateOr([before(closeTime), before(closeTime + 1n)]), true],
    ["or of none", (closeTime) => Predicate.claimPredicateOr([before(closeTime), before(now)]), false],
    ["within ten seconds of creation", () => Predicate.claimPredicateBeforeRelativeTime(seconds(10n)), true],
    ["within five seconds of creation", () => Predicate.claimPredicateBeforeRelativeTime(seconds(5n)), false],
    ["within all time", () => Predicate.claimPredicateBeforeRelativeTime(int64Max), true]
  ]
  for (const [name, predicate, isClaimable] of rows) {
    it(`predicate: ${name}`, () => {
      const { giver, taker, world } = setup()
      const claimTime = world.header.closeTime + 10n
      const id = firstId(world.succeed(giver, [setApart(xlm, 10n, claimant(taker, predicate(claimTime)))]))
      assert.strictEqual(
        codeAt(world.apply(taker, [claim(id)])),
        isClaimable ? "claimClaimableBalanceSuccess" : "claimClaimableBalanceCannotClaim"
      )
    })
  }

  it("relative times are stored as absolute, never beyond the largest", () => {
    const { giver, taker, world } = setup()
    const stored = (relative: bigint) => {
      const id = firstId(world.succeed(giver, [setApart(xlm, 1n, claimant(taker, Predicate.claimPredicateBeforeRelativeTime(relative)))]))
      const predicate = balanceOf(world, id)?.claimants[0]?.v0.predicate
      return predicate?.type === "claimPredicateBeforeAbsoluteTime" ? predicate.absBefore : undefined
    }
    assert.strictEqual(stored(7n), world.header.closeTime + 7n)
    assert.strictEqual(stored(int64Max), int64Max)
  })

  it("does not exist, and not a claimant", () => {
    const { giver, issuer, taker, world } = setup()
    const id = firstId(world.succeed(giver, [setApart(xlm, 10n, claimant(taker))]))
    assert.strictEqual(codeAt(world.apply(issuer, [claim(id)])), "claimClaimableBalanceCannotClaim")
    world.succeed(taker, [claim(id)])
    assert.strictEqual(codeAt(world.apply(taker, [claim(id)])), "claimClaimableBalanceDoesNotExist")
  })

  it("claim trustline issues", () => {
    const { giver, issuer, taker, usd, world } = setup()
    const id = firstId(world.succeed(giver, [setApart(usd, 10n, claimant(taker))]))
    assert.strictEqual(codeAt(world.apply(taker, [claim(id)])), "claimClaimableBalanceNoTrust")
    world.succeed(taker, [trust(usd, 9n)])
    assert.strictEqual(codeAt(world.apply(taker, [claim(id)])), "claimClaimableBalanceLineFull")
    world.succeed(taker, [trust(usd)])
    world.succeed(issuer, [setLineFlags(taker, usd, 2, 1)])
    assert.strictEqual(codeAt(world.apply(taker, [claim(id)])), "claimClaimableBalanceNotAuthorized")
    world.succeed(issuer, [setLineFlags(taker, usd, 1, 2)])
    world.succeed(taker, [claim(id)])
    assert.strictEqual(world.line(taker, usd)?.balance, 10n)
  })

  it("trust, claim, burn and close the line in one transaction", () => {
    const { giver, issuer, taker, usd, world } = setup()
    const id = firstId(world.succeed(giver, [setApart(usd, 10n, claimant(taker))]))
    world.succeed(taker, [trust(usd), claim(id), pay(issuer, usd, 10n), trust(usd, 0n)])
    assert.deepStrictEqual([world.get(taker).numSubEntries, world.sponsorship(giver)], [0, [0, 0]])
  })

  it("native line full", () => {
    const { giver, taker, world } = setup()
    const id = firstId(world.succeed(giver, [setApart(xlm, 10n, claimant(taker))]))
    world.setBalance(taker, int64Max - 9n + baseFee)
    assert.strictEqual(codeAt(world.apply(taker, [claim(id)])), "claimClaimableBalanceLineFull")
    world.setBalance(taker, int64Max - 10n + baseFee)
    world.succeed(taker, [claim(id)])
  })

  it("multiple claimants same tx", () => {
    const { giver, issuer, taker, world } = setup()
    const id = firstId(world.succeed(giver, [setApart(xlm, 10n, claimant(taker), claimant(issuer))]))
    assert.deepStrictEqual(codesOf(world.apply(taker, [claim(id), [issuer, claim(id)]])), [
      "txFailed",
      "claimClaimableBalanceSuccess",
      "claimClaimableBalanceDoesNotExist"
    ])
  })

  it("source account is issuer: made without a line, claimed as a burn", () => {
    const { issuer, taker, usd, world } = setup()
    const id = firstId(world.succeed(issuer, [setApart(usd, int64Max, claimant(issuer), claimant(taker))]))
    world.succeed(issuer, [claim(id)])
    assert.deepStrictEqual(world.sponsorship(issuer), [0, 0])
  })

  it("merge create account before claim", () => {
    const { giver, taker, world } = setup()
    const fresh = world.account()
    const id = firstId(world.succeed(giver, [setApart(xlm, 10n, claimant(fresh))]))
    world.succeed(fresh, [merge(taker)])
    world.succeed(taker, [createAccount(fresh, 3n * baseReserve)])
    world.succeed(fresh, [claim(id)])
  })

  it("the claim of the giver itself frees its own sponsorship", () => {
    const { taker, world } = setup()
    const giver = world.account()
    const id = firstId(world.succeed(giver, [setApart(xlm, 10n, claimant(giver))]))
    assert.strictEqual(codeAt(world.apply(giver, [merge(taker)])), "accountMergeIsSponsor")
    world.succeed(giver, [claim(id)])
    assert.deepStrictEqual(world.sponsorship(giver), [0, 0])
  })
})

describe("claimable balances and sponsorship", () => {
  it("create/claim sponsored", () => {
    const { giver, issuer, taker, world } = setup()
    const id = firstId(world.succeed(giver, [[issuer, begin(giver)], setApart(xlm, 10n, claimant(taker)), end()]))
    assert.deepStrictEqual([world.sponsorship(giver), world.sponsorship(issuer)], [[0, 0], [0, 1]])
    world.succeed(taker, [claim(id)])
    assert.deepStrictEqual(world.sponsorship(issuer), [0, 0])
  })

  it("sponsorship can only be transferred", () => {
    const { issuer, taker, world } = setup()
    const giver = world.account()
    const id = firstId(world.succeed(giver, [setApart(xlm, 10n, claimant(taker))]))
    const key = keyOfClaimableBalance(id)
    assert.strictEqual(codeAt(world.apply(giver, [revoke(key)])), "revokeSponsorshipOnlyTransferable")
    world.succeed(giver, [[issuer, begin(giver)], revoke(key), end(), merge(taker)])
    assert.deepStrictEqual(world.sponsorship(issuer), [0, 1])
  })
})

describe("clawback", () => {
  const clawable = () => {
    const made = setup()
    made.world.succeed(made.issuer, [setOptions({ setFlags: 8 })])
    const holder = made.world.account()
    made.world.succeed(made.issuer, [[holder, trust(made.usd)], pay(holder, made.usd, 100n)])
    return { ...made, holder }
  }

  it("malformed", () => {
    const { holder, issuer, usd, world } = clawable()
    assert.deepStrictEqual(world.check(holder, [clawBack(issuer, usd, 1n)]), ["txFailed", "clawbackMalformed"])
    const bodies = [
      clawBack(issuer, usd, 1n),
      clawBack(holder, usd, 0n),
      clawBack(holder, xlm, 1n),
      clawBack(holder, assetOf(issuer, "A B"), 1n)
    ]
    for (const body of bodies) assert.deepStrictEqual(world.check(issuer, [body]), ["txFailed", "clawbackMalformed"])
  })

  it("from an id behind an account, the issuer's own included", () => {
    const { holder, issuer, usd, world } = clawable()
    const from = (account: Keypair) => xdr.OperationBody.clawback(new xdr.ClawbackOp({ asset: usd, from: withId(account, 7n), amount: 1n }))
    assert.strictEqual(codeAt(world.apply(issuer, [from(issuer)])), "clawbackNoTrust")
    world.succeed(issuer, [from(holder)])
    assert.strictEqual(world.line(holder, usd)?.balance, 99n)
  })

  it("no trust, not enabled, underfunded, basic", () => {
    const { giver, holder, issuer, taker, usd, world } = clawable()
    assert.strictEqual(codeAt(world.apply(issuer, [clawBack(taker, usd, 1n)])), "clawbackNoTrust")
    assert.strictEqual(codeAt(world.apply(issuer, [clawBack(giver, usd, 1n)])), "clawbackNotClawbackEnabled")
    assert.strictEqual(codeAt(world.apply(issuer, [clawBack(holder, usd, 101n)])), "clawbackUnderfunded")
    world.succeed(holder, [sell(usd, xlm, 60n, price(1, 1))])
    assert.strictEqual(codeAt(world.apply(issuer, [clawBack(holder, usd, 41n)])), "clawbackUnderfunded", "not what offers hold")
    world.succeed(issuer, [setLineFlags(holder, usd, 0, 1), clawBack(holder, usd, 100n)])
    assert.strictEqual(world.line(holder, usd)?.balance, 0n)
  })

  it("of claimable balances: missing, native, not issuer, not enabled, sponsored", () => {
    const { giver, holder, issuer, taker, usd, world } = clawable()
    const [native, free, bound] = idsOf(
      world.succeed(holder, [
        setApart(xlm, 1n, claimant(taker)),
        [giver, setApart(usd, 1n, claimant(taker))],
        [taker, begin(holder)],
        setApart(usd, 1n, claimant(taker)),
        end()
      ])
    )
    const missing = xdr.ClaimableBalanceId.claimableBalanceIdTypeV0(Keypair.random().rawPublicKey())
    assert.strictEqual(codeAt(world.apply(issuer, [clawBackBalance(missing)])), "clawbackClaimableBalanceDoesNotExist")
    assert.strictEqual(codeAt(world.apply(issuer, [clawBackBalance(native!)])), "clawbackClaimableBalanceNotIssuer")
    assert.strictEqual(codeAt(world.apply(holder, [clawBackBalance(bound!)])), "clawbackClaimableBalanceNotIssuer")
    assert.strictEqual(codeAt(world.apply(issuer, [clawBackBalance(free!)])), "clawbackClaimableBalanceNotClawbackEnabled")
    assert.deepStrictEqual(world.sponsorship(taker), [0, 1])
    world.succeed(giver, [[issuer, clawBackBalance(bound!)]])
    assert.deepStrictEqual(world.sponsorship(taker), [0, 0])
    assert.strictEqual(world.state.get(accountKey(issuer.publicKey()))?.lastModifiedLedgerSeq, world.header.ledgerSeq)
  })
})
