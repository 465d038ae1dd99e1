import { assert, describe, it } from "@effect/vitest"
import type { ContractAddress } from "../../src/domain/Address.ts"
import { boundsFor, mapsOf, poolsBetween } from "../../src/tokens/routes/WaysBetween.ts"
import { listed, madePool, named, venueOf } from "./support/MadePools.ts"

const [from, to, a, b, c] = [named("from"), named("to"), named("a"), named("b"), named("c")]

const pool = (name: string, venue: ReturnType<typeof venueOf>, ...tokens: ReadonlyArray<ContractAddress>) =>
  listed(madePool(name, venue, tokens, tokens.map(() => 1n)))

const between = (
  pools: ReadonlyArray<ReturnType<typeof pool>>,
  { bounds = boundsFor(1), without = [] }: { readonly bounds?: ReturnType<typeof boundsFor>; readonly without?: ReadonlyArray<string> } = {}
) =>
  mapsOf(pools).map((map) => poolsBetween(map, { from, to, without: new Set(without) }, bounds).map(({ pool: { contract } }) => contract))

describe("pools that may lie on a way", () => {
  it("are those of ways of at most three pools of one venue, and no others", () => {
    const venue = venueOf(3)
    const pools = [
      pool("direct", venue, from, to),
      pool("in", venue, from, a),
      pool("out", venue, a, to),
      pool("across", venue, a, b),
      pool("out of b", venue, b, to),
      pool("nowhere", venue, from, c),
      pool("aside", venue, c, named("d"))
    ]
    assert.deepStrictEqual(between(pools), [["direct", "in", "out", "across", "out of b"].map(named)])
    assert.deepStrictEqual(between(pools, { without: [named("direct"), b] }), [["in", "out"].map(named)])
    assert.deepStrictEqual(between(pools.map(({ pool: one, protocol }) => ({ protocol, pool: { ...one, venue: venueOf(1) } }))), [
      [named("direct")],
      ...Array.from({ length: 6 }, () => [])
    ])
  })

  it("are those of trusted tokens alone where only these may lie between", () => {
    const venue = venueOf(3)
    const pools = [pool("in", venue, from, a), pool("out", venue, a, to), pool("b in", venue, from, b), pool("b out", venue, b, to)]
    const [map] = mapsOf(pools)
    const way = { from, to, without: new Set<string>(), through: (token: ContractAddress) => token === b }
    assert.deepStrictEqual(
      map === undefined ? [] : poolsBetween(map, way, { parallel: 1, byOne: 1, byTwo: 1 }).map(({ pool: { contract } }) => contract),
      ["b in", "b out"].map(named)
    )
  })

  it("are bounded, and whoever opens others pushes out none that were there before", () => {
    const venue = venueOf(3)
    const before = [pool("in", venue, from, a), pool("across", venue, a, b), pool("out of b", venue, b, to), pool("out", venue, a, to)]
    const strangers = Array.from({ length: 2_000 }, (_, at) => named(`stranger ${at}`))
    const after = [
      ...before,
      ...strangers.flatMap((token, at) => [
        pool(`s in ${at}`, venue, from, token),
        pool(`s out ${at}`, venue, token, to),
        pool(`s on ${at}`, venue, token, b),
        pool(`s a ${at}`, venue, a, token),
        pool(`s direct ${at}`, venue, from, to, token)
      ])
    ]
    const [chosen = []] = between(after)
    for (const { pool: { contract } } of before) assert.include(chosen, contract)
    assert.isAtMost(chosen.length, 8 * (1 + 2 * 24 + 3 * 48))
    const beside = Array.from({ length: 20 }, (_, at) => pool(`beside ${at}`, venue, from, to))
    const dear = beside.map(({ pool: one, protocol }, at) => ({ protocol, pool: { ...one, isDear: at < 10 } }))
    assert.deepStrictEqual(between(dear), [[0, 1, 2, 10, 11, 12, 13, 14].map((at) => named(`beside ${at}`))])
    const [few = []] = between(after, { bounds: boundsFor(1_000) })
    assert.isAtMost(few.length, 4 * (1 + 2 * 4 + 3 * 4))
    assert.include(few, named("in"))
  })
})
