import { Effect, type Scope } from "effect"
import { createServer } from "node:http"

/** An explorer's answer to one request; null: no answer, ever. */
export type ExplorerAnswer = { readonly status: number; readonly body: string } | null

/** An explorer with set answers, which keeps the paths of its requests. */
export const startExplorer: Effect.Effect<
  {
    readonly url: string
    readonly asked: ReadonlyArray<string>
    readonly answer: (answer: ExplorerAnswer) => void
  },
  never,
  Scope.Scope
> = Effect.gen(function*() {
  const asked: Array<string> = []
  let next: ExplorerAnswer = { status: 404, body: "" }
  const server = yield* Effect.acquireRelease(
    Effect.promise(() =>
      new Promise<ReturnType<typeof createServer>>((resolve) => {
        const made = createServer((request, response) => {
          asked.push(request.url ?? "")
          if (next === null) return
          response.writeHead(next.status, { "content-type": "application/json" })
          response.end(next.body)
        })
        made.listen(0, "127.0.0.1", () => resolve(made))
      })
    ),
    (made) =>
      Effect.sync(() => {
        made.closeAllConnections()
        made.close()
      })
  )
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}/explorer/test/`,
    asked,
    answer: (answer) => {
      next = answer
    }
  }
})
