import { assert, describe, it } from "@effect/vitest"
import { xdr } from "@stellar/stellar-sdk"
import { HashSet } from "effect"
import {
  failedProjection,
  failsByRelease,
  lackingIn,
  leewayIn,
  remainder,
  sequenceBlockers,
  shortfallBlockers
} from "../../src/close/project/ProjectionBlockers.ts"
import { atomicGroup } from "../../src/close/situation/AtomicGroup.ts"
import type { Destination } from "../../src/close/situation/DestinationState.ts"
import type { LumenShortage } from "../../src/close/situation/Fees.ts"
import type { Blocker } from "../../src/close/situation/Gate.ts"
import { AccountAddress } from "../../src/domain/Address.ts"
import { blocker } from "../../src/domain/Blocker.ts"
import type { StepType } from "../../src/domain/Plan.ts"
import { modelProtocol } from "../../src/ledger/ModelProtocol.ts"
import { World } from "../ledger/support/World.ts"

const lacks = (lacksLumens?: bigint): Blocker => ({
  failure: null,
  shown: blocker("insufficient_lumens", "It lacks lumens."),
  ...(lacksLumens === undefined ? {} : { lacksLumens })
})

const blocks = lacks()

const attempted = (...blockers: ReadonlyArray<ReadonlyArray<Blocker>>) => ({
  _tag: "Transaction" as const,
  groups: blockers.map((each) => atomicGroup([], { blockers: each }))
})

const shortage = (more: Partial<LumenShortage> = {}): LumenShortage => ({
  _tag: "NoLumens",
  needed: 50_000_000n,
  spendable: 20_000_000n,
  leeway: 0n,
  wrappable: true,
  ...more
})

describe("the lumens that lack", () => {
  it("are the difference where there is no transaction for want of them", () => {
    assert.deepStrictEqual([lackingIn(shortage()), leewayIn(shortage({ leeway: 7n }))], [30_000_000n, 7n])
  })

  it("are the most that any group of a transaction lacks, unless something else is in its way", () => {
    assert.deepStrictEqual(
      [
        lackingIn({ _tag: "NothingLeft" }),
        lackingIn(attempted([], [])),
        lackingIn(attempted([lacks(3n)], [lacks(9n), lacks(5n)])),
        lackingIn(attempted([lacks(3n)], [lacks(9n), blocks])),
        leewayIn(attempted([lacks(3n)]))
      ],
      [0n, 0n, 9n, 0n, 0n]
    )
  })
})

describe("the blocker of lumens that lack", () => {
  const told = (next: LumenShortage, before: number, all = { lent: 30_000_000n, leeway: 0n }): unknown => {
    const [one] = shortfallBlockers({ next, before, done: HashSet.empty() }, all)
    return one === undefined
      ? null
      : [one.shown.reason, one.shown.message, one.failure?._tag === "InsufficientLumens" ? one.failure.needed : null]
  }

  it("names what the next transaction needs, and who else may pay", () => {
    const needs = "The next transaction needs 5.0000000 lumens, and the account can spend 2.0000000."
    assert.deepStrictEqual(told(shortage(), 0), ["insufficient_lumens", `${needs} Send it lumens, or use feePayer fee_bump.`, 50_000_000n])
    assert.deepStrictEqual(told(shortage({ wrappable: false }), 0), ["insufficient_lumens", `${needs} Send it lumens.`, 50_000_000n])
  })

  it("names a later transaction, what it needs by then, and what the whole close lacks where that is more", () => {
    assert.deepStrictEqual(told(shortage({ leeway: 10_000_000n }), 2, { lent: 60_000_000n, leeway: 10_000_000n }), [
      "insufficient_lumens",
      "Transaction 3 of the close needs 6.0000000 lumens, and the account can spend 2.0000000 then; over the whole close it lacks 7.0000000." +
      " Send it lumens, or use feePayer fee_bump.",
      60_000_000n
    ])
  })

  it("is that of its groups where a transaction itself says it", () => {
    const [first, second] = [lacks(3n), lacks(9n)]
    const all = { lent: 9n, leeway: 0n }
    const next = (found: Parameters<typeof shortfallBlockers>[0]["next"]) =>
      shortfallBlockers({ next: found, before: 0, done: HashSet.empty() }, all)
    assert.deepStrictEqual(next(attempted([first], [second])), [first, second])
    assert.deepStrictEqual(next({ _tag: "NothingLeft" }), [])
  })
})

const ended = (result: xdr.TransactionResultResult, ledgerVersion = modelProtocol) => ({
  result: new xdr.TransactionResult({ feeCharged: 100n, result, ext: xdr.TransactionResultExt.v0() }),
  state: new World({ ledgerVersion }).state
})

const revoked = xdr.OperationResult.opInner(
  xdr.OperationResultTr.revokeSponsorship(xdr.RevokeSponsorshipResult.revokeSponsorshipSuccess())
)
const notRevoked = xdr.OperationResult.opInner(
  xdr.OperationResultTr.revokeSponsorship(xdr.RevokeSponsorshipResult.revokeSponsorshipLowReserve())
)
const success = ended(xdr.TransactionResultResult.txSuccess([revoked]))
const failing = (...results: Array<xdr.OperationResult>) => ended(xdr.TransactionResultResult.txFailed(results))

