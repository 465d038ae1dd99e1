import { assert, describe, it } from "@effect/vitest"
import { Asset, Keypair, Operation } from "@stellar/stellar-sdk"
import { Effect, Layer } from "effect"
import { ledgerSeconds } from "../../src/domain/Ledger.ts"
import { startSandbox } from "../../src/sandbox/Sandbox.ts"
import { fund, perform } from "../../src/sandbox/scenarios/Scenario.ts"
import { Serving } from "../../src/serving/Serving.ts"
import { contractsFile } from "../support/ContractsFile.ts"
import { jumping, secondsOf } from "../support/JumpingClock.ts"
import { layer } from "../support/Layered.ts"
import { startTestService } from "../support/TestService.ts"
import { Pair } from "./support/Accounts.ts"
import { coSign, offered, plan, refusal, submit } from "./support/Client.ts"
import { exchanges, floatIn, lumensAt } from "./support/Mediated.ts"
import { Service } from "./support/Service.ts"
import { signed } from "./support/Signing.ts"

const memo = "customer 42"
const alone = { excludeTestServices: true } as const

interface Report {
  readonly details: Readonly<Record<string, { readonly message?: string }>>
}

const healthMessage = Effect.flatMap(
  Service,
  ({ call }) => Effect.map(call<Report>("GET", "/health/deep"), ({ body }) => body.details["mediator_testnet"]?.message ?? "")
)

const mediatedRequest = Effect.gen(function*() {
  const { on } = yield* Service
  const { source } = yield* on(Pair())
  const { payments } = yield* exchanges
  return { source, payments, request: { source: source.publicKey(), destination: payments, memo } }
})

const mediatorAddress = Effect.gen(function*() {
  const { request } = yield* mediatedRequest
  return (yield* offered(request)).intent.guarantees.mergeDestination ?? ""
})

const donate = (to: string, amount: string) =>
  Effect.gen(function*() {
    const { on } = yield* Service
    const { source } = yield* on(Pair())
    yield* on(perform("a donation", { as: source, operations: [Operation.payment({ destination: to, asset: Asset.native(), amount })] }))
  })

const pollSeconds = 1

/** Polls until a condition holds. */
const until = <A, R>(look: Effect.Effect<A, never, R>, holds: (seen: A) => boolean) =>
  Effect.gen(function*() {
    for (;;) {
      const seen = yield* look
      if (holds(seen)) return seen
      yield* Effect.sleep(`${pollSeconds} seconds`)
    }
  })

const floatOf = (address: string) =>
  Effect.flatMap(Service, ({ sandbox }) => Effect.map(sandbox.snapshot, ({ state }) => floatIn(state, address)))

const swept = (to: Keypair) => Layer.provideMerge(Service.layer({ TESTNET_MEDIATOR_SWEEP_ACCOUNT: to.publicKey() }), jumping)

const operator = Keypair.random()

layer(swept(operator), alone)("a mediator with a sweep account", (it) => {
  it.effect("sends a surplus there within a ledger, and no close that it signed before is hurt", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      yield* on(fund("100", operator))
      const { payments, request, source } = yield* mediatedRequest
      const transaction = yield* offered(request)
      const address = transaction.intent.guarantees.mergeDestination ?? ""
      const envelope = yield* signed({ xdr: yield* coSign(transaction.xdr) }, source)
      yield* donate(address, "0.5")
      assert.match(yield* healthMessage, /^it holds 0\.5000000 lumens beyond its reserve; it is being moved/)
      const [, seconds] = yield* secondsOf(until(floatOf(address), (float) => float === 0n))
      assert.isAtMost(seconds, ledgerSeconds + pollSeconds)
      assert.strictEqual(yield* lumensAt(operator.publicKey()), 100_0000000n + 4_999_900n)
      const before = yield* lumensAt(payments)
      yield* submit(envelope)
      assert.strictEqual((yield* lumensAt(payments)) - before, 100_0000000n - 200n)
      assert.strictEqual(yield* floatOf(address), 0n)
    }))

  it.effect("is paused above the limit until it was swept, and keeps what is within the tolerance", () =>
    Effect.gen(function*() {
      const address = yield* mediatorAddress
      const { request } = yield* mediatedRequest
      yield* donate(address, "1.0000001")
      const refused = yield* refusal("next", request)
      assert.deepInclude(refused, { status: 503, code: "mediator_overfunded" })
      assert.isBelow(Number(refused.retryAfter), 60)
      yield* until(Effect.zipRight(healthMessage, floatOf(address)), (float) => float === 0n)
      yield* donate(address, "0.1")
      yield* offered(request)
      assert.strictEqual(yield* floatOf(address), 1_000_000n)
    }))
})

layer(swept(Keypair.random()), alone)(
  "a mediator whose sweep account does not exist",
  (it) => {
    it.effect(
      "says so after the second refusal, and signs as long as it holds no more than it may",
      () =>
        Effect.gen(function*() {
          const address = yield* mediatorAddress
          yield* donate(address, "0.5")
          const { request } = yield* mediatedRequest
          const transaction = yield* offered(request)
          const message = yield* until(
            Effect.zipRight(coSign(transaction.xdr), healthMessage),
            (told) => told.includes("could not be moved")
          )
          assert.match(message, /^it holds 0\.5000000 lumens beyond its reserve; it could not be moved: The sweep account does not exist/)
          assert.notMatch(message, /G[A-Z2-7]{55}/)
        })
    )
  }
)

layer(Service.layer(), alone)("a mediator of a sandbox without a sweep account", (it) => {
  it.effect("keeps its surplus and is paused above a lumen", () =>
    Effect.gen(function*() {
      const address = yield* mediatorAddress
      yield* donate(address, "1.5")
      const { request } = yield* mediatedRequest
      assert.deepStrictEqual((yield* plan(request)).blockers.map(({ reason }) => reason), ["mediator_unavailable"])
      assert.match(yield* healthMessage, /^paused: it holds 1\.5000000 lumens beyond its reserve; run npm run mediator:sweep/)
    }))
})

describe("a network with URLs", () => {
  it.scopedLive("does not start with a mediator's secret and no sweep account", () =>
    Effect.gen(function*() {
      const { ledgerApiUrl, passphrase, rpcUrl } = yield* startSandbox()
      const { file } = yield* contractsFile("mainnet")
      const settings = {
        MAINNET_RPC_URLS: rpcUrl,
        MAINNET_LEDGER_API_URLS: ledgerApiUrl,
        MAINNET_PASSPHRASE: passphrase,
        MAINNET_CONTRACTS_FILE: file,
        NETWORK_SANDBOX: "testnet",
        API_KEYS: `test=lk_${"a".repeat(43)}`,
        MAINNET_MEDIATOR_SECRET: Keypair.random().secret()
      }
      const refused = yield* Effect.flip(
        startTestService(settings, Serving.layerWith({ closeEvery: null, protocols: false, accounts: false }))
      )
      assert.include(String(refused), "MAINNET_MEDIATOR_SWEEP_ACCOUNT")
      assert.notInclude(String(refused), settings.MAINNET_MEDIATOR_SECRET)
      const started = { ...settings, MAINNET_MEDIATOR_SWEEP_ACCOUNT: Keypair.random().publicKey() }
      yield* startTestService(started, Serving.layerWith({ closeEvery: null, protocols: false, accounts: false }))
    }))
})
