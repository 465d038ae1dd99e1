import { Config, ConfigError, Effect, Either, Layer, Option, Runtime } from "effect"
import { randomUUID } from "node:crypto"
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { RouteNotFound } from "../../domain/failure/Request.ts"
import { failureBody } from "../wire/ErrorEnvelope.ts"
import { MetricsText } from "./MetricsText.ts"

/** Only this machine reaches it. */
const host = "127.0.0.1"

/** `METRICS_PORT`: where metrics are served without a token, on loopback; 0 for any port that is free. None where it is not set. */
export const metricsPortSetting = Config.option(
  Config.string("METRICS_PORT").pipe(
    Config.mapOrFail((text) =>
      /^[0-9]{1,5}$/.test(text.trim()) && Number(text) <= 65_535
        ? Either.right(Number(text))
        : Either.left(ConfigError.InvalidData(["METRICS_PORT"], "must be a whole number from 0 to 65535"))
    )
  )
)

const notThere = () => JSON.stringify({ error: failureBody(new RouteNotFound(), randomUUID()) })

const pathOf = ({ url = "" }: IncomingMessage): string => url.split("?")[0] ?? ""

const send = (response: ServerResponse, status: number, [type, text]: readonly [type: string, text: string]): void => {
  response.writeHead(status, { "content-type": type, "content-length": Buffer.byteLength(text), "cache-control": "no-store" }).end(text)
}

const listening = (port: number, answer: (request: IncomingMessage, response: ServerResponse) => void) =>
  Effect.acquireRelease(
    Effect.async<Server, ConfigError.ConfigError>((resume) => {
      const server = createServer({ headersTimeout: 10_000, requestTimeout: 10_000 }, answer)
      server.once("error", (problem) =>
        resume(
          Effect.fail(
            ConfigError.InvalidData(["METRICS_PORT"], `cannot be opened for listening (${"code" in problem ? problem.code : problem.name})`)
          )
        ))
      server.listen(port, host, () => resume(Effect.succeed(server)))
    }),
    (server) =>
      Effect.sync(() => {
        server.close()
        server.closeAllConnections()
      })
  )

/** `GET /metrics` and nothing else, without a token, on a port of its own that only this machine reaches. Nothing where no port is set. */
export const layer = Layer.scopedDiscard(Effect.gen(function*() {
  const port = yield* metricsPortSetting
  if (Option.isNone(port)) return
  const text = yield* MetricsText
  const run = Runtime.runFork(yield* Effect.runtime<never>())
  const server = yield* listening(port.value, (request, response) => {
    if (request.method !== "GET" || pathOf(request) !== "/metrics") return send(response, 404, ["application/json", notThere()])
    run(Effect.map(text, (body) => send(response, 200, ["text/plain; version=0.0.4; charset=utf-8", body])))
  })
  const { port: taken } = server.address() as AddressInfo
  yield* Effect.logInfo("metrics are served", { url: `http://${host}:${taken}/metrics` })
}))
