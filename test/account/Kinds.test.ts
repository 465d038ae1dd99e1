import { assert, describe, it } from "@effect/vitest"
import { Asset, Claimant, Operation, type xdr } from "@stellar/stellar-sdk"
import { Effect, Schema, TestClock } from "effect"
import { AccountState } from "../../src/domain/Account.ts"
import { Network } from "../../src/sandbox/Network.ts"
import { FundedPair } from "../../src/sandbox/scenarios/FundedPair.ts"
import { perform } from "../../src/sandbox/scenarios/Scenario.ts"
import { read, world } from "./support/World.ts"

const {
  predicateAnd: and,
  predicateBeforeAbsoluteTime: before,
  predicateBeforeRelativeTime: within,
  predicateNot: not,
  predicateOr: or,
  predicateUnconditional: always
} = Claimant

/** Seconds at which the account is read, give or take the ledgers in between. */
const now = 1_000_000

describe("claim predicates", () => {
  const predicates: ReadonlyArray<readonly [name: string, predicate: xdr.ClaimPredicate, holds: boolean]> = [
    ["unconditional", always(), true],
    ["before a time to come", before(String(now + 1000)), true],
    ["before a time that has passed", before(String(now - 1000)), false],
    ["not before a time to come", not(before(String(now + 1000))), false],
    ["within a time since its creation", within("1000"), true],
    ["within no time", within("0"), false],
    ["within all time", within("9223372036854775807"), true],
    ["both, of which one fails", and(always(), before("1")), false],
    ["either, of which one holds", or(before("1"), always()), true],
    ["four deep", and(or(before("1"), not(before("2"))), not(before(String(now - 1)))), true],
    ["four deep, and not now", not(or(and(always(), before(String(now + 1000))), not(always()))), false]
  ]
  for (const [name, predicate, holds] of predicates) {
    it.effect(`${name}: ${holds ? "claimable" : "not claimable"} in the ledger that was read`, () =>
      Effect.gen(function*() {
        yield* TestClock.setTime(now * 1000)
        const { destination, source } = yield* FundedPair
        yield* perform("a balance", {
          as: destination,
          operations: [
            Operation.createClaimableBalance({
              asset: Asset.native(),
              amount: "1",
              claimants: [new Claimant(source.publicKey(), predicate)]
            })
          ]
        })
        yield* (yield* Network).closeLedger({ advanceSeconds: 5 })
        const { state } = yield* read(source)
        const [claimant] = state.claimableBalances[0]?.claimants ?? []
        assert.strictEqual(claimant?.claimable, holds)
        assert.deepStrictEqual(
          yield* Schema.decodeUnknown(AccountState)(JSON.parse(JSON.stringify(yield* Schema.encode(AccountState)(state)))),
          state
        )
      }).pipe(Effect.provide(world())))
  }

  it.effect("keep their shape, times since creation turned into the time they end", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(now * 1000)
      const { destination, source } = yield* FundedPair
      const predicate = or(and(always(), not(before("77"))), within("60"))
      yield* perform("a balance", {
        as: destination,
        operations: [
          Operation.createClaimableBalance({ asset: Asset.native(), amount: "1", claimants: [new Claimant(source.publicKey(), predicate)] })
        ]
      })
      const { closeTime } = (yield* (yield* Network).snapshot).state.header
      assert.deepStrictEqual((yield* read(source)).state.claimableBalances[0]?.claimants[0]?.predicate, {
        type: "or",
        predicates: [
          {
            type: "and",
            predicates: [{ type: "unconditional" }, { type: "not", predicate: { type: "before_absolute_time", absBeforeEpoch: "77" } }]
          },
          { type: "before_absolute_time", absBeforeEpoch: (closeTime + 60n).toString() }
        ]
      })
    }).pipe(Effect.provide(world())))
})

describe("data entries", () => {
  it.effect("of any name are there, those that mean something to JavaScript too", () =>
    Effect.gen(function*() {
      const { source } = yield* FundedPair
      const names = ["__proto__", "constructor", "10", "2", "a/b?c#d", " ", "x".repeat(64)]
      yield* perform("entries", { as: source, operations: names.map((name) => Operation.manageData({ name, value: name.slice(0, 60) })) })
      const { state } = yield* read(source)
      assert.deepStrictEqual(
        state.dataEntries.map(({ key, value }) => [key, Buffer.from(value, "base64").toString()]).toSorted(),
        names.map((name) => [name, name.slice(0, 60)]).toSorted()
      )
      assert.isFalse(state.subEntryMismatch)
    }).pipe(Effect.provide(world())))
})