describe("a projection that ends in a transaction that fails", () => {
  const open = { required: true, answered: false }

  it("is told with the codes that say why, each once", () => {
    const [one] = failedProjection([{ applied: success }, { applied: failing(revoked, notRevoked, notRevoked) }], [{
      ...open,
      answered: true
    }])
    assert.deepStrictEqual([one?.shown.reason, one?.shown.subject, one?.shown.message], [
      "projection_failed",
      "transactions[1]",
      "Transaction 2 of the close would fail on the ledger (tx_failed, op_low_reserve). Choose another option for its step, or fix the cause, and plan again."
    ])
    assert.deepInclude(one?.failure, { _tag: "DryRunFailed", transaction: "transactions[1]" })
    assert.notProperty(one?.failure, "modelProtocol")
  })

  it("names the model's protocol where the ledger's is newer", () => {
    const newer = { applied: ended(xdr.TransactionResultResult.txFailed([notRevoked]), modelProtocol + 1) }
    assert.deepInclude(failedProjection([newer], [])[0]?.failure, { modelProtocol })
  })

  it("is not told where it does not fail, or a required question is open", () => {
    const failed = [{ applied: failing(notRevoked) }]
    assert.deepStrictEqual(failedProjection([{ applied: success }], []), [])
    assert.deepStrictEqual(failedProjection(failed, [{ required: false, answered: false }, open]), [])
    assert.lengthOf(failedProjection(failed, [{ required: false, answered: false }]), 1)
  })
})

describe("a transaction that fails by the release of sponsorships", () => {
  const release = (target: string, blockers: ReadonlyArray<Blocker>) => ({ target, blockers })
  const address = AccountAddress.make(new World().account().publicKey())
  const operation = { type: "manage_data", source: address, name: "a", value: null } as const
  const step = (type: StepType, entry: string, operations = 1) => ({
    type,
    entry,
    title: "",
    description: "",
    operations: Array.from({ length: operations }, () => operation)
  })

  it("fails by no other step than one that blocks already", () => {
    const groups = [
      atomicGroup([step("REMOVE_DATA_ENTRIES", "one", 2), step("REVOKE_SPONSORSHIP", "one")]),
      atomicGroup([step("REVOKE_SPONSORSHIP", "two")])
    ]
    const releases = [release("one", [blocks]), release("two", [])]
    const fails = (...results: Array<xdr.OperationResult>) => failsByRelease({ groups, applied: failing(...results) }, releases)
    assert.deepStrictEqual(
      [
        fails(revoked, revoked, notRevoked, revoked),
        fails(revoked, revoked, notRevoked, notRevoked),
        fails(revoked, notRevoked, notRevoked, revoked),
        fails(revoked, revoked, revoked, revoked)
      ],
      [true, false, false, false]
    )
  })
})

describe("a sequence number", () => {
  it("may not reach the first one of the last ledger", () => {
    const world = new World()
    const source = world.account()
    const at = (seqNum: bigint) => ({
      ledgerState: world.state,
      snapshot: { accountEntry: new xdr.AccountEntry({ ...world.get(source), seqNum }) }
    })
    const first = BigInt(world.header.ledgerSeq) << 32n
    assert.deepStrictEqual(sequenceBlockers(at(first - 4n), 3), [])
    assert.deepStrictEqual(sequenceBlockers(at(first - 3n), 3), [{
      failure: null,
      shown: blocker(
        "sequence_too_far",
        "The account's sequence number is ahead of the ledger. The ledger rejects the merge until it catches up."
      )
    }])
  })
})

const destination: Destination = {
  address: AccountAddress.make(new World().account().publicKey()),
  account: null,
  entries: [],
  asksForMemo: false,
  listing: null,
  unverified: null,
  lockedForEver: false
}

describe("an account that is not emptied", () => {
  it("is told where nothing else says why there is no merge", () => {
    const told = (
      [named, blockers, open, last]: readonly [boolean, ReadonlyArray<Blocker>, boolean, Parameters<typeof remainder>[3]]
    ) => remainder({ destination: named ? destination : null }, blockers, open, last).map(({ shown }) => [shown.reason, shown.message])
    const kept = { merges: false, applied: success }
    for (const last of [kept, undefined]) {
      assert.deepStrictEqual(told([true, [], false, last]), [[
        "subentry_mismatch",
        "The account counts sub-entries that no step of the close removes."
      ]])
    }
    for (
      const one of [
        [false, [], false, kept],
        [true, [blocks], false, kept],
        [true, [], true, kept],
        [true, [], false, { ...kept, merges: true }],
        [true, [], false, { ...kept, applied: failing(notRevoked) }]
      ] as const
    ) assert.deepStrictEqual(told(one), [])
  })
})
