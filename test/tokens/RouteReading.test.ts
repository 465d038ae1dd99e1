import { assert, it } from "@effect/vitest"
import { Effect, Either, Option } from "effect"
import { LedgerEntries } from "../../src/chain/LedgerEntries.ts"
import { allAnswered } from "../../src/protocols/kit/LedgerView.ts"
import { readMarkets } from "../../src/protocols/reading/MarketReading.ts"
import { Network } from "../../src/sandbox/Network.ts"
import { numberedToken } from "../../src/sandbox/scenarios/PairsContracts.ts"
import { withManyPairs } from "../../src/sandbox/scenarios/PairsEntries.ts"
import { PairsNewcomer } from "../../src/sandbox/scenarios/PairsNewcomer.ts"
import { instanceKey } from "../../src/stellar/ContractKeys.ts"
import { TokenRoutes } from "../../src/tokens/TokenRoutes.ts"
import { rpcSaying } from "../protocols/support/Sources.ts"
import { madePool, named, venueOf } from "./support/MadePools.ts"
import { contractOf, routesSeen, type Seen } from "./support/RoutesWorld.ts"

const seen: Seen = []

it.live("many sales are read in one go: of a thousand pairs only those on their ways, and a list that is known not again", () =>
  Effect.gen(function*() {
    const { source, tokens } = yield* PairsNewcomer
    const { amend, passphrase } = yield* Network
    yield* amend((state) =>
      withManyPairs(state, passphrase, {
        count: 1_000,
        reserves: [10n ** 12n, 10n ** 12n],
        supply: 10n ** 12n,
        holder: source.publicKey(),
        shares: 1_000n
      }).state
    )
    const routes = yield* TokenRoutes
    const to = contractOf(tokens.lumens)
    yield* routes.best([{ from: contractOf(tokens.plain), to, amount: 1_000_000n }])
    seen.length = 0
    // The scenario has three pairs of its own, so the other tokens have higher numbers.
    const direct = Array.from({ length: 40 }, (_, at) => ({
      from: contractOf(numberedToken(2 * (at + 3))),
      to: contractOf(numberedToken(2 * (at + 3) + 1)),
      amount: 1_000_000n
    }))
    const found = yield* routes.best([...direct, { from: contractOf(tokens.plain), to, amount: 1_000_000n }, {
      from: direct[0]?.from ?? to,
      to,
      amount: 1n
    }])
    assert.strictEqual(found.filter((route) => route !== null).length, 41)
    assert.deepStrictEqual(seen, [
      { method: "getLatestLedger", keys: 0 },
      // 42 pairs, their factory and its router.
      { method: "getLedgerEntries", keys: 44 }
    ])
  }).pipe(Effect.provide(routesSeen(seen, "amm_2"))))

/** Two pools with an entry each, and answers of these ledgers, read by read. */
const readingOf = (...ledgers: ReadonlyArray<readonly [number, number]>) => {
  const venue = { ...venueOf(1), open: () => Either.right(() => assert.fail("nobody calls it")) }
  const pools = ["one", "other"].map((name) => {
    const { market, pool } = madePool(name, venue, [named("from"), named("to")], [1_000n, 1_000n])
    return {
      ...pool,
      venue,
      market: (view: Parameters<typeof pool.market>[0]) => Either.map(allAnswered(view, [instanceKey(pool.contract)]), () => market)
    }
  })
  const count = { readings: 0 }
  const answers: LedgerEntries["Type"]["answers"] = (keys) =>
    Effect.sync(() => {
      if (keys.length === 0) return []
      const shown = ledgers[Math.min(count.readings++, ledgers.length - 1)] ?? [1, 1]
      return keys.map((key, at) => ({ key, live: Option.none(), latestLedger: shown[at] ?? 1 }))
    })
  const entries = LedgerEntries.of({
    answers,
    anew: answers,
    many: () => Effect.dieMessage("not asked"),
    one: () => Effect.dieMessage("not asked")
  })
  const read = readMarkets({ entries, rpc: rpcSaying() }, { sequence: 7, closeTime: 1n }, pools)
  return Effect.map(read, ({ ledger, pools: open }) => ({ ledger, open: open.length, readings: count.readings }))
}

it.effect("pools that are shown as of several ledgers are read again, and are as of the oldest where that never ends", () =>
  Effect.gen(function*() {
    assert.deepStrictEqual(yield* readingOf([9, 9]), { ledger: 9, open: 2, readings: 1 })
    assert.deepStrictEqual(yield* readingOf([9, 10], [10, 10]), { ledger: 10, open: 2, readings: 2 })
    assert.deepStrictEqual(yield* readingOf([9, 10], [10, 11], [12, 11]), { ledger: 11, open: 2, readings: 3 })
  }))
