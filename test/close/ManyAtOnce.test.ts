import { assert, it } from "@effect/vitest"
import { Effect, Layer, Logger, LogLevel } from "effect"
import { ComputingBounds } from "../../src/close/load/Admission.ts"
import { Serving } from "../../src/serving/Serving.ts"
import { startTestService } from "../support/TestService.ts"
import { isThorough } from "../support/Thorough.ts"
import { closesAtOnce } from "./support/ManyCloses.ts"
import { Service } from "./support/Service.ts"

/** Reads two requests and computes one at a time, with almost no wait for a turn. */
const impatient = Layer.merge(
  Logger.minimumLogLevel(LogLevel.None),
  Layer.succeed(ComputingBounds, { atOnce: 1, closes: 2, shareOfDeadline: 0.01 })
)

const served = Layer.scoped(
  Service,
  startTestService({}, Serving.layerWith({ closeEvery: null, protocols: false, accounts: false }), impatient)
)

it.scopedLive(
  "closes at once of a service that has no turn for most of them all end complete, by coming back when they are told to",
  () =>
    Effect.gen(function*() {
      const waited = yield* closesAtOnce(isThorough ? 6 : 3)
      assert.isAbove(waited.get("service_busy") ?? 0, 0)
      assert.deepStrictEqual([...waited.keys()], ["service_busy"])
    }).pipe(Effect.provide(served)),
  60_000
)
