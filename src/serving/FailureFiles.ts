import { FileSystem, type HttpClient } from "@effect/platform"
import { Clock, Config, Effect, FiberSet, Layer, Option, Schema } from "effect"
import { inTurns } from "../chain/pace/Turns.ts"
import { dataDirectory } from "../DataDirectory.ts"
import { TransactionsRequest } from "../domain/CloseTransaction.ts"
import { showMillis } from "../domain/Instant.ts"
import { CloseRequest } from "../domain/Plan.ts"
import { type UnexpectedFailure, UnexpectedFailures } from "../http/UnexpectedFailures.ts"
import { failureReport } from "../proof/FailureReport.ts"
import { recorded } from "../proof/Recorded.ts"
import type { ExchangeRegistry } from "../registry/ExchangeRegistry.ts"
import { Serving } from "./Serving.ts"

/** Files that are kept; the oldest ones go. */
const mostFiles = 20

/** Between the end of a report and the next failure that gets one: a caller who finds a defect makes the service ask no more than that. */
const pause = "10 seconds"

/** How long a failure may take to be computed once more. */
const patience = "30 seconds"

const encodePlan = Schema.encodeSync(CloseRequest)
const encodeTransactions = Schema.encodeSync(TransactionsRequest)

const bodyOf = ({ work }: UnexpectedFailure) => work.operation === "plan" ? encodePlan(work.request) : encodeTransactions(work.request)

/** Where reports lie; none where nothing of a process is kept. */
const folder = Effect.gen(function*() {
  const { sandboxOnly } = yield* Serving
  const named = yield* Config.option(Config.string("DATA_DIR"))
  return sandboxOnly && Option.isNone(named) ? null : `${yield* dataDirectory}/proofs`
})

const writing = (directory: string) =>
  Effect.gen(function*() {
    const files = yield* FileSystem.FileSystem
    const { networks } = yield* Serving
    const context = yield* Effect.context<FileSystem.FileSystem | HttpClient.HttpClient | ExchangeRegistry>()

    const removeOldest = Effect.gen(function*() {
      const names = (yield* files.readDirectory(directory)).filter((name) => name.endsWith(".json")).toSorted()
      yield* Effect.forEach(names.slice(0, Math.max(0, names.length - mostFiles + 1)), (name) => files.remove(`${directory}/${name}`))
    })

    return (failure: UnexpectedFailure) =>
      Effect.gen(function*() {
        const served = networks.find(({ address }) => address.network === failure.work.network)
        if (served === undefined) return
        const made = yield* recorded(served, { operation: failure.work.operation, request: { ...bodyOf(failure) } })
        yield* files.makeDirectory(directory, { recursive: true })
        yield* removeOldest
        const file = `${directory}/${showMillis(yield* Clock.currentTimeMillis).replaceAll(":", "-")}-${failure.requestId}.json`
        yield* files.writeFileString(file, yield* inTurns(() => failureReport(failure.cause, made)))
        yield* Effect.logError("a report of the failure was written", { file })
      }).pipe(
        Effect.timeout(patience),
        Effect.catchAllCause((cause) => Effect.logWarning("a report of the failure could not be written", cause)),
        Effect.annotateLogs({ requestId: failure.requestId }),
        Effect.provide(context)
      )
  })

/**
 * Writes a report of each plan and build that ends with a defect to `DATA_DIR/proofs`: 20 files at most, one at a time. A failure during the
 * writing of another report, or within ten seconds after it, gets none. Requests do not wait for it. A process that serves nothing but a
 * sandbox writes them only where `DATA_DIR` is set.
 */
export const layer = Layer.scoped(
  UnexpectedFailures,
  Effect.gen(function*() {
    const directory = yield* folder
    if (directory === null) return { report: () => Effect.void }
    const write = yield* writing(directory)
    const run = yield* FiberSet.makeRuntime()
    const one = yield* Effect.makeSemaphore(1)
    return {
      report: (failure: UnexpectedFailure) =>
        Effect.sync(() => void run(one.withPermitsIfAvailable(1)(Effect.zipRight(write(failure), Effect.sleep(pause)))))
    }
  })
)
