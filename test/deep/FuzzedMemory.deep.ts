import { assert, it } from "@effect/vitest"
import { Effect, FastCheck as fc } from "effect"
import { serviceProcess } from "../serving/support/ServiceProcess.ts"
import { settingsFor, staticKey } from "../serving/support/Upstream.ts"
import { type FuzzedRequest, judged, requestsTo, type Route, routes } from "./support/fuzz/FuzzedRoutes.ts"
import { fuzzedService } from "./support/fuzz/FuzzedService.ts"

/** `MEMORY_REQUESTS`: requests in all. `MEMORY_HEAP`: the heap of the service's process, in MiB. */
const requests = Number(process.env["MEMORY_REQUESTS"] ?? 20_000)
const heap = Number(process.env["MEMORY_HEAP"] ?? 144)

/** Requests to each route in turn, before the next ones are made. */
const inTurn = 20

/** Requests at the same time. */
const atOnce = 8

it.live(
  `a service with a heap of ${heap} MiB answers ${requests} requests that are nearly valid`,
  () =>
    Effect.scoped(Effect.gen(function*() {
      const { ledger, passphrase, pools } = yield* fuzzedService
      const { child, logged } = yield* serviceProcess({
        ...(yield* settingsFor({ ...ledger, passphrase })),
        NODE_OPTIONS: `--max-old-space-size=${heap}`
      })
      const { url } = yield* logged("listening")
      const caller = { url: String(url), authorization: `Bearer ${staticKey}` }
      const ask = ([route, request]: readonly [Route, FuzzedRequest]) =>
        Effect.map(Effect.promise(() => judged(route, request, caller)), ({ status }) => status)
      let sent = 0
      let taken = 0
      for (let seed = 1; sent < requests; seed++) {
        const all = routes.flatMap((route) =>
          fc.sample(requestsTo(route, pools), { numRuns: inTurn, seed }).map((request) => [route, request] as const)
        )
        const statuses = yield* Effect.forEach(all, ask, { concurrency: atOnce })
        sent += statuses.length
        taken += statuses.filter((status) => status < 400).length
      }
      assert.strictEqual(child.exitCode ?? child.signalCode, null)
      console.log(`${sent} requests, ${taken} of them without an error`)
    })),
  3_400_000
)
