import { assert } from "@effect/vitest"
import type { Keypair } from "@stellar/stellar-sdk"
import { Clock, Effect, Layer } from "effect"
import { counted } from "../../../../src/domain/CountedNoun.ts"
import type { NewToken } from "../../../../src/sandbox/contracts/tokens/NewToken.ts"
import { Latency } from "../../../../src/sandbox/faults/Connection.ts"
import { RequestsPerSecond } from "../../../../src/sandbox/faults/RateLimiting.ts"
import { deployToken, mintToken, turnToken } from "../../../../src/sandbox/scenarios/Tokens.ts"
import { laterLedger } from "../../../sandbox/contracts/ProtocolsServed.ts"
import { layer } from "../../../support/Layered.ts"
import { firstOf, isThorough } from "../../../support/Thorough.ts"
import { acknowledges, echo, pointOf } from "../../support/Answering.ts"
import { next, plan } from "../../support/Client.ts"
import { Service } from "../../support/Service.ts"
import { Sources, sourcesService } from "../../support/Sources.ts"
import { tokenList } from "./support/DeclaredTokens.ts"
import { holder } from "./support/Holder.ts"

const alone = { excludeTestServices: true }

const service = (count: number) =>
  Layer.unwrapScoped(Effect.map(tokenList, ({ file }) => sourcesService(count, { TESTNET_TOKENS_FILE: file })))

/** Seconds of some work on the clock of service and sources. */
const timed = <A, E, R>(work: Effect.Effect<A, E, R>) =>
  Effect.gen(function*() {
    const began = yield* Clock.currentTimeMillis
    const value = yield* work
    return { value, seconds: ((yield* Clock.currentTimeMillis) - began) / 1_000 }
  })

/** Mints a unit or more of this many tokens to an account; returns their contracts. */
const minted = (to: Keypair, many: number, token: NewToken) =>
  Effect.flatMap(
    Service,
    ({ on }) =>
      Effect.forEach(Array.from({ length: many }), (_, at) =>
        on(Effect.tap(deployToken(token), (contract) => mintToken(contract, to.publicKey(), BigInt(at + 1)))))
  )

/** From now on every endpoint allows 15 requests a second, and needs 50 ms for an answer. */
const paced = Effect.flatMap(Sources, (sources) =>
  Effect.forEach(sources, ({ faults }) =>
    Effect.zipRight(
      faults.set({ fault: new RequestsPerSecond({ requests: 15 }), rpc: "*" }),
      faults.set({ fault: new Latency({ millis: 50 }), rpc: "*" })
    )))

const longest = 25

for (const [count, name] of firstOf(0, [[2, "two contract RPCs"], [1, "one contract RPC"]] as const)) {
  layer(service(count), alone)(`a hundred tokens with books of their own, and ${name} of 15 requests a second`, (it) => {
    it.effect("have every balance read, and plan and build end within their deadline", () =>
      Effect.gen(function*() {
        const { destination, request, source } = yield* holder
        const tokens = yield* minted(source, 100, { family: "book" })
        yield* laterLedger
        yield* paced
        const told = yield* timed(plan(request))
        assert.isBelow(told.seconds, longest)
        for (const [at, token] of tokens.entries()) {
          assert.strictEqual(pointOf(told.value, `token:${token}`).subject.split(" of ")[0], counted(at + 1, "base unit"))
        }
        const others = pointOf(told.value, "tokens:others")
        assert.isFalse(others.required, others.subject)
        const sources = yield* Sources
        for (const { asked } of sources) asked.length = 0
        const decisions = [acknowledges(destination.publicKey()), echo(others, "forfeit", { maxCount: 100 })]
        const built = yield* timed(next({ ...request, decisions }))
        assert.isBelow(built.seconds, longest)
        assert.deepStrictEqual(built.value.transactions.map(({ covers }) => covers), [["MERGE"]])
        // A build shows no names, so it requests none.
        const simulated = sources.map(({ asked }) => asked.filter((method) => method === "simulateTransaction").length)
        for (const many of simulated) assert.isAtMost(many, 105)
      }), 180_000)
  })
}

layer(service(2), alone)("a build with a hundred tokens as the first request of all", (it) => {
  it.effect.runIf(isThorough)(
    "ends within its deadline on sources of 15 requests a second, whose pace nobody knows yet",
    () =>
      Effect.gen(function*() {
        const { destination, request, source } = yield* holder
        yield* minted(source, 100, { family: "book" })
        yield* laterLedger
        yield* paced
        const others = { id: "tokens:others", choice: "forfeit", params: { maxCount: 100 } }
        const built = yield* timed(next({ ...request, decisions: [acknowledges(destination.publicKey()), others] }))
        assert.isBelow(built.seconds, longest)
        assert.deepStrictEqual(built.value.transactions.map(({ covers }) => covers), [["MERGE"]])
      }),
    180_000
  )
})

layer(service(2), alone)("forty tokens that hang", (it) => {
  it.effect(
    "hold a plan up for some seconds: what came before them is read, and those that are not asked are never said to be unreadable",
    () =>
      Effect.gen(function*() {
        const { on } = yield* Service
        const { request, source } = yield* holder
        const [own = ""] = yield* minted(source, 1, { family: "book" })
        const bad = yield* minted(source, 40, { family: "book" })
        yield* laterLedger
        yield* Effect.forEach(bad, (token) => on(turnToken(token, [{ _tag: "NeverEnds", functions: ["balance"] }])))
        const { seconds, value } = yield* timed(plan(request))
        assert.isBelow(seconds, 15)
        assert.strictEqual(pointOf(value, `token:${own}`).subject.split(" of ")[0], "1 base unit")
        const unread = bad.filter((token) => value.decisionPoints.some(({ id }) => id === `token:${token}`))
        const others = pointOf(value, "tokens:others")
        assert.isTrue(others.required)
        assert.include(others.subject, `(${bad.length - unread.length} not checked)`)
        assert.isAtMost(unread.length, 24)
        const later = pointOf(value, "later").options[0]?.params?.had ?? []
        for (const token of bad) assert.include(later, `token:${token}`)
      }),
    180_000
  )
})
