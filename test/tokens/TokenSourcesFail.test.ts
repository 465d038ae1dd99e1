import { assert, describe, it as plain } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { addressOf, i128 } from "../../src/ledger/soroban/Values.ts"
import { tokenBalanceKey } from "../../src/sandbox/contracts/Token.ts"
import { Hang } from "../../src/sandbox/faults/Connection.ts"
import type { FaultRule } from "../../src/sandbox/faults/FaultRule.ts"
import { GarbageBody } from "../../src/sandbox/faults/MalformedAnswers.ts"
import { TooManyRequests } from "../../src/sandbox/faults/RateLimiting.ts"
import { ServiceUnavailable } from "../../src/sandbox/faults/ServerErrors.ts"
import { deployToken, mintToken, sendToken } from "../../src/sandbox/scenarios/Tokens.ts"
import { Pair } from "../close/support/Accounts.ts"
import { Service } from "../close/support/Service.ts"
import { jumping } from "../support/JumpingClock.ts"
import { layer } from "../support/Layered.ts"
import { firstOf } from "../support/Thorough.ts"
import { passing } from "./support/Approving.ts"
import { type ExplorerAnswer, startExplorer } from "./support/ExplorerStub.ts"
import { addressNamed } from "./support/TokenService.ts"
import { coverageIn, readTokens, startTokensServed, TokenAt, tokensServed } from "./support/TokensServed.ts"

const [plainToken, book] = [addressNamed("failing: plain"), addressNamed("failing: book")] as const

/** An owner of both listed tokens, and of one that only a transfer names. */
const owning = Effect.gen(function*() {
  const { on } = yield* Service
  const { destination, source } = yield* on(Pair())
  yield* on(TokenAt(plainToken, { symbol: "PLN" }))
  yield* on(TokenAt(book, { family: "book" }))
  yield* on(mintToken(plainToken, source.publicKey(), 3n))
  yield* on(mintToken(book, source.publicKey(), 4n))
  const sent = yield* on(deployToken())
  yield* on(mintToken(sent, destination.publicKey(), 9n))
  yield* on(sendToken(sent, destination, source.publicKey(), 5n))
  return { owner: source.publicKey(), sent }
})

/** Service and sources on one clock that jumps over waits. */
const served = (given: Parameters<typeof tokensServed>[0]) => Layer.provideMerge(tokensServed(given), jumping)

/** An effect that runs while a source fails. */
const failing = <A, E, R>(rule: FaultRule, during: Effect.Effect<A, E, R>) =>
  Effect.gen(function*() {
    const { sandbox: { faults } } = yield* Service
    return yield* Effect.acquireUseRelease(faults.set(rule), () => during, (id) => faults.clear(id))
  })

const balances = (read: { readonly tokens: ReadonlyArray<{ readonly contract: string; readonly balance: string }> }) =>
  Object.fromEntries(read.tokens.map(({ balance, contract }) => [contract, balance]))

layer(served({ tokens: [plainToken, book] }), { excludeTestServices: true })("a source that fails", (it) => {
  it.effect("of events is told, and what others name is told beside it", () =>
    Effect.gen(function*() {
      const { owner } = yield* owning
      const read = yield* failing({ fault: new ServiceUnavailable({}), rpc: "getEvents" }, readTokens(owner))
      assert.deepStrictEqual(balances(read), { [plainToken]: "3", [book]: "4" })
      assert.strictEqual(coverageIn(read)["events"]?.[0], "failed")
      assert.deepStrictEqual(read.warnings.map(({ code, subject }) => [code, subject]), [["source_failed", "events"]])
      assert.isNull(read.eventsScanned)
    }), 30_000)

  for (const fault of firstOf(2, [new Hang({}), new GarbageBody({}), new ServiceUnavailable({}), new TooManyRequests({})])) {
    it.effect(`of simulations, by ${fault._tag}, leaves out nobody whose balance only they tell`, () =>
      Effect.gen(function*() {
        const { owner, sent } = yield* owning
        const read = yield* failing({ fault, rpc: "simulateTransaction" }, readTokens(owner))
        assert.deepStrictEqual(balances(read), { [plainToken]: "3", [sent]: "5" })
        assert.deepStrictEqual(read.unreadable, [book])
        assert.deepStrictEqual(coverageIn(read)["list"], ["failed", "balances were not read"])
        assert.deepInclude(read.warnings.map(({ code, subject }) => [code, subject]), ["source_failed", "tokens"])
        assert.deepStrictEqual(balances(yield* readTokens(owner)), { [plainToken]: "3", [book]: "4", [sent]: "5" }, "when it answers again")
      }), 30_000)
  }
})

