import { type HttpClientRequest, HttpClientResponse } from "@effect/platform"
import { assert, describe, it } from "@effect/vitest"
import { type Keypair, xdr } from "@stellar/stellar-sdk"
import { Deferred, Effect, Fiber, Ref, TestClock } from "effect"
import { addressVal, bool, contractAddress, strkeyOf, vec } from "../../src/ledger/soroban/Values.ts"
import { contractEntries, dataEntries } from "../../src/sandbox/contracts/Deployment.ts"
import { rewardZoneKey } from "../../src/sandbox/contracts/lend1/BackstopKeys.ts"
import { poolV2Hash } from "../../src/sandbox/contracts/lend1/LendingPool.ts"
import { deployedKey } from "../../src/sandbox/contracts/lend1/PoolFactory.ts"
import { Network } from "../../src/sandbox/Network.ts"
import { lendingContracts } from "../../src/sandbox/scenarios/LendingContracts.ts"
import { deployed } from "../../src/serving/EmbeddedSandbox.ts"
import { type Between, isRpc, methodOf, read, soon, timed, world } from "../account/support/World.ts"
import { deployPool, LendingDeployed } from "../support/scenarios/LendingDeployed.ts"

interface EventsParams {
  readonly startLedger?: number
  readonly endLedger?: number
}

const paramsOf = (request: HttpClientRequest.HttpClientRequest) =>
  request.body._tag === "Uint8Array" ? JSON.parse(new TextDecoder().decode(request.body.body)).params : {}

const rangeOf = (request: HttpClientRequest.HttpClientRequest): EventsParams => paramsOf(request)

const keysOf = (request: HttpClientRequest.HttpClientRequest): ReadonlyArray<string> => paramsOf(request).keys

/** Whether a key confirms a pool with its factory. */
const isConfirmation = (text: string): boolean => {
  const key = xdr.LedgerKey.fromXdr(text, "base64")
  return key.type === "contractData" && strkeyOf(key.contractData.contract) === strkeyOf(lendingContracts.poolFactory)
}

type Question = (request: HttpClientRequest.HttpClientRequest) => boolean

const ofEvents: Question = (request) => isRpc(request) && methodOf(request) === "getEvents"

const ofConfirmation: Question = (request) =>
  isRpc(request) && methodOf(request) === "getLedgerEntries" && keysOf(request).some(isConfirmation)

/** Requests of one kind to the upstream, and their answers. */
const watching = (question: Question) =>
  Effect.gen(function*() {
    const asked = yield* Ref.make<ReadonlyArray<EventsParams>>([])
    const becomes = yield* Ref.make<Between>((_, send) => send)
    const between: Between = (request, send) => {
      if (!question(request)) return send
      return Effect.zipRight(
        Ref.update(asked, (all) => [...all, rangeOf(request)]),
        Effect.flatMap(Ref.get(becomes), (become) => become(request, send))
      )
    }
    return { between, becomes, asked: Ref.getAndSet(asked, []) }
  })

type Watch = Effect.Effect.Success<ReturnType<typeof watching>>

/** An account that lends to a recently deployed pool, and the account reader. */
const lending = (
  question: Question,
  body: (
    watched: Watch,
    scene: Effect.Effect.Success<typeof LendingDeployed>
  ) => Effect.Effect<void, unknown, Network | Effect.Effect.Context<ReturnType<typeof read>>>
) =>
  Effect.flatMap(watching(question), (watched) =>
    Effect.flatMap(LendingDeployed, (scene) => body(watched, scene)).pipe(
      Effect.provide(world({ between: watched.between, contracts: deployed("lend_1") }))
    ))

const looking = (account: Keypair) =>
  Effect.map(read(account), ({ state: { defiPositions, defiPositionsWarnings } }) => ({
    pools: defiPositions.positions.map((row) => row.contractAddress),
    listed: defiPositions.queryKeys.slices["lend_1"]?.contracts ?? [],
    asOf: defiPositions.queryKeys.slices["lend_1"]?.contractsAsOf,
    warned: defiPositionsWarnings.map(({ code }) => code)
  }))

const look = (account: Keypair) => soon(looking(account))

const nextLedger = Effect.flatMap(Network, ({ closeLedger }) => closeLedger({ advanceSeconds: 5 }))

