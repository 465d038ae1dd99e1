import { assert, describe, it } from "@effect/vitest"
import { Keypair, Operation } from "@stellar/stellar-sdk"
import { Clock, Effect, Layer } from "effect"
import { strkeyOf, u128 } from "../../src/ledger/soroban/Values.ts"
import { setCountKey } from "../../src/sandbox/contracts/amm1/Router.ts"
import { Network } from "../../src/sandbox/Network.ts"
import { amm1ContractsAt } from "../../src/sandbox/scenarios/Amm1Contracts.ts"
import { Amm1Market, depositTo } from "../../src/sandbox/scenarios/Amm1Market.ts"
import { fund, perform } from "../../src/sandbox/scenarios/Scenario.ts"
import { keyOfInstance } from "../../src/xdr/LedgerKeys.ts"
import { rewritten } from "./leaving/support/Meddling.ts"
import { answersTo } from "./support/Answering.ts"
import { offered, plan, refusal } from "./support/Client.ts"
import { Service } from "./support/Service.ts"
import { type Lie, Sources, sourcesService, sourcesServiceAt } from "./support/Sources.ts"

const STROOPS = 10_000_000n
const { router, stable } = amm1ContractsAt

/** A clock that a test moves. */
const forward = () => {
  let ahead = 0
  const clock = Clock.make()
  const millis = (): number => clock.unsafeCurrentTimeMillis() + ahead
  const nanos = (): bigint => clock.unsafeCurrentTimeNanos() + BigInt(ahead) * 1_000_000n
  const shown: Clock.Clock = {
    [Clock.ClockTypeId]: Clock.ClockTypeId,
    unsafeCurrentTimeMillis: millis,
    unsafeCurrentTimeNanos: nanos,
    currentTimeMillis: Effect.sync(millis),
    currentTimeNanos: Effect.sync(nanos),
    sleep: clock.sleep
  }
  return {
    layer: Layer.setClock(shown),
    by: (seconds: number) =>
      Effect.sync(() => {
        ahead += seconds * 1_000
      })
  }
}

/** A market whose router does not list its last set of tokens yet, and an account that holds these tokens. */
const Before = Effect.gen(function*() {
  const market = yield* Amm1Market
  const { amend } = yield* Network
  const { eurc, issuer, usdc } = market
  const [source, destination] = [Keypair.random(), Keypair.random()]
  yield* fund("100", source, destination)
  yield* perform("the account trusts what the pool takes", {
    as: source,
    operations: [usdc, eurc].map((asset) => Operation.changeTrust({ asset }))
  })
  yield* perform("the issuer pays the account", {
    as: issuer,
    operations: [usdc, eurc].map((asset) => Operation.payment({ destination: source.publicKey(), asset, amount: "100" }))
  })
  yield* amend(rewritten(router, setCountKey, () => u128(1n)))
  return { ...market, source, destination, request: { source: source.publicKey(), destination: destination.publicKey() } }
})

/** Opens the pool and deposits the account's tokens. */
const opened = ({ eurc, source, usdc }: Effect.Effect.Success<typeof Before>) =>
  Effect.gen(function*() {
    const { amend, closeLedger } = yield* Network
    yield* amend(rewritten(router, setCountKey, () => u128(2n)))
    yield* depositTo(stable, "the account deposits", source, [usdc, 100n * STROOPS], [eurc, 100n * STROOPS])
    yield* closeLedger({ advanceSeconds: 5 })
  })

const positionsAt = (request: Parameters<typeof plan>[0]) =>
  Effect.map(plan(request), ({ decisionPoints }) => decisionPoints.flatMap(({ id, type }) => (type === "position" ? [id] : [])))

const there = [`position:amm_1:${strkeyOf(stable)}:shares`]

