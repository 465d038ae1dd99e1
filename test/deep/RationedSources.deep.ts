import { assert } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { RequestsPerSecond } from "../../src/sandbox/faults/RequestsPerSecond.ts"
import { closesAtOnce } from "../close/support/ManyCloses.ts"
import { Service } from "../close/support/Service.ts"
import { layer } from "../support/Layered.ts"

const closes = 200
const perSecond = 50

/** Asks for `/health` four times a second until interrupted; milliseconds of each answer. */
const watched = (answered: Array<number>) =>
  Effect.gen(function*() {
    const { url } = yield* Service
    const once = Effect.promise(async () => {
      const began = performance.now()
      await (await fetch(`${url}/health`)).text()
      answered.push(performance.now() - began)
    })
    return yield* Effect.forever(Effect.zipRight(once, Effect.sleep("250 millis")))
  })

const shown = (millis: number | undefined) => `${Math.round(millis ?? 0)} ms`

layer(Layer.fresh(Service.layer()), { excludeTestServices: true, timeout: "10 minutes" })(
  `sources that allow ${perSecond} requests a second`,
  (it) => {
    it.scoped(
      `see ${closes} closes at once to their end, all of them, and nothing more is asked of them than they allow, or hardly`,
      () =>
        Effect.gen(function*() {
          const { sandbox } = yield* Service
          const began = performance.now()
          const answered: Array<number> = []
          yield* sandbox.faults.set({ fault: new RequestsPerSecond({ requests: perSecond }), rpc: "*" })
          yield* sandbox.faults.set({ fault: new RequestsPerSecond({ requests: perSecond }), rest: "*" })
          yield* Effect.forkScoped(watched(answered))
          const waited = yield* closesAtOnce(closes, true)
          const seconds = (performance.now() - began) / 1_000
          const asked = (yield* sandbox.faults.all).map(({ met }) => met / seconds)
          const sorted = answered.toSorted((one, other) => one - other)
          process.stdout.write(
            `${closes} closes in ${Math.round(seconds)} s; asked of each source ${
              asked.map((rate) => rate.toFixed(1)).join(" and ")
            } times a second; ` +
              `/health median ${shown(sorted[sorted.length >> 1])}, 99 of 100 ${shown(sorted[Math.floor(sorted.length * 0.99)])}, ` +
              `longest ${shown(sorted.at(-1))}; refused for the moment ${JSON.stringify([...waited])}\n`
          )
          // A storm would ask many times what is allowed: what was refused would be asked again at once by everybody.
          for (const rate of asked) assert.isBelow(rate, 2 * perSecond)
        }),
      3_000_000
    )
  }
)
