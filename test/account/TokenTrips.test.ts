import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { readerOver } from "../../scripts/bench/Reader.ts"
import { depthOf, type Exchange, makeUpstream } from "../../scripts/bench/Upstream.ts"
import { ContractAddresses, noContracts } from "../../src/registry/ContractAddresses.ts"
import type { NewToken } from "../../src/sandbox/contracts/tokens/NewToken.ts"
import { FundedPair } from "../../src/sandbox/scenarios/FundedPair.ts"
import { mintToken } from "../../src/sandbox/scenarios/Tokens.ts"
import { contractOfByte } from "../support/Addresses.ts"
import { TokenAt } from "../tokens/support/TokensServed.ts"
import { read, timed } from "./support/World.ts"

const latency = 25

const listed = Array.from({ length: 9 }, (_, index) => contractOfByte(index + 1))
const [first = assert.fail("no token"), ...others] = listed

/** Depth of reads of an account that holds one of the first of nine listed tokens: just after a start, and again. */
const trips = (token: NewToken, balance: bigint) =>
  Effect.gen(function*() {
    const upstream = yield* makeUpstream(latency)
    const contracts = ContractAddresses.layerValue({ protocols: noContracts, tokens: [first, ...others] })
    return yield* Effect.gen(function*() {
      const { source } = yield* FundedPair
      yield* TokenAt(first, token)
      for (const other of others) yield* TokenAt(other)
      if (balance > 0n) yield* mintToken(first, source.publicKey(), balance)
      const asking = Effect.gen(function*() {
        yield* upstream.take
        const { exit } = yield* timed(read(source), latency)
        const { tokens } = yield* exit
        const exchanges = yield* upstream.take
        return { depth: depthOf(exchanges), exchanges, held: tokens.held.map(({ balance: amount }) => amount) }
      })
      return { cold: yield* asking, warm: yield* asking }
    }).pipe(Effect.provide(readerOver(upstream, contracts)))
  })

const simulations = (exchanges: ReadonlyArray<Exchange>): number => exchanges.filter(({ question }) => question.includes("simulate")).length

describe("reading contract tokens", () => {
  it.effect("takes no trip beyond those of the account where their code is known", () =>
    Effect.gen(function*() {
      const { cold, warm } = yield* trips({}, 5n)
      assert.deepStrictEqual([cold.held, warm.held], [[5n], [5n]])
      assert.deepStrictEqual([cold.depth, warm.depth], [2, 2])
      assert.strictEqual(simulations(warm.exchanges), 0)
    }))

  it.effect("asks a token of unknown code every time: what it has shown of one holder says nothing of another", () =>
    Effect.gen(function*() {
      const { cold, warm } = yield* trips({ family: "open_zeppelin" }, 5n)
      assert.deepStrictEqual([cold.held, warm.held], [[5n], [5n]])
      assert.deepStrictEqual([simulations(cold.exchanges), simulations(warm.exchanges)], [1, 1])
      assert.deepStrictEqual([cold.depth, warm.depth], [2, 2])
    }))

  it.effect("takes one more where only a token's word tells what it is called", () =>
    Effect.gen(function*() {
      const { warm } = yield* trips({ family: "book" }, 5n)
      assert.deepStrictEqual(warm.held, [5n])
      assert.deepStrictEqual([warm.depth, simulations(warm.exchanges)], [3, 3])
      const none = yield* trips({ family: "book" }, 0n)
      assert.deepStrictEqual([none.warm.depth, simulations(none.warm.exchanges)], [2, 1])
    }))
})
