import { HttpClient, type HttpClientError, type HttpClientResponse } from "@effect/platform"
import { Effect, Exit } from "effect"
import { tooLarge } from "../chain/Exchange.ts"
import { steadyMillis } from "../fibers/SteadyTime.ts"
import { ended, questionOf } from "./CallEnds.ts"
import { cleanText } from "./CleanText.ts"
import type { CallEnd, SourceCall } from "./ProofBundle.ts"
import { atEndpoint, type StandIn } from "./StandIns.ts"

/** Headers of answers that anything is read from. */
const readHeaders = ["latest-ledger", "retry-after"] as const

const answered = ({ headers, status }: HttpClientResponse.HttpClientResponse, text: string): CallEnd => ({
  status,
  headers: Object.fromEntries(readHeaders.flatMap((name) => {
    const value = headers[name]
    return value === undefined ? [] : [[name, value]]
  })),
  text
})

/** A client, and the calls that were made with it. */
export interface Recording {
  readonly client: HttpClient.HttpClient
  /** In the order in which they were begun. */
  readonly calls: () => ReadonlyArray<SourceCall>
}

/** Asks the endpoints that stand-ins stand for, and keeps each question with what came back. Who asks gets no more than what is kept. */
export const recording = (real: HttpClient.HttpClient, standIns: ReadonlyArray<StandIn>): Effect.Effect<Recording> =>
  Effect.map(steadyMillis, (begun) => {
    const calls: Array<SourceCall> = []
    const clean = cleanText(standIns)
    const client = HttpClient.make((request, url) =>
      Effect.suspend(() => {
        const question = questionOf(request, url)
        const place = calls.push({ ...question, endedAt: 0, end: { cut: true } }) - 1
        const there = atEndpoint(standIns, request, url)
        if (there === null) return Effect.dieMessage("a call of no endpoint")
        return Effect.flatMap(real.execute(there), (response) => Effect.map(response.text, (text) => answered(response, clean(text)))).pipe(
          Effect.catchAll(({ description }) => Effect.succeed<CallEnd>({ failure: description === tooLarge ? tooLarge : "connection" })),
          Effect.onExit((exit) =>
            Effect.map(steadyMillis, (now) => {
              calls[place] = { ...question, endedAt: now - begun, end: Exit.isSuccess(exit) ? exit.value : { cut: true } }
            })
          ),
          Effect.flatMap((end): Effect.Effect<HttpClientResponse.HttpClientResponse, HttpClientError.RequestError> => ended(request, end))
        )
      })
    )
    return { client, calls: () => [...calls] }
  })
