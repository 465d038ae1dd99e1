import { HttpClientResponse } from "@effect/platform"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, FastCheck } from "effect"
import { withPatience } from "../../src/chain/pace/Patience.ts"
import { ContractAddresses, noContracts } from "../../src/registry/ContractAddresses.ts"
import { CutConnection, Hang, Latency } from "../../src/sandbox/faults/Connection.ts"
import type { FaultRule } from "../../src/sandbox/faults/FaultRule.ts"
import { GarbageBody, WrongShape } from "../../src/sandbox/faults/MalformedAnswers.ts"
import { TooManyRequests } from "../../src/sandbox/faults/RateLimiting.ts"
import { ServiceUnavailable } from "../../src/sandbox/faults/ServerErrors.ts"
import { Network } from "../../src/sandbox/Network.ts"
import { FundedPair } from "../../src/sandbox/scenarios/FundedPair.ts"
import { deployToken, mintToken, sendToken } from "../../src/sandbox/scenarios/Tokens.ts"
import { contractOfByte } from "../support/Addresses.ts"
import { TokenAt } from "../tokens/support/TokensServed.ts"
import { isRpc, read, timed, world } from "./support/World.ts"

const [plain, book] = [contractOfByte(1), contractOfByte(2)]

const contracts = ContractAddresses.layerValue({ protocols: noContracts, tokens: [plain, book] })

/**
 * An account with two listed tokens and one that only a transfer event names. Returns its balances by contract, and the source that names
 * the token.
 */
const owning = Effect.gen(function*() {
  const { destination, source } = yield* FundedPair
  yield* TokenAt(plain)
  yield* TokenAt(book, { family: "book" })
  yield* mintToken(plain, source.publicKey(), 3n)
  yield* mintToken(book, source.publicKey(), 4n)
  const sent = yield* deployToken({ family: "open_zeppelin" })
  yield* mintToken(sent, destination.publicKey(), 9n)
  yield* sendToken(sent, destination, source.publicKey(), 5n)
  return { source, truth: [[plain, 3n, "list"], [book, 4n, "list"], [sent, 5n, "events"]] as const }
})

const answers = FastCheck.constantFrom(
  new TooManyRequests({}),
  new TooManyRequests({ retryAfterSeconds: 40 }),
  new ServiceUnavailable({}),
  new Hang({}),
  new CutConnection({}),
  new GarbageBody({}),
  new WrongShape({}),
  new Latency({ millis: 700 }),
  new Latency({ millis: 2500 })
)

const anyRule = FastCheck.tuple(
  answers,
  FastCheck.constantFrom("getLedgerEntries" as const, "simulateTransaction" as const, "getEvents" as const, "getHealth" as const),
  FastCheck.option(FastCheck.integer({ min: 1, max: 4 }), { nil: null })
).map(([fault, rpc, times]): FaultRule => (times === null ? { fault, rpc } : { fault, rpc, times }))

/** A read that failed at once during a scan of events: the test ends with that scan unfinished. */
const failsAtOnce: ReadonlyArray<FaultRule> = [
  { fault: new CutConnection({}), rpc: "simulateTransaction", times: 2 },
  { fault: new ServiceUnavailable({}), rpc: "getHealth", times: 1 },
  { fault: new GarbageBody({}), rpc: "getLedgerEntries", times: 3 }
]

describe("contract tokens of an account", () => {
  it.effect.prop(
    "are told, or it is told that they may be missing, whatever fails",
    [FastCheck.array(anyRule, { minLength: 1, maxLength: 3 })],
    ([rules]) =>
      Effect.gen(function*() {
        const { faults } = yield* Network
        const { source, truth } = yield* owning
        yield* Effect.forEach(rules, faults.set, { discard: true })
        const { elapsed, exit } = yield* timed(withPatience(read(source)), 500)
        assert.isAtMost(elapsed, 25_000)
        if (Exit.isFailure(exit)) return
        const { failed, held, result, unreadable } = exit.value.tokens
        for (const [contract, balance, source] of truth) {
          const found = held.find((one) => `${one.contract}` === contract)
          const { status } = result.coverage.find((one) => one.source === source) ?? assert.fail(source)
          if (found !== undefined) assert.strictEqual(found.balance, balance)
          else if (status === "ok") assert.include(unreadable, contract)
          if (status === "failed") assert.isAbove(failed.length, 0)
          if (status !== "ok") assert.isAbove(result.warnings.length, 0)
        }
        assert.isTrue(held.every(({ contract }) => truth.some(([known]) => known === `${contract}`)))
      }).pipe(Effect.provide(world({ contracts }))),
    { fastCheck: { numRuns: 12, examples: [[[...failsAtOnce]]] }, timeout: 240_000 }
  )

  it.effect("that cannot be read do not hide the account", () => {
    let refused = 0
    const between: Parameters<typeof world>[0] = {
      contracts,
      between: (request, send) => {
        const body = isRpc(request) && request.body._tag === "Uint8Array" ? new TextDecoder().decode(request.body.body) : ""
        const keys = [...body.matchAll(/"([A-Za-z0-9+/=]{40,})"/g)].map(([, key = ""]) => Buffer.from(key, "base64"))
        const asksTokens = keys.some((key) => key.includes(Buffer.alloc(32, 1)))
        if (!asksTokens) return send
        refused++
        return Effect.map(send, () => HttpClientResponse.fromWeb(request, new Response("", { status: 503 })))
      }
    }
    return Effect.gen(function*() {
      const { source } = yield* owning
      const { exit } = yield* timed(read(source), 100)
      const { state, tokens } = yield* exit
      assert.isAbove(refused, 0)
      assert.strictEqual(state.nativeBalanceLumens, 100_0000000n)
      assert.deepStrictEqual(tokens.held.map(({ balance }) => balance), [5n], "what is asked beside it is told")
      assert.isAbove(tokens.failed.length, 0)
      assert.deepStrictEqual(state.contractTokens?.unreadable, [plain, book].toSorted())
      assert.isTrue(state.contractTokens?.coverage.some(({ source: from, status }) => from === "list" && status === "failed"))
    }).pipe(Effect.provide(world(between)))
  })
})
