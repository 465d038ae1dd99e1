import { assert } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { ServiceUnavailable } from "../../src/sandbox/faults/ServerErrors.ts"
import { deployToken, mintToken, sendToken } from "../../src/sandbox/scenarios/Tokens.ts"
import { Pair } from "../close/support/Accounts.ts"
import { acknowledges } from "../close/support/Answering.ts"
import { plan, refusal } from "../close/support/Client.ts"
import { Service } from "../close/support/Service.ts"
import { jumping } from "../support/JumpingClock.ts"
import { layer } from "../support/Layered.ts"
import { addressNamed } from "./support/TokenService.ts"
import { TokenAt, tokensServed } from "./support/TokensServed.ts"

const book = addressNamed("unread: a token that must be asked")

layer(Layer.provideMerge(tokensServed({ tokens: [book] }), jumping), { excludeTestServices: true })("where tokens are declared", (it) => {
  const closing = Effect.gen(function*() {
    const { on } = yield* Service
    const { destination, source } = yield* on(Pair())
    yield* on(TokenAt(book, { family: "book" }))
    const request = { source: source.publicKey(), destination: destination.publicKey(), decisions: [acknowledges(destination.publicKey())] }
    return { source, destination, request }
  })

  it.effect("an account that holds none is closed", () =>
    Effect.gen(function*() {
      const { request } = yield* closing
      const { blockers, status, steps } = yield* plan(request)
      assert.deepStrictEqual([blockers, status, steps.at(-1)?.type], [[], "ready", "MERGE"])
    }))

  it.effect("no merge is built over tokens that cannot be read now", () =>
    Effect.gen(function*() {
      const { request } = yield* closing
      const { sandbox: { faults } } = yield* Service
      const rule = { fault: new ServiceUnavailable({}), rpc: "simulateTransaction" } as const
      yield* Effect.acquireUseRelease(faults.set(rule), () => refusal("next", request), (id) => faults.clear(id))
      assert.strictEqual((yield* plan(request)).status, "ready", "when they can be read again")
    }), 60_000)

  it.effect("no merge is built over a token that came by a transfer and that nobody lists", () =>
    Effect.gen(function*() {
      const { destination, request, source } = yield* closing
      const { on } = yield* Service
      const sent = yield* on(deployToken())
      yield* on(mintToken(sent, destination.publicKey(), 9n))
      yield* on(sendToken(sent, destination, source.publicKey(), 5n))
      yield* refusal("next", request)
      assert.notStrictEqual((yield* plan(request)).status, "ready")
    }))
})