const refusing = (status: number): Between => (request) => Effect.succeed(HttpClientResponse.fromWeb(request, new Response("", { status })))

describe("the list of pools", () => {
  it.effect("is read anew after five minutes, serves until that is done, and then only what came since is scanned", () =>
    lending(ofEvents, (watched, { assets, deployed: first, lender, source }) =>
      Effect.gen(function*() {
        const before = yield* look(source)
        const ledger = (yield* (yield* Network).snapshot).state.header
        assert.deepStrictEqual(before.pools, [strkeyOf(first)])
        assert.strictEqual(before.asOf, new Date(Number(ledger.closeTime) * 1_000).toISOString())
        assert.lengthOf(yield* watched.asked, 1)
        const second = strkeyOf(yield* deployPool(lendingContracts.poolFactory, lender, assets, 1))
        yield* nextLedger
        yield* TestClock.adjust("290 seconds")
        const within = yield* look(source)
        assert.notInclude(within.listed, second)
        assert.strictEqual(within.asOf, before.asOf)
        assert.isEmpty(yield* watched.asked)
        yield* TestClock.adjust("10 seconds")
        assert.strictEqual((yield* look(source)).asOf, before.asOf)
        const after = yield* Effect.repeat(look(source), { until: ({ asOf }) => asOf !== before.asOf, times: 50 })
        assert.include(after.listed, second)
        assert.include(after.listed, strkeyOf(first))
        assert.notStrictEqual(after.asOf, before.asOf)
        const [question, ...others] = yield* watched.asked
        assert.isEmpty(others)
        assert.strictEqual(question?.startLedger, ledger.ledgerSeq + 1)
      })))

  it.effect("is waited for where it is older than a quarter of an hour", () =>
    lending(ofEvents, (_, { assets, lender, source }) =>
      Effect.gen(function*() {
        yield* look(source)
        const second = strkeyOf(yield* deployPool(lendingContracts.poolFactory, lender, assets, 1))
        yield* nextLedger
        yield* TestClock.adjust("15 minutes")
        assert.include((yield* look(source)).listed, second)
      })))

  it.effect("keeps a pool that the reward zone no longer names", () =>
    lending(ofEvents, (_, { source }) =>
      Effect.gen(function*() {
        const { amend } = yield* Network
        const { backstop, pool, poolFactory } = lendingContracts
        const other = contractAddress(new xdr.ContractId(new Uint8Array(32).fill(7)))
        const zoneOf = (...pools: ReadonlyArray<xdr.ScAddress>) =>
          dataEntries(backstop, [rewardZoneKey, vec(...pools.map(addressVal))], "persistent", 1_000_000)
        yield* amend((state) =>
          state.set([
            ...zoneOf(pool, other),
            ...dataEntries(poolFactory, [deployedKey(other), bool(true)], "persistent", 1_000_000),
            ...contractEntries(other, poolV2Hash, [], 1_000_000)
          ])
        )
        assert.include((yield* look(source)).listed, strkeyOf(other))
        yield* amend((state) => state.set(zoneOf(pool)))
        yield* TestClock.adjust("5 minutes")
        assert.include((yield* look(source)).listed, strkeyOf(other))
      })))

  it.effect("forgets after five minutes a pool that a source put into the reward zone, once no factory knows it", () =>
    lending(ofEvents, (_, { deployed: first, source }) =>
      Effect.gen(function*() {
        const { amend } = yield* Network
        const { backstop, pool, poolFactory } = lendingContracts
        const other = contractAddress(new xdr.ContractId(new Uint8Array(32).fill(8)))
        const imagined = (known: boolean, ...zone: ReadonlyArray<xdr.ScAddress>) =>
          amend((state) =>
            state.set([
              ...dataEntries(backstop, [rewardZoneKey, vec(...zone.map(addressVal))], "persistent", 1_000_000),
              ...dataEntries(poolFactory, [deployedKey(other), bool(known)], "persistent", 1_000_000)
            ])
          )
        yield* imagined(true, pool, other)
        assert.include((yield* look(source)).listed, strkeyOf(other))
        yield* imagined(false, pool)
        yield* TestClock.adjust("290 seconds")
        assert.include((yield* look(source)).listed, strkeyOf(other))
        yield* TestClock.adjust("10 seconds")
        // The first request still gets the old list while the service refreshes it.
        const { pools, warned } = yield* Effect.repeat(look(source), {
          until: ({ listed }) => !listed.includes(strkeyOf(other)),
          times: 50
        })
        assert.deepStrictEqual([pools, warned], [[strkeyOf(first)], []])
      })))

  it.effect("is read once by all who ask at the same time", () =>
    lending(ofConfirmation, (watched, { deployed: pool, lender, source }) =>
      Effect.gen(function*() {
        const all = yield* soon(Effect.all([looking(source), looking(lender), looking(source)], { concurrency: "unbounded" }))
        for (const { listed } of all) assert.include(listed, strkeyOf(pool))
        assert.include((yield* look(lender)).listed, strkeyOf(pool))
        assert.lengthOf(yield* watched.asked, 1)
      })))

  it.effect("is not kept when it could not be read", () =>
    Effect.gen(function*() {
      const failing = yield* Ref.make(true)
      const between: Between = (request, send) =>
        isRpc(request) && methodOf(request) === "getLedgerEntries" &&
          keysOf(request).some((key) => xdr.LedgerKey.fromXdr(key, "base64").type === "contractData")
          ? Effect.flatMap(Ref.get(failing), (fails) => (fails ? refusing(503)(request, send) : send))
          : send
      yield* Effect.gen(function*() {
        const { deployed: pool, source } = yield* LendingDeployed
        const blind = yield* look(source)
        assert.deepStrictEqual(blind.pools, [])
        assert.deepStrictEqual(blind.warned, ["source_failed"])
        yield* Ref.set(failing, false)
        const seeing = yield* look(source)
        assert.deepStrictEqual(seeing.pools, [strkeyOf(pool)])
        assert.deepStrictEqual(seeing.warned, [])
      }).pipe(Effect.provide(world({ between, contracts: deployed("lend_1") })))
    }))

  it.effect("is kept for a minute only when its events could not be read", () =>
    lending(ofEvents, (watched, { deployed: pool, source }) =>
      Effect.gen(function*() {
        yield* Ref.set(watched.becomes, refusing(403))
        const doubtful = yield* look(source)
        // The account's own history names the pool of its loan; no source names others.
        assert.deepStrictEqual(doubtful.pools, [strkeyOf(pool)])
        assert.deepStrictEqual(doubtful.warned, ["lists_have_gap"])
        yield* Ref.set(watched.becomes, (_, send) => send)
        yield* watched.asked
        yield* TestClock.adjust("50 seconds")
        assert.deepStrictEqual((yield* look(source)).warned, ["lists_have_gap"])
        assert.isEmpty(yield* watched.asked)
        yield* TestClock.adjust("10 seconds")
        const sure = yield* look(source)
        assert.deepStrictEqual(sure.pools, [strkeyOf(pool)])
        assert.deepStrictEqual(sure.warned, [])
      })))

  it.effect("is read to its end though whoever asked has gone", () =>
    lending(ofConfirmation, (watched, { deployed: pool, source }) =>
      Effect.gen(function*() {
        const [reached, released] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
        yield* Ref.set(watched.becomes, (_, send) =>
          Effect.zipRight(Effect.zipRight(Deferred.succeed(reached, undefined), Deferred.await(released)), send))
        const client = yield* Effect.fork(read(source))
        yield* Deferred.await(reached)
        yield* Fiber.interrupt(client)
        yield* Deferred.succeed(released, undefined)
        const { pools } = yield* look(source)
        assert.deepStrictEqual(pools, [strkeyOf(pool)])
        assert.lengthOf(yield* watched.asked, 1)
      })))

  it.effect("does not wait for events longer than a request can: it goes without, says so, and has them the next time", () =>
    lending(ofEvents, (watched, { deployed: pool, source }) =>
      Effect.gen(function*() {
        yield* Ref.set(watched.becomes, (_, send) => Effect.zipRight(Effect.sleep("9 seconds"), send))
        const { elapsed, exit } = yield* timed(looking(source))
        assert.isAtMost(elapsed, 6_000)
        assert.deepStrictEqual((yield* exit).warned, ["lists_have_gap"])
        yield* TestClock.adjust("60 seconds")
        const later = yield* look(source)
        assert.deepStrictEqual(later.pools, [strkeyOf(pool)])
        assert.deepStrictEqual(later.warned, [])
      })))
})