/** The pools that an account read lists. */
const looked = (source: string) =>
  Effect.gen(function*() {
    const { call } = yield* Service
    const { body, status } = yield* call<
      {
        readonly defiPositions: {
          readonly queryKeys: { readonly slices: Readonly<Record<string, { readonly contracts: ReadonlyArray<string> }>> }
        }
      }
    >("GET", `/testnet/account/${source}`)
    assert.strictEqual(status, 200)
    return body.defiPositions.queryKeys.slices["amm_1"]?.contracts ?? []
  })

/** Whether a request is the first one of reading the router's list. */
const isOfRouter = (method: string, { keys = [] }: Record<string, unknown>): boolean =>
  method === "getLedgerEntries" && (keys as ReadonlyArray<string>).includes(keyOfInstance(router).toXdr("base64"))

const over = (body: (clock: ReturnType<typeof forward>) => Effect.Effect<void, never, Service | Sources>) =>
  Effect.suspend(() => {
    const clock = forward()
    return Effect.provide(body(clock), sourcesServiceAt(1, {}, ["amm_1"], clock.layer))
  })

describe("a pool that was opened after the list of pools was read", () => {
  it.scopedLive(
    "is found when an account that deposited into it is closed, half a minute later at the latest",
    () =>
      over((clock) =>
        Effect.gen(function*() {
          const { on } = yield* Service
          const scene = yield* on(Before)
          assert.deepStrictEqual(yield* positionsAt(scene.request), [])
          yield* on(opened(scene))
          yield* clock.by(31)
          // A plain read uses the shared cache.
          assert.notInclude(yield* looked(scene.request.source), strkeyOf(stable))
          const asked = yield* plan(scene.request)
          assert.deepStrictEqual(asked.decisionPoints.flatMap(({ id, type }) => (type === "position" ? [id] : [])), there)
          const decisions = answersTo(asked, "convert_to_native")
          assert.deepStrictEqual((yield* offered({ ...scene.request, decisions })).covers, ["EXIT_POSITIONS"])
        }).pipe(Effect.orDie)
      ),
    60_000
  )

  it.scopedLive("is found while a reading is under way that began before it was there", () =>
    over((clock) =>
      Effect.gen(function*() {
        const { on } = yield* Service
        const [endpoint] = yield* Sources
        const scene = yield* on(Before)
        yield* looked(scene.request.source)
        yield* clock.by(400)
        let begun = () => {}
        let go = () => {}
        const [isBegun, isOver] = [
          new Promise<void>((resolve) => void (begun = resolve)),
          new Promise<void>((resolve) => void (go = resolve))
        ]
        let held = 0
        const holding: Lie = async (method, result, params) => {
          if (isOfRouter(method, params) && held++ === 0) {
            begun()
            await isOver
          }
          return result
        }
        const found = yield* endpoint!.lying(
          holding,
          Effect.gen(function*() {
            yield* looked(scene.request.source)
            yield* Effect.promise(() => isBegun)
            yield* on(opened(scene))
            yield* clock.by(31)
            return yield* positionsAt(scene.request)
          }).pipe(Effect.ensuring(Effect.sync(go)))
        )
        assert.deepStrictEqual(found, there)
      }).pipe(Effect.orDie)
    ), 60_000)

  it.scopedLive("is not passed over while the list cannot be read anew: 503, and found as soon as it can", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const [endpoint] = yield* Sources
      const scene = yield* on(Before)
      assert.deepStrictEqual(yield* positionsAt(scene.request), [])
      yield* on(opened(scene))
      // The clock jumps over the longest wait for a pool list.
      yield* Effect.repeatN(Effect.sleep("16 seconds"), 1)
      const told = yield* endpoint!.lying(
        (method, result, params) => (isOfRouter(method, params) ? null : result),
        Effect.all([refusal("plan", scene.request), refusal("next", scene.request), looked(scene.request.source)])
      )
      const [planned, built] = told
      for (const refused of [planned, built]) {
        assert.deepInclude(refused, { status: 503, code: "network_unavailable" })
      }
      assert.deepStrictEqual(yield* positionsAt(scene.request), there)
    }).pipe(Effect.orDie, Effect.provide(sourcesService(1, {}, ["amm_1"]))), 60_000)
})