layer(served({ tokens: [plainToken], settings: { EVENT_WINDOW_LEDGERS: "100", EVENT_SCAN_REQUESTS: "1" } }), {
  excludeTestServices: true
})("a scan of events", (it) => {
  it.effect("that does not get to all ledgers says so, and goes on from there the next time", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { owner, sent } = yield* owning
      yield* on(passing(150))
      const read = yield* readTokens(owner)
      const { fromLedger, toLedger } = read.eventsScanned ?? assert.fail("nothing was scanned")
      assert.deepStrictEqual(coverageIn(read)["events"], ["skipped", `ledgers ${fromLedger} to ${toLedger}; older ones were not scanned`])
      assert.deepStrictEqual(read.warnings.map(({ code, subject }) => [code, subject]), [["tokens_not_checked", "events"]])
      assert.deepStrictEqual(balances(read), { [plainToken]: "3" })
      const again = yield* readTokens(owner)
      assert.deepStrictEqual([balances(again), coverageIn(again)["events"]?.[0]], [{ [plainToken]: "3", [book]: "4", [sent]: "5" }, "ok"])
    }), 30_000)
})

describe("an explorer", () => {
  const answered = (answer: ExplorerAnswer) =>
    Effect.gen(function*() {
      const explorer = yield* startExplorer
      const service = yield* startTokensServed({ tokens: [plainToken], settings: { TESTNET_EXPLORER_URL: explorer.url } })
      explorer.answer(answer)
      return yield* Effect.gen(function*() {
        const { on } = yield* Service
        const { source } = yield* on(Pair())
        const key = tokenBalanceKey(addressOf(source.publicKey())).toXdr("base64")
        // The token is older than the oldest event.
        yield* on(TokenAt(book, { entries: [{ key, value: i128(6n).toXdr("base64"), durability: "persistent" }] }))
        const read = yield* readTokens(source.publicKey())
        return { asked: explorer.asked, owner: source.publicKey(), read, coverage: coverageIn(read)["explorer"] }
      }).pipe(Effect.provideService(Service, service))
    })
  const listing = JSON.stringify({ balances: [{ asset: "XLM", value: 1 }, { asset: book }, { asset: "USD-GABC-1" }, { asset: book }] })

  plain.scopedLive("names tokens beside the others, and is asked for one address in one place", () =>
    Effect.gen(function*() {
      const { asked, coverage, owner, read } = yield* answered({ status: 200, body: listing })
      assert.deepStrictEqual(read.tokens.map(({ balance, contract, sources }) => [contract, balance, sources]), [[book, "6", ["explorer"]]])
      assert.deepStrictEqual(coverage, ["ok", null])
      assert.deepStrictEqual(asked, [`/explorer/test/account/${owner}/value`])
    }))

  plain.scopedLive("that does not know the account names nothing, and that is no failure", () =>
    Effect.gen(function*() {
      const { coverage, read } = yield* answered({ status: 404, body: "<html>not found" })
      assert.deepStrictEqual([read.tokens, coverage, read.warnings], [[], ["ok", null], []])
    }))

  const refusals: ReadonlyArray<readonly [string, ExplorerAnswer]> = [
    ["an error of its own", { status: 500, body: "{}" }],
    ["a redirect", { status: 302, body: "" }],
    ["a page", { status: 200, body: "<html>" }],
    ["another shape", { status: 200, body: JSON.stringify({ balances: [{ token: book }] }) }],
    ["too many requests", { status: 429, body: "" }],
    ["nothing at all", null]
  ]
  for (const [name, answer] of refusals) {
    plain.scopedLive(`that answers ${name} has failed`, () =>
      Effect.gen(function*() {
        const { coverage, read } = yield* answered(answer)
        assert.deepStrictEqual([read.tokens, coverage], [[], ["failed", "did not answer"]])
        assert.deepStrictEqual(read.warnings.map(({ code, subject }) => [code, subject]), [["source_failed", "explorer"]])
      }).pipe(Effect.provide(jumping)), 20_000)
  }
})
