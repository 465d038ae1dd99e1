import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { RpcError, ServiceUnavailable } from "../../../src/sandbox/faults/ServerErrors.ts"
import { asked, laterLedger, lendingService, serviceOver } from "../../sandbox/contracts/ProtocolsServed.ts"
import { jumping } from "../../support/JumpingClock.ts"
import { LendingDeployed } from "../../support/scenarios/LendingDeployed.ts"
import { answersTo, echo, pointOf } from "../support/Answering.ts"
import { plan, refusal } from "../support/Client.ts"
import { Service } from "../support/Service.ts"

const unread = "positions_unread:lend_1"

describe("a pool that nothing names any more", () => {
  it.scopedLive("is not merged over: the ledgers in which it may have been deployed are the owner's to give up, and no others", () =>
    Effect.gen(function*() {
      const { call, on } = yield* Service
      const networkOf = Effect.map(
        call<
          {
            readonly networks: {
              readonly testnet: { readonly closable: boolean; readonly unread: ReadonlyArray<string>; readonly note: string }
            }
          }
        >("GET", "/"),
        ({ body }) => body.networks.testnet
      )
      // Before the first account read, the report calls no list complete.
      const fresh = yield* networkOf
      assert.include(fresh.unread, "lend_1")
      assert.include(fresh.note, "lend_1 are not listed yet")
      const { request, plan: blocked } = yield* Effect.gen(function*() {
        const scene = yield* on(LendingDeployed)
        yield* Effect.forEach(Array.from({ length: 10 }), () => laterLedger)
        const request = { source: scene.source.publicKey(), destination: scene.destination.publicKey() }
        return { request, plan: yield* plan(request) }
      })
      assert.deepStrictEqual(blocked.blockers.map(({ reason, subject }) => [reason, subject]), [["positions_unread", "lend_1"]])
      const oldest = blocked.snapshot.ledger - 7
      const index = yield* networkOf
      assert.deepInclude(index, { closable: true, unread: ["lend_1"] })
      assert.include(index.note, `Contracts of lend_1 created in ledgers 2 to ${oldest - 1} may be unknown.`)
      const health = yield* call<{ readonly details: Readonly<Record<string, { readonly message?: string }>> }>("GET", "/health/deep")
      assert.include(
        health.body.details["coverage_testnet"]?.message,
        `contracts of lend_1 that were deployed in ledgers 2 to ${oldest - 1} may be unknown`
      )
      const point = pointOf(blocked, unread)
      assert.deepStrictEqual(point.options[0]?.params, { contracts: [], gap: { fromLedger: 2, toLedger: oldest - 1 + 720 } })
      const [accepted, others] = [echo(point, "i_accept_unread_positions"), answersTo(blocked).filter(({ id }) => id !== unread)]
      assert.strictEqual((yield* refusal("next", { ...request, decisions: others })).code, "positions_unread")
      const less = { ...accepted, params: { contracts: [], gap: { fromLedger: 2, toLedger: oldest - 2 } } }
      assert.strictEqual((yield* refusal("next", { ...request, decisions: [...others, less] })).code, "plan_changed")
      const none = { ...accepted, params: { contracts: [], gap: null } }
      assert.strictEqual((yield* refusal("next", { ...request, decisions: [...others, none] })).code, "plan_changed")
      yield* laterLedger
      const ready = yield* plan({ ...request, decisions: [...others, accepted] })
      assert.strictEqual(ready.status, "ready", JSON.stringify(ready.blockers))
      assert.include(ready.warnings.map(({ code }) => code), "forfeit_acknowledged")
    }).pipe(Effect.provide(serviceOver(["lend_1"], { retention: 8 }))))

  it.scopedLive("is not merged over where events are refused", () =>
    Effect.gen(function*() {
      const { sandbox } = yield* Service
      yield* sandbox.faults.set({ fault: new RpcError({ code: -32601, message: "no such method" }), rpc: "getEvents" })
      const { plan: blocked, request } = yield* asked(LendingDeployed)
      assert.deepStrictEqual(blocked.blockers.map(({ reason }) => reason), ["positions_unread"])
      assert.strictEqual(
        (yield* refusal("next", { ...request, decisions: answersTo(blocked).filter(({ id }) => id !== unread) })).code,
        "positions_unread"
      )
    }).pipe(Effect.provide(lendingService)))

  it.scopedLive("is not merged over while events cannot be had: nothing is planned or built, and no answer changes that", () =>
    Effect.gen(function*() {
      const { on, sandbox } = yield* Service
      yield* sandbox.faults.set({ fault: new ServiceUnavailable({}), rpc: "getEvents" })
      const scene = yield* on(LendingDeployed)
      const request = { source: scene.source.publicKey(), destination: scene.destination.publicKey() }
      const accepted = {
        id: unread,
        choice: "i_accept_unread_positions",
        params: { contracts: [], gap: { fromLedger: 1, toLedger: 100_000 } }
      }
      for (const route of ["plan", "next"] as const) {
        const refused = yield* refusal(route, { ...request, decisions: [accepted] })
        assert.strictEqual(refused.status, 503, `${route} ${refused.code}`)
      }
    }).pipe(Effect.provide(Layer.provideMerge(lendingService, jumping))))
})
