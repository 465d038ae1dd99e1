import { HttpClientRequest } from "@effect/platform"
import type { HttpClient } from "@effect/platform"
import { Effect, Option, Schema } from "effect"
import type { ChainFailure } from "../ChainFailure.ts"
import type { Endpoints } from "../Endpoints.ts"
import { exchange } from "../Exchange.ts"
import type { Answer } from "../Exchange.ts"
import { Garbled, Refused } from "../Fault.ts"
import type { Fault } from "../Fault.ts"
import { misfit } from "../Misfit.ts"

/** Where a question goes: path segments and query parameters, neither encoded yet. */
export interface Question {
  readonly path: ReadonlyArray<string>
  readonly parameters?: ReadonlyArray<readonly [string, string]>
}

/** An answer with its `Latest-Ledger` header. */
export interface Seen<A> {
  readonly value: A
  readonly latestLedger: number
}

/** Questions to the ledger API. */
export interface Ask {
  /** One resource that must be there. */
  readonly one: <A, I>(question: Question, schema: Schema.Schema<A, I>) => Effect.Effect<Seen<A>, ChainFailure>

  /** One resource, or none when the ledger API itself says that there is none. */
  readonly find: <A, I>(question: Question, schema: Schema.Schema<A, I>) => Effect.Effect<Option.Option<Seen<A>>, ChainFailure>
}

const Problem = Schema.parseJson(Schema.Struct({ status: Schema.Int }))

const isProblem = (answer: Answer): boolean =>
  Option.exists(Schema.decodeOption(Problem)(answer.text), (problem) => problem.status === answer.status)

/**
 * GET over HTTP. A 404 or 400 counts only when the body is the ledger API's own problem report with that status: any proxy can say
 * "not found". 400 is `Refused`; every other status but 200 is `Garbled`.
 */
export const askOver = (client: HttpClient.HttpClient, endpoints: Endpoints): Ask => {
  const attempt = <A, I>(base: URL, question: Question, schema: Schema.Schema<A, I>): Effect.Effect<Option.Option<Seen<A>>, Fault> =>
    Effect.gen(function*() {
      const kind = question.path[0] ?? ""
      const answer = yield* exchange(client, HttpClientRequest.get(urlOf(base, question)).pipe(HttpClientRequest.acceptJson))
      if (answer.status === 404 && isProblem(answer)) return Option.none()
      if (answer.status === 400 && isProblem(answer)) return yield* new Refused({ reason: `${kind}: status 400` })
      if (answer.status !== 200) return yield* new Garbled({ reason: `${kind}: status ${answer.status}` })
      const value = yield* Schema.decode(Schema.parseJson(schema))(answer.text).pipe(
        Effect.mapError((error) => new Garbled({ reason: `${kind}: ${misfit(error)}` }))
      )
      const latestLedger = Option.getOrNull(decodeLedger(answer.headers["latest-ledger"]))
      return latestLedger === null
        ? yield* new Garbled({ reason: `${kind}: no Latest-Ledger header` })
        : Option.some({ value, latestLedger })
    })
  return {
    find: (question, schema) => endpoints.run((base) => attempt(base, question, schema)),
    one: (question, schema) =>
      endpoints.run((base) =>
        Effect.flatMap(attempt(base, question, schema), (found): Effect.Effect<Seen<typeof schema.Type>, Fault> =>
          Option.isSome(found) ? Effect.succeed(found.value) : new Garbled({ reason: `${question.path[0] ?? ""}: status 404` })
        )
      )
  }
}

const decodeLedger = Schema.decodeUnknownOption(Schema.NumberFromString.pipe(Schema.int(), Schema.positive()))

const urlOf = (base: URL, { parameters = [], path }: Question): URL => {
  const url = new URL(base)
  url.pathname = [base.pathname.replace(/\/+$/, ""), ...path.map(encodeURIComponent)].join("/")
  for (const [name, value] of parameters) url.searchParams.set(name, value)
  return url
}
