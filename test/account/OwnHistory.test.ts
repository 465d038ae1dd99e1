import { assert, describe, it } from "@effect/vitest"
import { Keypair, Operation, xdr } from "@stellar/stellar-sdk"
import { Effect, Layer } from "effect"
import { extensionsOf, withSequence } from "../../src/ledger/entries/Account.ts"
import type { LedgerState } from "../../src/ledger/LedgerState.ts"
import { strkeyOf } from "../../src/ledger/soroban/Values.ts"
import { RpcError, ServiceUnavailable } from "../../src/sandbox/faults/ServerErrors.ts"
import { lendingContracts } from "../../src/sandbox/scenarios/LendingContracts.ts"
import { submitRequestsSentBy } from "../../src/sandbox/scenarios/LendingMarket.ts"
import { LendingNewcomer } from "../../src/sandbox/scenarios/LendingNewcomer.ts"
import { fund, perform } from "../../src/sandbox/scenarios/Scenario.ts"
import { accountKey } from "../../src/xdr/LedgerKeys.ts"
import { acknowledges } from "../close/support/Answering.ts"
import { plan, refusal } from "../close/support/Client.ts"
import { Service } from "../close/support/Service.ts"
import { asked, lendingService, pursued, serviceOver } from "../sandbox/contracts/ProtocolsServed.ts"
import { jumping } from "../support/JumpingClock.ts"
import { deployPool, LendingDeployed } from "../support/scenarios/LendingDeployed.ts"

/** No source has the factory's events. */
const withoutEvents = Effect.flatMap(
  Service,
  ({ sandbox }) => sandbox.faults.set({ fault: new RpcError({ code: -32601, message: "no such method" }), rpc: "getEvents" })
)

/** The next sequence number of an account is left out. */
const skippingOne = (state: LedgerState, address: string): LedgerState => {
  const entry = state.get(accountKey(address))
  if (entry?.data.type !== "account") throw new Error("no such account")
  const { account } = entry.data
  const mark = extensionsOf(account).sequence ?? { seqLedger: 0, seqTime: 0n }
  return state.set([new xdr.LedgerEntry({ ...entry, data: xdr.LedgerEntryData.account(withSequence(account, account.seqNum + 1n, mark)) })])
}

/** An account that lends to a recently deployed pool, by a call that another account sent. */
const relayed = Effect.gen(function*() {
  const scene = yield* LendingNewcomer
  const pool = yield* deployPool(lendingContracts.poolFactory, scene.lender, scene.assets)
  const { issuer, lender, source, usdc } = scene
  yield* perform("the account trusts USDC", { as: source, operations: [Operation.changeTrust({ asset: usdc })] })
  yield* perform("the issuer pays the account", {
    as: issuer,
    operations: [Operation.payment({ destination: source.publicKey(), asset: usdc, amount: "300" })]
  })
  yield* submitRequestsSentBy({ as: source, sentBy: lender }, pool, "somebody sends what the account agreed to", [
    "supply",
    usdc,
    200n * 10_000_000n
  ])
  return { ...scene, pool }
})

const reasons = ({ blockers }: { readonly blockers: ReadonlyArray<{ readonly reason?: string }> }) => blockers.map(({ reason }) => reason)

