import { assert, it } from "@effect/vitest"
import { Effect, HashMap, Logger, TestClock } from "effect"
import { rareWarning } from "../../src/fibers/RareWarning.ts"

it.effect("a warning is logged once a minute for one cause, and says how many were left out", () =>
  Effect.gen(function*() {
    const lines: Array<Readonly<Record<string, unknown>>> = []
    const logger = Logger.make(({ annotations, logLevel, message }) =>
      void lines.push({ level: logLevel.label, message: String(message), ...Object.fromEntries(HashMap.entries(annotations)) })
    )
    const warn = rareWarning("it failed")
    yield* Effect.gen(function*() {
      for (let time = 0; time < 5; time++) yield* warn({ endpoint: "a", reason: "connection" })
      yield* warn({ endpoint: "b", reason: "connection" })
      yield* warn({ endpoint: "a", reason: "status 500" })
      yield* TestClock.adjust("59 seconds")
      yield* warn({ endpoint: "a", reason: "connection" })
      yield* TestClock.adjust("1 second")
      yield* warn({ endpoint: "a", reason: "connection" })
      yield* TestClock.adjust("1 minute")
      yield* warn({ endpoint: "a", reason: "connection" })
    }).pipe(Effect.provide(Logger.replace(Logger.defaultLogger, logger)))
    const line = { level: "WARN", message: "it failed" }
    assert.deepStrictEqual(lines, [
      { ...line, endpoint: "a", reason: "connection" },
      { ...line, endpoint: "b", reason: "connection" },
      { ...line, endpoint: "a", reason: "status 500" },
      { ...line, endpoint: "a", reason: "connection", leftOut: 5 },
      { ...line, endpoint: "a", reason: "connection" }
    ])
  }))
