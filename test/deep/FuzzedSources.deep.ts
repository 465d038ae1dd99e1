import { assert } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { jumping } from "../support/JumpingClock.ts"
import { layer } from "../support/Layered.ts"
import { judged, routes } from "./support/fuzz/FuzzedRoutes.ts"
import { mutatedSources } from "./support/fuzz/MutatedSources.ts"

class Mutated extends Context.Tag("closeout/test/deep/Mutated")<Mutated, Effect.Effect.Success<typeof mutatedSources>>() {}

/** `FUZZ_RUNS`: requests of each kind and account. */
const runs = Number(process.env["FUZZ_RUNS"] ?? 150)

const reads = [
  "/{network}/account/{address}",
  "/{network}/preflight/{address}",
  "/{network}/destinations/{address}",
  "/{network}/allowances/{address}"
]
const closes = ["/v1/{network}/close/plan", "/v1/{network}/close/transactions"]

layer(Layer.provideMerge(Layer.scoped(Mutated, mutatedSources), jumping), { excludeTestServices: true, timeout: "60 seconds" })(
  "sources whose XDR is mutated",
  (it) => {
    for (const route of routes.filter(({ path }) => reads.includes(path) || closes.includes(path))) {
      it.effect(`make ${route.method} ${route.path} answer as documented, and never with 500`, () =>
        Effect.gen(function*() {
          const { key, mutating, prepared, url } = yield* Mutated
          const statuses = new Map<number, number>()
          for (let run = 0; run < runs; run++) {
            const { destination, source } = prepared[run % prepared.length] ?? assert.fail("no account is prepared")
            const request = {
              method: route.method,
              path: route.path.replace("{network}", "testnet").replace("{address}", source.publicKey()),
              body: route.method === "GET" ? null : JSON.stringify({ source: source.publicKey(), destination: destination.publicKey() })
            }
            const part = [1, 0.3, 0.05, 0.005][run % 4] ?? 1
            const { problems, status } = yield* mutating(
              run,
              part,
              Effect.promise(() => judged(route, request, { url, authorization: `Bearer ${key}` }))
            )
            statuses.set(status, (statuses.get(status) ?? 0) + 1)
            // A mutated answer may be unusable; the service then says so.
            assert.deepStrictEqual(problems.filter((one) => !/^50[234]: /.test(one)), [], `run ${run}`)
          }
          console.log(`${route.method} ${route.path}: ${[...statuses].map(([status, count]) => `${count} x ${status}`).join(", ")}`)
        }), 1_700_000)
    }
  }
)
