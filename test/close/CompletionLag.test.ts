import { assert, describe, it } from "@effect/vitest"
import { Keypair, Operation } from "@stellar/stellar-sdk"
import { Effect, Either, Exit } from "effect"
import { Planner } from "../../src/close/answer/Planner.ts"
import { LaggingLedgerApi } from "../../src/sandbox/faults/LimitedServer.ts"
import { Network } from "../../src/sandbox/Network.ts"
import { fund, perform } from "../../src/sandbox/scenarios/Scenario.ts"
import { timed } from "../account/support/World.ts"
import { inMemory, onTestnet } from "../deep/support/InMemory.ts"

/** A merge of the newest ledger. */
const Merged = Effect.gen(function*() {
  const [source, destination] = [Keypair.random(), Keypair.random()]
  yield* fund("100", source, destination)
  yield* perform("the merge", { as: source, operations: [Operation.accountMerge({ destination: destination.publicKey() })] })
  return { source: source.publicKey(), destination: destination.publicKey() }
})

const planned = (request: { readonly source: string; readonly destination: string }) =>
  Effect.gen(function*() {
    const { elapsed, exit } = yield* timed(onTestnet(Effect.flatMap(Planner, ({ plan }) => plan(request))), 250)
    return { seconds: elapsed / 1000, either: yield* Effect.either(Exit.isSuccess(exit) ? Effect.succeed(exit.value) : exit) }
  })

const lag = (ledgers: number, times?: number) =>
  Effect.flatMap(
    Network,
    ({ faults }) => faults.set({ fault: new LaggingLedgerApi({ ledgers }), ...(times === undefined ? {} : { times }) })
  )

describe("a merge that the ledger API has not seen yet", () => {
  it.effect("is waited for, a few seconds", () =>
    Effect.gen(function*() {
      const request = yield* Merged
      // Two answers report the network and the rest of the state; the next three report the ledger API's ledger.
      yield* lag(2, 9)
      const { either, seconds } = yield* planned(request)
      assert.strictEqual(Either.getOrThrow(either).status, "complete")
      assert.isAtLeast(seconds, 3)
      assert.isAtMost(seconds, 6)
    }).pipe(Effect.provide(inMemory())))

  it.effect("is no complete close and no missing account, but a source that lags", () =>
    Effect.gen(function*() {
      const request = yield* Merged
      yield* lag(2)
      const { either, seconds } = yield* planned(request)
      assert.deepInclude(Either.getOrThrow(Either.flip(either)), { _tag: "LedgerApiLagging", behind: 2 })
      assert.isAtMost(seconds, 10)
    }).pipe(Effect.provide(inMemory())))

  it.effect("lags too where it still lists the account", () =>
    Effect.gen(function*() {
      const request = yield* Merged
      yield* Effect.flatMap(Network, ({ faults }) => faults.set({ fault: new LaggingLedgerApi({ ledgers: 1 }), rest: "/accounts/:id" }))
      const { either } = yield* planned(request)
      assert.deepInclude(Either.getOrThrow(Either.flip(either)), { _tag: "LedgerApiLagging", behind: 1 })
    }).pipe(Effect.provide(inMemory())))
})
