import { HttpClient } from "@effect/platform"
import type { HttpClientError, HttpClientRequest, HttpClientResponse } from "@effect/platform"
import type { Keypair } from "@stellar/stellar-sdk"
import { Clock, Effect, Fiber, Layer, TestClock } from "effect"
import { tokens } from "../../../scripts/bench/Tokens.ts"
import { AccountReader } from "../../../src/account/AccountReader.ts"
import { ContractRpc } from "../../../src/chain/ContractRpc.ts"
import { LedgerApi } from "../../../src/chain/LedgerApi.ts"
import { LedgerEntries } from "../../../src/chain/LedgerEntries.ts"
import { NetworkSettings } from "../../../src/chain/NetworkSettings.ts"
import { AccountAddress } from "../../../src/domain/Address.ts"
import { Coverage } from "../../../src/protocols/Coverage.ts"
import { type Protocol, ProtocolRegistry } from "../../../src/protocols/ProtocolRegistry.ts"
import { ContractAddresses } from "../../../src/registry/ContractAddresses.ts"
import { Friendbot } from "../../../src/sandbox/Friendbot.ts"
import { inMemoryTransport } from "../../../src/sandbox/InMemoryTransport.ts"
import { Network } from "../../../src/sandbox/Network.ts"
import { idle } from "../../support/Idle.ts"
import { MovedClock } from "../../support/JumpingClock.ts"

type Send = Effect.Effect<HttpClientResponse.HttpClientResponse, HttpClientError.HttpClientError>

/** Intercepts every request between the reader and the sandbox; it may replace the answer. */
export type Between = (request: HttpClientRequest.HttpClientRequest, send: Send) => Send

const ledgerApi = new URL("http://sandbox.invalid/")
const contractRpc = new URL("http://sandbox.invalid/rpc")

/** Whether a request goes to the contract RPC. */
export const isRpc = (request: HttpClientRequest.HttpClientRequest): boolean => new URL(request.url).pathname === "/rpc"

/** The JSON-RPC method of a request. */
export const methodOf = (request: HttpClientRequest.HttpClientRequest): string =>
  request.body._tag === "Uint8Array" ? JSON.parse(new TextDecoder().decode(request.body.body)).method : ""

const settings = Layer.effect(
  NetworkSettings,
  Effect.map(Network, ({ passphrase }) => ({
    network: "testnet" as const,
    passphrase,
    rpcUrls: [contractRpc] as const,
    ledgerApiUrls: [ledgerApi] as const,
    sandbox: true
  }))
)

/** A fresh sandbox network without a socket, and the reader over it. `protocols`: the decoders; omitted: all of this version. */
export const world = ({ between = (_, send) => send, contracts = ContractAddresses.layerNone, protocols }: {
  readonly between?: Between
  readonly contracts?: Layer.Layer<ContractAddresses>
  readonly protocols?: ReadonlyArray<Protocol>
} = {}) => {
  const transport = Layer.effect(
    HttpClient.HttpClient,
    Effect.map(inMemoryTransport, HttpClient.transform((send, request) => between(request, send)))
  )
  return AccountReader.layer.pipe(
    Layer.provide(tokens),
    Layer.provide(Coverage.layer),
    Layer.provide(protocols === undefined ? ProtocolRegistry.layer : ProtocolRegistry.layerOf(protocols)),
    Layer.provideMerge(LedgerEntries.layer),
    Layer.provideMerge(Layer.mergeAll(ContractRpc.layer, LedgerApi.layer)),
    Layer.provide([settings, transport]),
    Layer.provide(contracts),
    Layer.provide(Friendbot.layer),
    Layer.provideMerge(Network.layer())
  )
}

export const addressOf = (keys: Keypair): AccountAddress => AccountAddress.make(keys.publicKey())

/** Reads an account without extra tokens. */
export const read = (keys: Keypair) => Effect.flatMap(AccountReader, (reader) => reader.read(addressOf(keys), []))

/** The moving clock for each test clock: work that one run leaves behind continues in the next. */
const clocks = new WeakMap<TestClock.TestClock, MovedClock>()

/**
 * Runs an effect on its own clock, which moves whenever no other work is left. Returns the result and the elapsed milliseconds, in steps.
 * The test's clock moves along, and with it every sleeper there, such as a network that closes its ledgers.
 */
export const timed = <A, E, R>(effect: Effect.Effect<A, E, R>, step = 50) =>
  Effect.gen(function*() {
    const testClock = yield* TestClock.testClock()
    const start = yield* Clock.currentTimeMillis
    const clock = clocks.get(testClock) ?? new MovedClock(start)
    clocks.set(testClock, clock)
    clock.wakeAt(start)
    const fiber = yield* Effect.fork(Effect.withClock(effect, clock))
    for (;;) {
      yield* Effect.promise(idle)
      if ((yield* Fiber.poll(fiber))._tag === "Some") break
      const [own, others] = [clock.next(), Array.from(yield* TestClock.sleeps())]
      const moment = own === null && others.length === 0 ? clock.unsafeCurrentTimeMillis() + step : Math.min(own ?? Infinity, ...others)
      clock.wakeAt(moment)
      if (others.includes(moment)) yield* TestClock.setTime(moment)
    }
    const elapsed = Math.ceil((clock.unsafeCurrentTimeMillis() - start) / step) * step
    yield* TestClock.setTime(start + elapsed)
    return { exit: yield* Fiber.await(fiber), elapsed }
  })

/** The outcome of waiting work, without the wait. */
export const soon = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> => Effect.flatMap(timed(effect), ({ exit }) => exit)
