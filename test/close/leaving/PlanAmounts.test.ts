import { assert } from "@effect/vitest"
import { Effect, type Schema } from "effect"
import type { AccountState } from "../../../src/domain/Account.ts"
import { showAmount } from "../../../src/domain/Amount.ts"
import { parseTotal } from "../../../src/domain/Total.ts"
import { laterLedger } from "../../sandbox/contracts/ProtocolsServed.ts"
import { layer } from "../../support/Layered.ts"
import { answersTo } from "../support/Answering.ts"
import { offered, plan, type PlanBody } from "../support/Client.ts"
import { Service } from "../support/Service.ts"
import { sourcesService } from "../support/Sources.ts"
import { functionOf } from "./support/CalledIn.ts"

/** The size of its plan as JSON. */
const mostBytes = 60_000

const units = (text: string): bigint => parseTotal(text) ?? assert.fail(`${text} is no amount`)

type Item = PlanBody["steps"][number]["pays"][number]

const sumOf = (items: ReadonlyArray<Item>, asset: string): bigint =>
  items.reduce((sum, item) => (item.asset === asset ? sum + units(item.amount) : sum), 0n)

const held = (source: string) =>
  Effect.flatMap(Service, ({ call }) => call<Schema.Schema.Encoded<typeof AccountState>>("GET", `/testnet/account/${source}`)).pipe(
    Effect.map(({ body: { nativeBalanceLumens, trustlines } }) =>
      new Map([["native", units(nativeBalanceLumens)], ...trustlines.map(({ asset, balance }) => [asset, units(balance)] as const)])
    )
  )

layer(sourcesService(1, {}, "everything"), { excludeTestServices: true, timeout: 240_000 })("the plan of the richest account", (it) => {
  it.effect("says in its steps all that comes and all that goes, to the last unit, and what it is worth", () =>
    Effect.gen(function*() {
      const { prepared } = yield* Service
      const { destination, source } = prepared.at(-1) ?? assert.fail("no account with positions is prepared")
      const request = { source: source.publicKey(), destination: destination.publicKey() }
      yield* laterLedger
      const first = yield* plan(request)
      const decisions = answersTo(first)
      const ready = yield* plan({ ...request, decisions })
      const { estimate, steps, transactions } = ready
      assert.strictEqual(ready.status, "ready")
      for (const one of [first, ready]) assert.isAtMost(Buffer.byteLength(JSON.stringify(one)), mostBytes)
      const [pays, takes] = [steps.flatMap((step) => step.pays), steps.flatMap((step) => step.takes)]

      // Holdings, inflows and outflows sum to zero, apart from the amount that the destination receives.
      const before = yield* held(source.publicKey())
      const assets = new Set([...before.keys(), ...[...pays, ...takes].flatMap(({ asset }) => asset ?? [])])
      assert.isAtLeast(assets.size, 9)
      const fees = transactions.reduce((sum, { feeLumens }) => sum + units(feeLumens), 0n)
      const left = [...assets].map((asset) => [
        asset,
        (before.get(asset) ?? 0n) + sumOf(pays, asset) - sumOf(takes, asset) - (asset === "native" ? fees : 0n)
      ])
      assert.deepStrictEqual(left, [...assets].map((asset) => [asset, 0n]))
      assert.strictEqual(showAmount(fees), estimate.feeLumens)
      const received = estimate.receivedLumens ?? assert.fail("nothing is received")
      assert.deepStrictEqual(steps.at(-1)?.takes, [{
        asset: "native",
        symbol: "XLM",
        amount: received,
        lumens: received
      }])

      // Everything in it is sold, so every amount has a value in lumens.
      assert.deepStrictEqual([...pays, ...takes].filter(({ lumens }) => lumens === null), [])
      const silent = steps.filter(({ pays: [paid], takes: [taken], type }) => type === "EXIT_POSITIONS" && (paid ?? taken) === undefined)
      // Bonds are broken before the withdrawal: that call alone brings nothing.
      assert.deepStrictEqual([...new Set(silent.map(functionOf))], ["unbond"])
      for (const { title } of steps) assert.notMatch(title, /[GC][A-Z2-7]{55}.*:|lend_1|amm_|cdp_1/)
      assert.isTrue(steps.some(({ title }) => /^Claim [\d.]+ AQUA from Aquarius pool (XLM\/USDC|USDC\/XLM)$/.test(title)))
      assert.isTrue(steps.some(({ title }) => /^Sell [\d.]+ AQUA for at least [\d.]+ XLM$/.test(title)))

      const { intent } = yield* offered({ ...request, decisions })
      const [step] = steps
      assert.strictEqual(intent.summary, step?.title)
      // A build prices the other agreed sales at their minimums.
      const amounts = (items: ReadonlyArray<Item> = []) => items.map(({ amount, asset }) => [asset, amount])
      assert.deepStrictEqual(amounts(intent.expects.pays), amounts(step?.pays))
      assert.deepStrictEqual(intent.expects.takes, [])
    }), 120_000)
})
