import { assert } from "@effect/vitest"
import { Asset, type Keypair, Operation } from "@stellar/stellar-sdk"
import { Effect, Metric } from "effect"
import { prometheusText } from "../../src/http/metrics/Prometheus.ts"
import { perform } from "../../src/sandbox/scenarios/Scenario.ts"
import { breaches } from "../http/support/MetricRules.ts"
import { layer } from "../support/Layered.ts"
import { Pair } from "./support/Accounts.ts"
import { coSign, offered, plan, refusal, submit } from "./support/Client.ts"
import { exchanges, forge } from "./support/Mediated.ts"
import { Service } from "./support/Service.ts"
import { signed } from "./support/Signing.ts"

const token = "token-of-the-metrics"

const metrics = Effect.flatMap(
  Service,
  ({ url }) => Effect.promise(async () => (await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${token}` } })).text())
)

const valueOf = (text: string, name: string): bigint => {
  const line = text.split("\n").find((one) => one.startsWith(`${name} `))
  return line === undefined ? 0n : BigInt(line.slice(name.length + 1))
}

const cosigned = "closeout_mediator_cosigned_total{network=\"testnet\"}"
const residue = "closeout_mediator_residue_stroops_total{network=\"testnet\"}"
const float = "closeout_mediator_float_stroops{network=\"testnet\"}"
const refusedFor = (rule: string) => `closeout_mediator_refused_total{network="testnet",rule="${rule}"}`

layer(Service.layer({ METRICS_TOKEN: token }), { excludeTestServices: true })("the metrics of the mediator", (it) => {
  it.effect("count what it signs, what it refuses by rule, what closes leave with it, and show what it holds", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { payments } = yield* exchanges
      const { source } = yield* on(Pair())
      const { source: donor } = yield* on(Pair())
      const { intent } = yield* offered({ source: source.publicKey(), destination: payments, memo: "customer 42" })
      const mediator = intent.guarantees.mergeDestination ?? ""
      yield* on(
        perform("a donation", {
          as: donor,
          operations: [Operation.payment({ destination: mediator, asset: Asset.native(), amount: "0.25" })]
        })
      )

      // The counters belong to the process, so other closes may have raised them before.
      const before = prometheusText(yield* Metric.snapshot)
      yield* refusal("coSign", { transaction: (yield* forge({ source, mediator, destination: payments, extra: 1n })).toXdr() })
      const { source: another } = yield* on(Pair())
      const through = (closing: Keypair, address: string) =>
        forge({ source: closing, mediator: address, destination: payments, fee: 1000n })
      const signedFor = (closing: Keypair) =>
        Effect.gen(function*() {
          const transaction = yield* through(closing, mediator)
          return yield* signed({ xdr: yield* coSign(transaction.toXdr()) }, closing)
        })
      const [once, twice] = [yield* signedFor(source), yield* signedFor(another)]
      const { destination: other, source: third } = yield* on(Pair())
      const elsewhere = yield* through(third, other.publicKey())
      elsewhere.sign(third, other)
      yield* submit(elsewhere.toXdr())
      yield* submit(once)
      // Submitted twice at once, and again, it is still one close.
      yield* Effect.all([submit(twice), submit(twice)], { concurrency: 2 })
      yield* submit(twice)

      const text = yield* metrics
      const counted = (name: string): bigint => valueOf(text, name) - valueOf(before, name)
      assert.strictEqual(counted(cosigned), 2n)
      assert.strictEqual(counted(refusedFor("amount_covered")), 1n)
      assert.strictEqual(counted(residue), 1_600n)
      assert.strictEqual(valueOf(text, float), 2_500000n + 1_600n)
      assert.strictEqual(valueOf(text, "closeout_mediator_warn_float_stroops{network=\"testnet\"}"), 1_000000n)
    }))

  it.effect("stand beside those of plans, submissions, sources, caches and turns, and all keep to the rules of their format", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { destination, source } = yield* on(Pair())
      const before = prometheusText(yield* Metric.snapshot)
      const body = {
        source: source.publicKey(),
        destination: destination.publicKey(),
        decisions: [{ id: `destination:${destination.publicKey()}`, choice: "i_control_this_address" }]
      }
      yield* plan(body)
      const { xdr } = yield* offered(body)
      yield* submit(yield* signed({ xdr }, source))

      const text = yield* metrics
      const counted = (name: string): number => Number(valueOf(text, name)) - Number(valueOf(before, name))
      assert.strictEqual(counted("closeout_plans_total{network=\"testnet\",status=\"ready\"}"), 1)
      assert.strictEqual(counted("closeout_plan_transactions_count{network=\"testnet\"}"), 1)
      assert.strictEqual(counted("closeout_plan_transactions_sum{network=\"testnet\"}"), 1)
      assert.strictEqual(counted("closeout_submissions_total{network=\"testnet\",outcome=\"success\"}"), 1)
      assert.strictEqual(counted("closeout_http_request_duration_seconds_count{route=\"/v1/:network/submit\",code=\"none\"}"), 1)
      assert.match(
        text,
        /^closeout_upstream_request_duration_seconds_bucket\{endpoint="http:\/\/[^"/]+",method="sendTransaction",outcome="answered",le="10"\} \d+$/m
      )
      for (const name of ["closeout_turns_waiting{turn=\"close\",network=\"testnet\"}", "closeout_turns_running{turn=\"compute\"}"]) {
        assert.include(text, `${name} 0\n`)
      }
      assert.include(text, "closeout_cache_lookups_total{cache=\"entries\",outcome=\"hit\"}")
      for (const name of ["nodejs_heap_used_bytes", "nodejs_eventloop_delay_max_seconds"]) assert.include(text, `# TYPE ${name} gauge\n`)
      assert.deepStrictEqual(breaches(text), [])
      for (const hidden of [source.publicKey(), destination.publicKey()]) assert.notInclude(text, hidden)
    }))
})
