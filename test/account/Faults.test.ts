import { assert } from "@effect/vitest"
import { Asset, Claimant, Keypair, Operation } from "@stellar/stellar-sdk"
import { Clock, Context, Effect, Layer } from "effect"
import { AccountReader } from "../../src/account/AccountReader.ts"
import { ErrorTable } from "../../src/api/ErrorTable.ts"
import { withPatience } from "../../src/chain/pace/Patience.ts"
import { CutConnection, Hang, Latency } from "../../src/sandbox/faults/Connection.ts"
import type { FaultRule } from "../../src/sandbox/faults/FaultRule.ts"
import { makeFaults } from "../../src/sandbox/faults/Faults.ts"
import { LaggingLedgerApi } from "../../src/sandbox/faults/LimitedServer.ts"
import { GarbageBody, WrongShape } from "../../src/sandbox/faults/MalformedAnswers.ts"
import { TooManyRequests } from "../../src/sandbox/faults/RateLimiting.ts"
import { GatewayTimeout, RpcError, ServiceUnavailable } from "../../src/sandbox/faults/ServerErrors.ts"
import { Network } from "../../src/sandbox/Network.ts"
import { fund, perform } from "../../src/sandbox/scenarios/Scenario.ts"
import { layer } from "../support/Layered.ts"
import { firstOf } from "../support/Thorough.ts"
import { freshReader, sandbox } from "./support/Endpoints.ts"
import { claimsWhole, shown, truthOf } from "./support/Truth.ts"
import { addressOf, timed } from "./support/World.ts"

/** The end of a read: complete, incomplete with a report, or the status and code of an error. */
type Outcome = "complete" | "reported" | `${number} ${string}`

/** Outcomes of a fault that occurs once, always at the only endpoint, and always at the first of two. */
type Row = readonly [once: Outcome, always: Outcome, elsewhere: Outcome]

const unavailable = "503 network_unavailable"
const limited = "503 upstream_rate_limited"
const unusable = "502 upstream_unusable"

const faults = {
  "429 with Retry-After": [new TooManyRequests({ retryAfterSeconds: 2 }), ["complete", limited, "complete"]],
  "429 with a long Retry-After": [new TooManyRequests({ retryAfterSeconds: 30 }), [limited, limited, "complete"]],
  "429 without Retry-After": [new TooManyRequests({}), ["complete", limited, "complete"]],
  "503": [new ServiceUnavailable({}), ["complete", unavailable, "complete"]],
  "504": [new GatewayTimeout({}), ["complete", unavailable, "complete"]],
  "no answer": [new Hang({}), ["complete", unavailable, "complete"]],
  "a cut connection": [new CutConnection({}), ["complete", unavailable, "complete"]],
  "a body that is no JSON": [new GarbageBody({}), ["complete", unusable, "complete"]],
  "JSON of another shape": [new WrongShape({}), ["complete", unusable, "complete"]],
  "two seconds of latency": [new Latency({ millis: 2000 }), ["complete", "complete", "complete"]]
} as const

const rpcFaults = {
  "an internal JSON-RPC error": [new RpcError({ code: -32603, message: "broken" }), ["complete", unavailable, "complete"]],
  "too long a computation": [new RpcError({ code: -32001, message: "limit" }), ["complete", unavailable, "complete"]],
  "an unknown method": [new RpcError({ code: -32601, message: "no such method" }), ["complete", unusable, "complete"]]
} as const

const methods = ["getNetwork", "getLedgerEntries", "getLatestLedger"] as const

/** Every path that a read requests, and the result when its answer predates the account's last change. */
const paths: ReadonlyArray<readonly [path: string, lagging: Row]> = [
  ["/", ["complete", "complete", "complete"]],
  ["/accounts/:id", ["complete", "reported", "reported"]],
  ["/offers", ["complete", "reported", "reported"]],
  ["/claimable_balances", ["complete", "reported", "reported"]],
  ["/accounts", ["complete", "reported", "reported"]]
]

/** Every fault where the account itself is read; elsewhere one that the service reports differently. */
const faultsAt = (where: string) => {
  const all = Object.entries(faults)
  return where === "getLedgerEntries" || where === "/accounts/:id" ? all : firstOf(1, all.toReversed())
}

