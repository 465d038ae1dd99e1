import { assert } from "@effect/vitest"
import { Context, Effect, FastCheck as fc, Layer } from "effect"
import { layer } from "../support/Layered.ts"
import { judged, requestsTo, routes } from "./support/fuzz/FuzzedRoutes.ts"
import { bearerFor, fuzzedService } from "./support/fuzz/FuzzedService.ts"

class Fuzzed extends Context.Tag("closeout/test/deep/Fuzzed")<Fuzzed, Effect.Effect.Success<typeof fuzzedService>>() {}

/** `FUZZ_RUNS`: requests to each route. `FUZZ_SEED`: seed of the generator. */
const numRuns = Number(process.env["FUZZ_RUNS"] ?? 150)
const seed = Number(process.env["FUZZ_SEED"] ?? 1)

layer(Layer.scoped(Fuzzed, fuzzedService), { excludeTestServices: true, timeout: "60 seconds" })("requests that are nearly valid", (it) => {
  for (const route of routes) {
    const hasInput = route.operation.parameters.length > 0 || route.operation.requestBody !== undefined
    it.effect(`${route.method} ${route.path} answers as documented, and never with 5xx`, () =>
      Effect.gen(function*() {
        const { bearers, pools, url } = yield* Fuzzed
        const statuses = new Map<number, number>()
        yield* Effect.promise(() =>
          fc.assert(
            fc.asyncProperty(requestsTo(route, pools), async (request) => {
              const { problems, status } = await judged(route, request, { url, authorization: bearerFor(route.path, bearers) })
              statuses.set(status, (statuses.get(status) ?? 0) + 1)
              assert.deepStrictEqual(problems, [], problems.join("; "))
            }),
            { numRuns: hasInput ? numRuns : 1, seed, endOnFailure: true }
          )
        )
        console.log(`${route.method} ${route.path}: ${[...statuses].map(([status, count]) => `${count} x ${status}`).join(", ")}`)
      }), 1_700_000)
  }
})
