import { assert, describe, it } from "@effect/vitest"
import { StrKey } from "@stellar/stellar-sdk"
import { FastCheck } from "effect"
import { ContractAddress } from "../../src/domain/Address.ts"
import {
  candidateChoice as chooseBy,
  type CandidateHints,
  certainCandidates,
  mostCandidates,
  type NamedTokens,
  tokenSources
} from "../../src/tokens/Candidates.ts"

const tokenOf = (index: number): ContractAddress => {
  const bytes = Buffer.alloc(32)
  bytes.writeUInt32BE(index)
  return ContractAddress.make(StrKey.encodeContract(bytes))
}

const range = (from: number, count: number) => Array.from({ length: count }, (_, index) => tokenOf(from + index))

const none: NamedTokens = { manual: [], positions: [], list: [], events: [], explorer: [] }

const choose = (named: NamedTokens, known: Partial<CandidateHints> = {}) =>
  chooseBy(named, { had: [], called: [], free: new Set(), ...known })

/** How many of the chosen tokens each source named first. */
const shares = (named: NamedTokens) => {
  const firsts = [...choose(named).tokens.values()].map(([first]) => first)
  return Object.fromEntries(tokenSources.map((source) => [source, firsts.filter((first) => first === source).length]))
}

describe("the tokens that are asked about", () => {
  it("are all of them where there is room", () => {
    const chosen = choose({ ...none, manual: range(0, 20), events: range(20, 80) })
    assert.strictEqual(chosen.tokens.size, 100)
    assert.deepStrictEqual([...chosen.dropped], [])
  })

  it("are those named by hand, those listed and a fair share of every other source where there is not", () => {
    const named: NamedTokens = {
      manual: range(0, 20),
      positions: range(100, 500),
      list: range(1000, 40),
      events: range(2000, 500),
      explorer: range(3000, 3)
    }
    assert.deepStrictEqual(shares(named), { manual: 20, list: 40, positions: 19, events: 18, explorer: 3 })
    assert.deepStrictEqual([...choose(named).dropped], [["events", 482], ["positions", 481]])
  })

  it("are listed ones first, then those that a plan saw, then those of own calls that a source names, then the first of each source", () => {
    const named: NamedTokens = {
      ...none,
      list: range(0, 5),
      positions: range(1000, 300),
      events: range(2000, 300),
      explorer: range(3000, 300)
    }
    const had = [tokenOf(9998), tokenOf(3299)]
    const called = [tokenOf(2299), tokenOf(1299), tokenOf(9999)]
    assert.deepStrictEqual([...choose(named, { had, called }).tokens.keys()].slice(0, 12), [
      ...range(0, 5),
      ...had,
      ...called.slice(0, 2),
      tokenOf(1000),
      tokenOf(2000),
      tokenOf(3000)
    ])
  })

  it("count what a plan saw and no source names any more as named by the caller, also where there is no room for it", () => {
    const { dropped, tokens, unasked } = choose({ ...none, list: range(0, 5) }, { had: range(100, 100) })
    assert.deepStrictEqual(tokens.get(tokenOf(100)), ["manual"])
    assert.deepStrictEqual([tokens.size, [...dropped], unasked], [100, [["manual", 5]], range(195, 5)])
  })

  it("leave all room to others where a list is told without a question", () => {
    const named = { ...none, list: range(0, 100), events: range(1000, 100) }
    const { dropped, tokens } = choose(named, { free: new Set(range(0, 99)) })
    assert.deepStrictEqual([tokens.size, [...dropped]], [199, [["events", 1]]])
  })

  it("are the likeliest of each source, and a flood of one leaves the others theirs", () => {
    const { tokens } = choose({ ...none, positions: range(0, 5), events: range(100, 10_000) })
    for (const token of [...range(0, 5), ...range(100, 95)]) assert.isTrue(tokens.has(token))
  })

  it("cost nobody a turn where another source named them before", () => {
    const { dropped, tokens } = choose({ ...none, positions: range(0, 60), events: range(0, 100) })
    assert.deepStrictEqual([tokens.size, dropped.size], [100, 0])
    assert.deepStrictEqual(tokens.get(tokenOf(3)), ["positions", "events"])
    assert.deepStrictEqual(tokens.get(tokenOf(99)), ["events"])
  })

  const tokens = FastCheck.array(FastCheck.integer({ min: 0, max: 400 }).map(tokenOf), { maxLength: 250 })
  const anyNamed = FastCheck.record({
    manual: FastCheck.array(FastCheck.integer({ min: 0, max: 400 }).map(tokenOf), { maxLength: 30 }),
    positions: tokens,
    list: tokens,
    events: tokens,
    explorer: tokens
  })

  it("are never more than fit one call, lose nobody uncounted, and include what could be read before the rest was known", () => {
    FastCheck.assert(
      FastCheck.property(anyNamed, (named) => {
        const chosen = choose(named)
        const all = new Set(tokenSources.flatMap((source) => named[source]))
        const dropped = [...chosen.dropped.values()].reduce((sum, count) => sum + count, 0)
        assert.strictEqual(chosen.tokens.size, Math.min(all.size, mostCandidates))
        assert.strictEqual(chosen.tokens.size + dropped, all.size)
        for (const token of certainCandidates(named)) assert.isTrue(chosen.tokens.has(token))
        for (const [token, sources] of chosen.tokens) {
          assert.deepStrictEqual(sources, tokenSources.filter((source) => named[source].includes(token)))
        }
      }),
      { numRuns: 200 }
    )
  })
})
