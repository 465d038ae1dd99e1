import { Effect } from "effect"
import type { IncomingMessage, ServerResponse } from "node:http"
import { text } from "node:stream/consumers"
import { listeningServer } from "../../../support/ListeningServer.ts"
import type { Between } from "./ToyService.ts"

/** The result of `simulateTransaction` as JSON. */
export interface SimulationText {
  readonly transactionData: string
  readonly minResourceFee: string
  readonly results?: ReadonlyArray<{ readonly auth: ReadonlyArray<string>; readonly xdr: string }> | null
  readonly stateChanges?: ReadonlyArray<
    { readonly type: string; readonly key: string; readonly before: string | null; readonly after: string | null }
  >
  readonly latestLedger: number
}

/** Changes an honest answer. */
export type Lie = (honest: SimulationText) => object

/** A contract RPC that is honest except for its simulations, about which it lies while a lie is set. */
export const lyingRpc = () => {
  let told: Lie | null = null
  const answer = (rpcUrl: string) => async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await text(request)
    const honest = await fetch(rpcUrl, { method: "POST", headers: { "content-type": "application/json" }, body })
    const truth = await honest.text()
    const lie = (JSON.parse(body) as { readonly method: string }).method === "simulateTransaction" ? told : null
    response.writeHead(honest.status, { "content-type": "application/json" })
    if (lie === null) return void response.end(truth)
    const { result, ...envelope } = JSON.parse(truth) as { readonly result: SimulationText }
    response.end(JSON.stringify({ ...envelope, result: lie(result) }))
  }
  const between: Between = (rpcUrl) => Effect.map(listeningServer(answer(rpcUrl)), ({ href }) => href)
  return {
    between,
    /** Runs work while the endpoint lies; afterwards it is honest again. */
    lying: <A, E, R>(lie: Lie, asking: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
      Effect.acquireUseRelease(
        Effect.sync(() => {
          told = lie
        }),
        () => asking,
        () =>
          Effect.sync(() => {
            told = null
          })
      )
  }
}
