import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import { Cause, Clock, ConfigError, Console, Data, Effect, Layer } from "effect"
import { showMillis } from "../domain/Instant.ts"
import { logFormat } from "./Logging.ts"
import { problemsIn, type SettingProblem, settingProblems } from "./SettingProblems.ts"
import { otherFailure, type StartFailure, startReport } from "./StartReport.ts"

class SettingsWrong extends Data.TaggedError("SettingsWrong")<{ readonly problems: ReadonlyArray<SettingProblem> }> {}

const checked = Effect.gen(function*() {
  const problems = yield* Effect.provide(settingProblems(Object.keys(process.env)), NodeFileSystem.layer)
  if (problems.length > 0) return yield* new SettingsWrong({ problems })
})

const failureIn = (cause: Cause.Cause<unknown>): StartFailure => {
  const failure = Cause.squash(cause)
  if (failure instanceof SettingsWrong) return { _tag: "Settings", problems: failure.problems }
  return ConfigError.isConfigError(failure) ? { _tag: "Settings", problems: problemsIn(failure, "a setting") } : otherFailure(cause)
}

const report = (cause: Cause.Cause<unknown>) =>
  Effect.gen(function*() {
    const format = yield* Effect.orElseSucceed(logFormat, () => "pretty" as const)
    yield* Console.error(startReport(failureIn(cause), format, showMillis(yield* Clock.currentTimeMillis)))
  })

/**
 * Checks every setting, then runs the service until it is stopped. Everything that keeps it from starting is printed on standard error in
 * one report, and the process ends with 1.
 */
export const start = <E>(service: Layer.Layer<never, E>) =>
  Effect.tapErrorCause(
    Effect.zipRight(checked, Layer.launch(service)),
    (cause) => (Cause.isInterruptedOnly(cause) ? Effect.void : report(cause))
  )