const rows: ReadonlyArray<readonly [name: string, rule: FaultRule, row: Row]> = [
  ...methods.flatMap((rpc) => [
    ...faultsAt(rpc).map(([name, [fault, row]]) => [`${rpc}: ${name}`, { fault, rpc }, row] as const),
    ...Object.entries(rpcFaults).map(([name, [fault, row]]) => [`${rpc}: ${name}`, { fault, rpc }, row] as const)
  ]),
  ...paths.flatMap(([rest, lagging]) => [
    ...faultsAt(rest).map(([name, [fault, row]]) => [`${rest}: ${name}`, { fault, rest }, row] as const),
    [`${rest}: three ledgers of lag`, { fault: new LaggingLedgerApi({ ledgers: 3 }), rest }, lagging] as const
  ]),
  // Where everything at the first endpoint lags, the endpoints are compared and the second look goes to the other one.
  ["everything: three ledgers of lag", { fault: new LaggingLedgerApi({ ledgers: 3 }), rest: "*" }, ["complete", "reported", "complete"]]
]

/** The account that is read. */
class Owner extends Context.Tag("test/Owner")<Owner, Keypair>() {}

/** An account that holds and sponsors entries of most kinds, the newest of each in one of the last three ledgers. */
const account = Effect.gen(function*() {
  const [owner, friend] = [Keypair.random(), Keypair.random()]
  yield* fund("1000", owner, friend)
  const asset = new Asset("USD", friend.publicKey())
  const balance = Operation.createClaimableBalance({ asset: Asset.native(), amount: "1", claimants: [new Claimant(owner.publicKey())] })
  const sponsor = (name: string) =>
    perform("sponsor", {
      as: owner,
      signedBy: [owner, friend],
      operations: [
        Operation.beginSponsoringFutureReserves({ sponsoredId: friend.publicKey() }),
        Operation.manageData({ name, value: "x", source: friend.publicKey() }),
        Operation.endSponsoringFutureReserves({ source: friend.publicKey() })
      ]
    })
  yield* perform("things", {
    as: owner,
    operations: [Operation.changeTrust({ asset }), Operation.manageData({ name: "note", value: "x" }), balance]
  })
  yield* sponsor("first")
  yield* perform("a balance", { as: friend, operations: [balance] })
  yield* perform("an offer", {
    as: owner,
    operations: [Operation.manageSellOffer({ selling: Asset.native(), buying: asset, amount: "1", price: "1" })]
  })
  yield* sponsor("second")
  return owner
})

/** The longest a read may take: the deadline of its route. */
const deadline = 20_000

/** Reads with one rule in force, from a fresh start, and returns the outcome. */
const outcomeOf = (owner: Keypair, rule: FaultRule, second: boolean) =>
  Effect.scoped(Effect.gen(function*() {
    const { faults } = yield* Network
    const reader = Context.get(yield* freshReader(second), AccountReader)
    yield* faults.set({ ...rule, times: rule.times ?? 1_000 })
    const start = yield* Clock.currentTimeMillis
    const outcome = yield* Effect.either(withPatience(reader.read(addressOf(owner), [])))
    assert.isAtMost((yield* Clock.currentTimeMillis) - start, deadline)
    assert.isTrue((yield* faults.all).every(({ met }) => met > 0), "the fault never met a request")
    if (outcome._tag === "Left") {
      const { code, status } = ErrorTable[outcome.left._tag]
      return `${status} ${code}`
    }
    if (!claimsWhole(outcome.right)) return "reported"
    assert.deepStrictEqual(shown(outcome.right), yield* truthOf(owner))
    assert.strictEqual(outcome.right.state.sponsoredEntries.length, 3)
    return "complete"
  })).pipe(withOwnFaults)

/** The same ledger with faults of its own. */
const withOwnFaults = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.flatMap(Effect.zip(Network, makeFaults), ([network, faults]) => Effect.provideService(effect, Network, { ...network, faults }))

/** Outcomes of parallel reads, on one moving clock. */
const outcomes = <E, R>(...reads: ReadonlyArray<Effect.Effect<string, E, R>>) =>
  Effect.flatMap(timed(Effect.all(reads, { concurrency: "unbounded" }), 25_000), ({ exit }) => exit)

layer(Layer.provideMerge(Layer.effect(Owner, account), sandbox()))("a read whose upstream requests meet", (it) => {
  it.effect("no fault is complete", () =>
    Effect.gen(function*() {
      const none = outcomeOf(yield* Owner, { fault: new Latency({ millis: 1 }) }, false)
      assert.deepStrictEqual(yield* outcomes(none), ["complete"])
    }))

  for (const [name, rule, [once, always, elsewhere]] of rows) {
    it.effect(name, () =>
      Effect.gen(function*() {
        const owner = yield* Owner
        assert.deepStrictEqual(
          yield* outcomes(outcomeOf(owner, { ...rule, times: 1 }, false), outcomeOf(owner, rule, false), outcomeOf(owner, rule, true)),
          [once, always, elsewhere]
        )
      }))
  }
})
