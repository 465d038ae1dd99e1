import { assert, describe, it } from "@effect/vitest"
import { xdr } from "@stellar/stellar-sdk"
import { Effect, FastCheck as fc } from "effect"
import { address, i128, symbol, u32 } from "../../src/stellar/ScValCodec.ts"
import { anyContract } from "../support/Addresses.ts"
import { jumping } from "../support/JumpingClock.ts"
import { isThorough } from "../support/Thorough.ts"
import { type KeptEvent, newAccount, overNode, refused } from "./support/EventNode.ts"

const owner = newAccount()
const contracts = Array.from({ length: 6 }, anyContract)
const others = [...Array.from({ length: 4 }, newAccount), ...contracts]

const latest = 24_000

const anything: fc.Arbitrary<xdr.ScVal> = fc.oneof(
  fc.constantFrom(owner, ...others).map(address.encode),
  fc.constantFrom("approve", "transfer", "mint", "allowance").map(symbol.encode),
  fc.bigInt(-(1n << 100n), 1n << 100n).map(i128.encode),
  fc.nat(1 << 30).map(u32.encode),
  fc.constant(xdr.ScVal.scvVoid()),
  fc.string({ maxLength: 300 }).map((text) => xdr.ScVal.scvString(text)),
  fc.array(fc.nat(9), { maxLength: 4 }).map((all) => xdr.ScVal.scvVec(all.map(u32.encode)))
)

const named = (name: string) => symbol.encode(name)
const party = fc.constantFrom(owner, ...others)

const topics: fc.Arbitrary<ReadonlyArray<xdr.ScVal>> = fc.oneof(
  { weight: 3, arbitrary: fc.tuple(fc.constant(named("approve")), party.map(address.encode), party.map(address.encode)) },
  {
    weight: 2,
    arbitrary: fc.tuple(fc.constant(named("approve")), fc.constant(address.encode(owner)), party.map(address.encode), anything)
  },
  { weight: 3, arbitrary: fc.tuple(fc.constant(named("transfer")), party.map(address.encode), party.map(address.encode)) },
  { weight: 2, arbitrary: fc.tuple(fc.constant(named("mint")), party.map(address.encode)) },
  { weight: 2, arbitrary: fc.tuple(fc.constant(named("mint")), party.map(address.encode), party.map(address.encode)) },
  {
    weight: 2,
    arbitrary: fc.tuple(fc.constantFrom(named("approve"), named("transfer"), named("mint")), fc.constant(address.encode(owner)), anything)
  },
  { weight: 2, arbitrary: fc.array(anything, { minLength: 1, maxLength: 4 }) }
)

const data: fc.Arbitrary<xdr.ScVal> = fc.oneof(
  anything,
  fc.tuple(anything, anything).map((both) => xdr.ScVal.scvVec([...both])),
  fc.tuple(fc.constantFrom("live_until_ledger", "expiration_ledger", "amount"), anything).map(([name, val]) =>
    xdr.ScVal.scvMap([new xdr.ScMapEntry({ key: named(name), val })])
  )
)

const event: fc.Arbitrary<KeptEvent> = fc.record({
  ledger: fc.integer({ min: 1, max: latest }),
  index: fc.nat(1_000_000),
  contract: fc.constantFrom(...contracts),
  topics,
  data
})

/** A topic's value as plain text. */
const plain = (value: xdr.ScVal | undefined): string => {
  if (value?.type === "scvSymbol") return `the word ${value.sym.toString()}`
  return [owner, ...others].find((one) => value !== undefined && address.encode(one).toXdr("hex") === value.toXdr("hex")) ?? "something"
}

const everybody = new Set<string>([owner, ...others])

/** Pairs and tokens in a range of ledgers, found without the code under test. */
const expected = (events: ReadonlyArray<KeptEvent>, from: number) => {
  const within = events.filter(({ ledger }) => ledger >= from)
  const approvals = within.flatMap(({ contract, topics: [name, by, to, ...more] }) =>
    plain(name) === "the word approve" && plain(by) === owner && more.length <= 1 && everybody.has(plain(to))
      ? [`${contract} ${plain(to)}`]
      : []
  )
  const tokens = within.flatMap(({ contract, topics: [name, by, to, ...more] }) => {
    const parties = [plain(by), plain(to)]
    if (plain(name) === "the word mint") return more.length <= 1 && parties.includes(owner) && everybody.has(plain(by)) ? [contract] : []
    return plain(name) === "the word transfer" && more.length <= 1 && parties.includes(owner) && parties.every((one) => everybody.has(one))
      ? [contract]
      : []
  })
  return { approvals: [...new Set(approvals)].toSorted(), tokens: [...new Set(tokens)].toSorted() }
}

const runs = { numRuns: isThorough ? 60 : 20 }

describe("random streams of events", () => {
  it.live("are told whole, and nothing is invented", () =>
    Effect.promise(() =>
      fc.assert(
        fc.asyncProperty(fc.array(event, { maxLength: 60 }), (events) =>
          Effect.runPromise(Effect.scoped(Effect.gen(function*() {
            const { of } = yield* overNode({ latest, events })
            const told = yield* of(owner)
            const wanted = expected(events, 1)
            assert.isTrue(told.complete)
            assert.deepStrictEqual(told.approvals.map(({ spender, token }) => `${token} ${spender}`).toSorted(), wanted.approvals)
            assert.deepStrictEqual([...told.tokens].toSorted(), wanted.tokens)
          })))),
        runs
      )
    ))

  it.live("are told for the range that is named, whatever the source does meanwhile", () =>
    Effect.promise(() =>
      fc.assert(
        fc.asyncProperty(
          fc.array(event, { maxLength: 40 }),
          fc.array(fc.constantFrom(null, null, "tooMuch", "refused", "garbage"), { maxLength: 12 }),
          fc.integer({ min: 1, max: 12 }),
          (events, moods, requests) =>
            Effect.runPromise(
              Effect.scoped(Effect.gen(function*() {
                const { of } = yield* overNode({
                  latest,
                  events,
                  meddle: (_, count) => {
                    switch (moods[count - 1]) {
                      case "tooMuch":
                        return refused(-32001)
                      case "refused":
                        return refused(-32600)
                      case "garbage":
                        return { body: JSON.stringify({ jsonrpc: "2.0", id: 1, result: { events: [{ topic: 7 }], cursor: "x" } }) }
                      default:
                        return null
                    }
                  }
                }, { EVENT_SCAN_REQUESTS: String(requests), EVENT_SCAN_SECONDS: "1" })
                const told = yield* of(owner)
                const found = told.approvals.map(({ spender, token }) => `${token} ${spender}`)
                const all = expected(events, 1)
                for (const one of found) assert.include(all.approvals, one)
                for (const one of told.tokens) assert.include(all.tokens, one)
                if (told.complete) assert.deepStrictEqual([told.failure, found.toSorted()], [null, all.approvals])
                if (told.scanned === null) return
                // The report on a range is complete up to the range's end.
                const { fromLedger, toLedger } = told.scanned
                const within = expected(events.filter(({ ledger }) => ledger <= toLedger), fromLedger)
                for (const one of within.approvals) assert.include(found, one)
              })).pipe(Effect.provide(jumping))
            )
        ),
        { numRuns: 30 }
      )
    ), 60_000)
})
