import { Effect, Exit, Mailbox } from "effect"
import { Worker } from "node:worker_threads"

/**
 * A thread of its own until the scope closes: its messages, in turn, and a function to send one. Receiving fails once the thread has ended
 * in an error.
 */
export const thread = <Told>(file: URL, workerData?: unknown) =>
  Effect.gen(function*() {
    const told = yield* Mailbox.make<Told, Error>()
    const worker = yield* Effect.acquireRelease(
      Effect.sync(() => new Worker(file, { workerData })),
      (one) => Effect.promise(() => one.terminate())
    )
    worker.on("message", (message: Told) => void told.unsafeOffer(message))
    worker.on("error", (error) => void told.unsafeDone(Exit.fail(error)))
    worker.on("exit", () => void told.unsafeDone(Exit.void))
    return { hear: told.take, tell: (message: unknown) => Effect.sync(() => worker.postMessage(message)) }
  })
