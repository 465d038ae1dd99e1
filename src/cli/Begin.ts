import { Effect, Fiber } from "effect"
import { closeout } from "./Closeout.ts"
import { byPerson } from "./ExitCode.ts"

const running = Effect.runFork(closeout(process.argv))

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => Effect.runFork(Fiber.interrupt(running)))
}

running.addObserver((exit) => {
  process.exitCode = exit._tag === "Success" ? exit.value : byPerson.exitCode
  // A socket that is kept alive would hold the process.
  process.stdout.write("", () => process.exit())
})
