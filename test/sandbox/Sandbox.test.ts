import { assert, it } from "@effect/vitest"
import { NotFoundError } from "@stellar/stellar-sdk"
import { Context, Effect, Exit, Layer, Scope } from "effect"
import { Network } from "../../src/sandbox/Network.ts"
import { Sandbox, startSandbox } from "../../src/sandbox/Sandbox.ts"
import { FundedPair } from "../../src/sandbox/scenarios/FundedPair.ts"
import { refused, startWithClients } from "./Clients.ts"

it.scopedLive("keeps two networks of one process apart", () =>
  Effect.gen(function*() {
    const [one, other] = [yield* startWithClients(), yield* startWithClients()]
    const { source } = yield* one.on(FundedPair)
    assert.notStrictEqual(one.rpcUrl, other.rpcUrl)
    yield* Effect.promise(() => one.ledgerApi.loadAccount(source.publicKey()))
    assert.instanceOf(yield* refused(() => other.ledgerApi.loadAccount(source.publicKey())), NotFoundError)
    const sequence = (of: typeof one) => Effect.map(Effect.promise(() => of.contractRpc.getLatestLedger()), (ledger) => ledger.sequence)
    assert.deepStrictEqual([yield* sequence(one), yield* sequence(other)], [2, 1])
  }))

it.scopedLive("keeps two networks of one layer graph apart", () =>
  Effect.gen(function*() {
    class Other extends Context.Tag("test/Other")<Other, Context.Tag.Service<Sandbox>>() {}
    const both = Layer.merge(Sandbox.layer(), Layer.scoped(Other, startSandbox()))
    const services = yield* Layer.build(both)
    const [one, other] = [Context.get(services, Sandbox), Context.get(services, Other)]
    yield* Effect.provideService(FundedPair, Network, one.network)
    const seen = yield* Effect.all([one, other].map(({ network }) => network.snapshot))
    assert.deepStrictEqual(seen.map(({ history }) => history.latest.sequence), [2, 1])
  }))

it.live("stops listening when its scope closes", () =>
  Effect.gen(function*() {
    const scope = yield* Scope.make()
    const { ledgerApiUrl } = yield* Scope.extend(startSandbox(), scope)
    assert.strictEqual((yield* Effect.promise(() => fetch(ledgerApiUrl))).status, 200)
    yield* Scope.close(scope, Exit.void)
    const error = yield* refused(() => fetch(ledgerApiUrl))
    assert.instanceOf(error, TypeError)
  }))
