import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import type { ContractAddress } from "../../src/domain/Address.ts"
import { most, type NamedAllowances, pairsOf, tokensOf } from "../../src/tokens/allowances/AllowanceCandidates.ts"
import { eventWarnings } from "../../src/tokens/allowances/AllowanceWarnings.ts"
import { addressNamed } from "./support/TokenService.ts"

const named = (over: Partial<NamedAllowances> = {}): NamedAllowances => ({
  events: [],
  registry: { tokens: [], spenders: [] },
  manual: { tokens: [], spenders: [] },
  ...over
})

const contracts = (count: number, name: string): ReadonlyArray<ContractAddress> =>
  Array.from({ length: count }, (_, at) => addressNamed(`${name} ${at}`))

const sum = (dropped: ReadonlyMap<string, number>): number => [...dropped.values()].reduce((all, one) => all + one, 0)

describe("the candidates of one read", () => {
  it("are no more than there is room for; strangers crowd out neither the caller nor what is known", () => {
    const flood = contracts(5000, "a stranger's token").map((token) => ({ token, spender: addressNamed("a thief"), until: null }))
    const all = named({
      events: flood,
      registry: { tokens: contracts(100, "known"), spenders: contracts(15, "router") },
      manual: { tokens: contracts(20, "mine"), spenders: contracts(20, "theirs") }
    })
    const { dropped, tokens } = tokensOf(all)
    assert.lengthOf(tokens, 500)
    assert.deepStrictEqual([...dropped], [["events", 5000 - 380]])
    for (const one of [...all.manual.tokens, ...all.registry.tokens]) assert.include(tokens, one)
    const { pairs } = pairsOf(all, (token) => tokens.includes(token))
    assert.lengthOf(pairs, most.pairs)
    for (const token of all.manual.tokens) {
      for (const spender of all.manual.spenders) assert.isTrue(pairs.some((one) => one.token === token && one.spender === spender))
    }
  })

  it("are each there once with everybody who named it, and what is left out is counted", () => {
    const few = contracts(5, "token")
    const spenders = contracts(4, "spender")
    const some = <A>(all: ReadonlyArray<A>) => fc.subarray([...all])
    fc.assert(
      fc.property(
        some(few),
        some(spenders),
        some(few),
        some(spenders),
        fc.array(fc.tuple(fc.nat(4), fc.nat(3)), { maxLength: 10 }),
        (a, b, c, d, told) => {
          const all = named({
            events: told.map(([token, spender]) => ({ token: few[token]!, spender: spenders[spender]!, until: null })),
            registry: { tokens: a, spenders: b },
            manual: { tokens: c, spenders: d }
          })
          const { dropped, pairs } = pairsOf(all, () => true)
          assert.strictEqual(new Set(pairs.map(({ spender, token }) => `${token} ${spender}`)).size, pairs.length)
          assert.strictEqual(sum(dropped), 0)
          for (const { sources, spender, token } of pairs) {
            const isTold = all.events.some((one) => one.token === token && one.spender === spender)
            const isKnown = a.includes(token) && (b as ReadonlyArray<string>).includes(spender)
            assert.deepStrictEqual([sources.includes("events"), sources.includes("registry")], [isTold, isKnown])
            if (sources.includes("manual")) assert.isTrue(c.includes(token) || (d as ReadonlyArray<string>).includes(spender))
          }
          for (const token of a) for (const spender of b) assert.isTrue(pairs.some((one) => one.token === token && one.spender === spender))
        }
      )
    )
  })
})

describe("what events leave open", () => {
  const told = {
    tokens: [],
    approvals: [],
    moves: new Map(),
    scanned: { fromLedger: 2, toLedger: 120_000 },
    complete: true,
    unscanned: null,
    dropped: { tokens: 0, approvals: 0 },
    failure: null,
    alone: [],
    contradicted: new Set<never>()
  }
  const codes = (over: Partial<typeof told>) => eventWarnings({ ...told, ...over }).map(({ code }) => code)

  it("is nothing where they reach back to the first ledger, or as far as an allowance can live", () => {
    assert.deepStrictEqual(codes({}), [])
    assert.deepStrictEqual(codes({ scanned: { fromLedger: 60_000_000 - 3_110_400, toLedger: 60_000_000 } }), [])
  })

  it("is told where an allowance can be older, where there was no time, and where there was no room", () => {
    assert.deepStrictEqual(codes({ scanned: { fromLedger: 59_880_000, toLedger: 60_000_000 } }), ["history_not_scanned"])
    assert.deepStrictEqual(codes({ complete: false }), ["history_not_scanned"])
    assert.deepStrictEqual(codes({ dropped: { tokens: 0, approvals: 3 } }), ["candidates_dropped"])
  })
})
