import { Effect } from "effect"
import { spawn } from "node:child_process"
import { closesAtOnce } from "../close/support/ManyCloses.ts"
import { Service } from "../close/support/Service.ts"
import { layer } from "../support/Layered.ts"

/** A process that uses all available CPU until the scope closes. */
const busyProcess = Effect.acquireRelease(
  Effect.sync(() => spawn(process.execPath, ["-e", "for (;;);"], { stdio: "ignore" })),
  (child) => Effect.sync(() => void child.kill("SIGKILL"))
)

layer(Service.layer(), { excludeTestServices: true, timeout: "10 minutes" })("a service beside two processes that never rest", (it) => {
  it.scoped("sees fifty closes at once to their end, all of them, with retries by Retry-After", () =>
    Effect.gen(function*() {
      yield* busyProcess
      yield* busyProcess
      yield* closesAtOnce(50)
    }), 1_200_000)
})
