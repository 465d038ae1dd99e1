import { Horizon, rpc } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { Network } from "../../src/sandbox/Network.ts"
import { type SandboxOptions, startSandbox } from "../../src/sandbox/Sandbox.ts"

/** The newest protocol whose ledger headers the SDK reads. */
export const readProtocol = 29

/** A sandbox on a socket and the SDK's clients of both its APIs, on the newest protocol that they read. */
export const startWithClients = (options: SandboxOptions = {}) =>
  Effect.map(startSandbox({ protocolVersion: readProtocol, ...options }), (sandbox) => ({
    ...sandbox,
    contractRpc: new rpc.Server(sandbox.rpcUrl, { allowHttp: true }),
    ledgerApi: new Horizon.Server(sandbox.ledgerApiUrl, { allowHttp: true }),
    on: Effect.provideService(Network, sandbox.network)
  }))

/** The error that a client's call rejects with. */
export const refused = (call: () => Promise<unknown>): Effect.Effect<unknown> =>
  Effect.flatMap(
    Effect.either(Effect.tryPromise({ try: call, catch: (error) => error })),
    (result) => (result._tag === "Left" ? Effect.succeed(result.left) : Effect.die("the call was not refused"))
  )

/** Posts JSON by hand, for requests that no client would send. */
export const post = (url: string, body: string, headers: Record<string, string> = { "content-type": "application/json" }) =>
  Effect.promise(async () => {
    const response = await fetch(url, { method: "POST", body, headers })
    const text = await response.text()
    return { status: response.status, headers: response.headers, text }
  })

export const get = (url: string) =>
  Effect.promise(async () => {
    const response = await fetch(url)
    return { status: response.status, headers: response.headers, text: await response.text() }
  })
