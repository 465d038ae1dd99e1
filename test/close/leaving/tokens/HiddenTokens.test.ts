import { assert } from "@effect/vitest"
import { Context, Effect, Layer, Logger, LogLevel } from "effect"
import { embeddedSandbox } from "../../../../src/serving/EmbeddedSandbox.ts"
import { laterLedger } from "../../../sandbox/contracts/ProtocolsServed.ts"
import { jumping } from "../../../support/JumpingClock.ts"
import { layer } from "../../../support/Layered.ts"
import { startTestService } from "../../../support/TestService.ts"
import { acknowledges, echo, pointOf } from "../../support/Answering.ts"
import { plan, refusal } from "../../support/Client.ts"
import { Service } from "../../support/Service.ts"
import { type Lie, rpcEndpoint, servingOver, Sources } from "../../support/Sources.ts"
import { tokenList } from "./support/DeclaredTokens.ts"
import { closed, gift, holder } from "./support/Holder.ts"

/** A service over a sandbox with two contract RPCs. */
const overTwo = Layer.provideMerge(
  Layer.scopedContext(Effect.gen(function*() {
    const sandbox = yield* embeddedSandbox({ closeEvery: null, protocols: false, accounts: false })
    const endpoints = [yield* rpcEndpoint(sandbox.network), yield* rpcEndpoint(sandbox.network)]
    const { file } = yield* tokenList
    const quiet = Logger.minimumLogLevel(LogLevel.None)
    const service = yield* startTestService({ TESTNET_TOKENS_FILE: file }, servingOver(sandbox, endpoints), quiet)
    return Context.make(Service, service).pipe(Context.add(Sources, endpoints))
  })),
  jumping
)

const withoutEvents: Lie = (method, result) => (method === "getEvents" ? { ...result, events: [] } : result)

const failing: Lie = (method, result) => (method === "getEvents" ? null : result)

/** The answer for what comes later, by a plan that sees no tokens: one contract RPC hides their events, and the other returns none. */
const blindly = (request: Parameters<typeof plan>[0]) =>
  Effect.gen(function*() {
    const [first, second] = yield* Sources
    const told = yield* first!.lying(withoutEvents, second!.lying(failing, plan(request)))
    return echo(pointOf(told, "later"), "leave_what_came_later")
  })

layer(overTwo, { excludeTestServices: true })("a token of unlisted code that one contract RPC hides", (it) => {
  it.effect("is not left behind as a later gift once the other one shows it, though no plan saw it", () =>
    Effect.gen(function*() {
      const [first] = yield* Sources
      const { destination, request, source } = yield* holder
      const { token } = yield* gift(source, 5n, { family: "book" })
      yield* laterLedger
      const later = yield* blindly(request)
      assert.deepStrictEqual(later.params?.had, [])
      yield* laterLedger
      const given = { ...request, decisions: [acknowledges(destination.publicKey()), later] }
      yield* first!.lying(
        withoutEvents,
        Effect.gen(function*() {
          const told = yield* plan(given)
          assert.deepInclude(pointOf(told, `token:${token}`), { required: true, answered: false })
          assert.deepInclude(yield* refusal("next", given), { code: "needs_decisions", details: { missing: [`token:${token}`] } })
        })
      )
    }))

  it.effect("does not keep a token that both show from being left behind as a later gift", () =>
    Effect.gen(function*() {
      const { destination, request, source } = yield* holder
      const later = yield* blindly(request)
      yield* laterLedger
      yield* gift(source, 5n, { family: "book" })
      const { covered } = yield* closed({ ...request, decisions: [acknowledges(destination.publicKey()), later] }, source)
      assert.deepStrictEqual(covered, ["MERGE"])
    }))
})
