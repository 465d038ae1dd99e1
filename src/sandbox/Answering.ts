import { type HttpApp, HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Cause, Effect, Exit, Runtime } from "effect"
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http"
import type { ConnectionCut } from "./faults/ConnectionCut.ts"
import { WholeRequest } from "./WholeRequest.ts"

/** Reads the body of a request, if it has one. Nobody hears of one that breaks off. */
const withBody = (incoming: IncomingMessage, use: (body: Uint8Array) => void): void => {
  if (incoming.headers["content-length"] === undefined && incoming.headers["transfer-encoding"] === undefined) {
    return use(new Uint8Array())
  }
  const chunks: Array<Buffer> = []
  incoming.on("data", (chunk: Buffer) => chunks.push(chunk))
  incoming.on("end", () => use(Buffer.concat(chunks)))
}

const send = (outgoing: ServerResponse, { body, headers, status }: HttpServerResponse.HttpServerResponse): void => {
  outgoing.writeHead(status, headers)
  outgoing.end(body._tag === "Uint8Array" ? body.body : undefined)
}

/**
 * Answers requests of a server of Node's by an app whose answers are plain. That of `@effect/platform-node` costs as much as all the
 * rest of an answer, for streams, scopes and spans that nothing here has; and tests ask the sandbox hundreds of thousands of times. Who hangs up
 * interrupts the work on his answer.
 */
export const answering = <R>(
  app: HttpApp.Default<ConnectionCut, R>
): Effect.Effect<RequestListener, never, Exclude<R, HttpServerRequest.HttpServerRequest>> =>
  Effect.map(Effect.runtime<Exclude<R, HttpServerRequest.HttpServerRequest>>(), (runtime) => {
    const run = Runtime.runFork(runtime)
    return (incoming, outgoing) =>
      withBody(incoming, (body) => {
        const request = new WholeRequest(incoming, body)
        const answer = Effect.catchTag(app, "ConnectionCut", () => Effect.sync(() => void incoming.destroy()))
        const fiber = run(Effect.provideService(answer, HttpServerRequest.HttpServerRequest, request))
        outgoing.on("close", () => {
          if (!outgoing.writableEnded) fiber.unsafeInterruptAsFork(fiber.id())
        })
        fiber.addObserver((exit) => {
          if (Exit.isSuccess(exit)) {
            if (exit.value !== undefined) send(outgoing, exit.value)
          } else if (!Cause.isInterruptedOnly(exit.cause)) {
            send(outgoing, HttpServerResponse.empty({ status: 500 }))
          }
        })
      })
  })