describe("the own history of an account", () => {
  it.scopedLive("names the pool that it lends to, which no list and no event names, and the position there is left", () =>
    Effect.gen(function*() {
      yield* withoutEvents
      const held = yield* asked(LendingDeployed)
      const pool = strkeyOf(held.deployed)
      const positions = held.plan.decisionPoints.filter(({ type }) => type === "position").map(({ id }) => id)
      assert.deepStrictEqual(positions, [`position:lend_1:${pool}:reserves`])
      // The account called a contract in ledgers without readable deployments: there may be more.
      assert.deepStrictEqual(reasons(held.plan), ["positions_unread"])
      const { covered } = yield* pursued(held)
      assert.strictEqual(covered[0], "EXIT_POSITIONS")
    }).pipe(Effect.provide(lendingService)))

  it.scopedLive("lifts the doubt from an account that called no contract and has no line of a reserve", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      yield* withoutEvents
      const { destination, source } = yield* on(LendingNewcomer)
      const request = {
        source: source.publicKey(),
        destination: destination.publicKey(),
        decisions: [acknowledges(destination.publicKey())]
      }
      for (const name of ["first", "second"]) {
        yield* on(perform("an entry is written", { as: source, operations: [Operation.manageData({ name, value: "1" })] }))
        const ready = yield* plan(request)
        assert.deepStrictEqual([ready.status, reasons(ready)], ["ready", []])
      }
    }).pipe(Effect.provide(lendingService)))

  it.scopedLive("lifts it not where the account has a line of a reserve: a call that somebody else sent stands in no history of it", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      yield* withoutEvents
      const { destination, source, usdc } = yield* on(LendingNewcomer)
      yield* on(perform("the account trusts USDC", { as: source, operations: [Operation.changeTrust({ asset: usdc })] }))
      assert.deepStrictEqual(reasons(yield* plan({ source: source.publicKey(), destination: destination.publicKey() })), [
        "positions_unread"
      ])
    }).pipe(Effect.provide(lendingService)))

  it.scopedLive("lifts it not where sequence numbers are missing that no transaction explains, and does where one does", () =>
    Effect.gen(function*() {
      const { on, sandbox } = yield* Service
      yield* withoutEvents
      const { destination, source } = yield* on(LendingNewcomer)
      const request = { source: source.publicKey(), destination: destination.publicKey() }
      const { sequence } = (yield* plan(request)).snapshot
      yield* on(
        perform("the account skips numbers", {
          as: source,
          operations: [Operation.bumpSequence({ bumpTo: (BigInt(sequence) + 40n).toString() })]
        })
      )
      yield* on(perform("an entry is written", { as: source, operations: [Operation.manageData({ name: "first", value: "1" })] }))
      assert.deepStrictEqual(reasons(yield* plan(request)), [])
      // As if the ledger API had left one of its transactions out.
      yield* sandbox.amend((state) => skippingOne(state, source.publicKey()))
      yield* on(perform("another entry is written", { as: source, operations: [Operation.manageData({ name: "second", value: "1" })] }))
      assert.deepStrictEqual(reasons(yield* plan(request)), ["positions_unread"])
    }).pipe(Effect.provide(lendingService)))

  it.scopedLive("that cannot be had stops plan and build, and the read says so", () =>
    Effect.gen(function*() {
      const { call, on, sandbox } = yield* Service
      const { destination, source } = yield* on(LendingNewcomer)
      const request = { source: source.publicKey(), destination: destination.publicKey() }
      yield* plan(request)
      yield* sandbox.faults.set({ fault: new ServiceUnavailable({}), rest: "/accounts/:id/transactions" })
      for (const route of ["plan", "next"] as const) {
        assert.strictEqual((yield* refusal(route, { ...request, decisions: [acknowledges(request.destination)] })).status, 503)
      }
      const { body, status } = yield* call<{ readonly warnings: ReadonlyArray<{ readonly code?: string; readonly subject?: string }> }>(
        "GET",
        `/testnet/account/${request.source}`
      )
      assert.strictEqual(status, 200)
      assert.include(
        body.warnings.map(({ code, subject }) => `${code} ${subject}`),
        "source_failed history"
      )
    }).pipe(Effect.provide(Layer.provideMerge(lendingService, jumping))))

  it.scopedLive("lifts the doubt from an account that was created after the last ledger that nobody tells of, whatever it holds", () =>
    Effect.gen(function*() {
      const { on, sandbox } = yield* Service
      const older = yield* on(LendingNewcomer)
      yield* Effect.forEach(Array.from({ length: 10 }), () => sandbox.closeLedger({ advanceSeconds: 5 }))
      const [source, destination] = [Keypair.random(), Keypair.random()]
      yield* on(fund("100", source, destination))
      yield* on(perform("the account trusts USDC", { as: source, operations: [Operation.changeTrust({ asset: older.usdc })] }))
      assert.deepStrictEqual(reasons(yield* plan({ source: source.publicKey(), destination: destination.publicKey() })), [])
      // The ledger API keeps no more history than the contract RPC here, so earlier calls of the other account are unknown.
      assert.deepStrictEqual(reasons(yield* plan({ source: older.source.publicKey(), destination: destination.publicKey() })), [
        "positions_unread"
      ])
    }).pipe(Effect.provide(serviceOver(["lend_1"], { retention: 8 }))))

  it.scopedLive("is not needed for a pool that somebody else's call put it into: outside a gap it is found", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { destination, pool, source } = yield* on(relayed)
      const request = { source: source.publicKey(), destination: destination.publicKey() }
      const found = yield* plan(request)
      assert.deepStrictEqual(reasons(found), [])
      assert.deepStrictEqual(found.decisionPoints.filter(({ type }) => type === "position").map(({ id }) => id), [
        `position:lend_1:${strkeyOf(pool)}:reserves`
      ])
    }).pipe(Effect.provide(lendingService)))

  it.scopedLive("is not relied on for a call that somebody else sent: inside a gap its owner is asked", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      yield* withoutEvents
      const { destination, source } = yield* on(relayed)
      assert.deepStrictEqual(reasons(yield* plan({ source: source.publicKey(), destination: destination.publicKey() })), [
        "positions_unread"
      ])
    }).pipe(Effect.provide(lendingService)))
})
