import { Effect, Exit, Scope } from "effect"
import { serviceProcess } from "../../../serving/support/ServiceProcess.ts"

/** A process's messages that no fault of a source explains. */
const isUnexplained = ({ level, message }: { readonly level: string; readonly message: string }): boolean =>
  level === "FATAL" || /unexpected|defect|internal/i.test(message)

/** The service as a process that can be killed and restarted. */
export const killedService = (settings: Readonly<Record<string, string>>) =>
  Effect.gen(function*() {
    const whole = yield* Effect.scope
    const unexplained: Array<string> = []
    const current: { url: string | null; end: Effect.Effect<void> } = { url: null, end: Effect.void }
    const start = Effect.gen(function*() {
      const scope = yield* Scope.fork(whole, { _tag: "Sequential" })
      const { child, lines, logged } = yield* Scope.extend(serviceProcess(settings), scope)
      const { url } = yield* logged("listening")
      current.url = String(url)
      current.end = Effect.gen(function*() {
        current.url = null
        child.kill("SIGKILL")
        unexplained.push(...lines.filter(isUnexplained).map((line) => JSON.stringify(line)))
        yield* Scope.close(scope, Exit.void)
      })
    })
    yield* start
    return {
      unexplained,
      /** Ends the process at once. */
      kill: Effect.suspend(() => current.end),
      start,
      /** A `fetch` to the present process; between two of them no server answers. */
      fetch: (async (input, init) => {
        const { pathname, search } = new URL(input instanceof Request ? input.url : input)
        if (current.url === null) throw new TypeError("fetch failed")
        const to = `${current.url}${pathname}${search}`
        return globalThis.fetch(input instanceof Request ? new Request(to, input) : to, init)
      }) satisfies typeof globalThis.fetch
    }
  })
