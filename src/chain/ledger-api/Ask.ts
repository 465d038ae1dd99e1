import { HttpClientRequest } from "@effect/platform"
import type { HttpClient } from "@effect/platform"
import { Effect, Option, Schema } from "effect"
import { Int } from "../../domain/Leaf.ts"
import type { ChainFailure } from "../ChainFailure.ts"
import { decodeError, unreadable } from "../DecodeError.ts"
import type { Endpoints } from "../Endpoints.ts"
import { exchange } from "../Exchange.ts"
import type { Answer } from "../Exchange.ts"
import { Refused, Undecodable } from "../Fault.ts"
import type { Fault } from "../Fault.ts"
import { LedgerFacts } from "../LedgerFacts.ts"
import type { NewerXdrSeen } from "../NewerXdrSeen.ts"
import { yieldBefore } from "../pace/Turns.ts"

/** Where a question goes: path segments and query parameters, neither encoded yet. */
export interface Question {
  readonly path: ReadonlyArray<string>
  readonly parameters?: ReadonlyArray<readonly [string, string]>
  /** The ledger API searches for the answer, which may take its time. */
  readonly searched?: boolean
}

/** An answer with its `Latest-Ledger` header. */
export interface DatedRecord<A> {
  readonly value: A
  readonly latestLedger: number
}

/** Questions to the ledger API. */
export interface Ask {
  /** One resource of the ledger's state that must be there. */
  readonly one: <A, I>(question: Question, schema: Schema.Schema<A, I>) => Effect.Effect<DatedRecord<A>, ChainFailure>

  /** One resource of the ledger's state, or none when the ledger API itself says that there is none. */
  readonly find: <A, I>(question: Question, schema: Schema.Schema<A, I>) => Effect.Effect<Option.Option<DatedRecord<A>>, ChainFailure>

  /** A resource of history, whose answers carry no `Latest-Ledger`. */
  readonly history: <A, I>(question: Question, schema: Schema.Schema<A, I>) => Effect.Effect<A, ChainFailure>

  /** The same of one that is equal for every request within a ledger: an endpoint is queried for it once a second, and once a ledger. */
  readonly fact: <A extends {}, I>(question: Question, schema: Schema.Schema<A, I>) => Effect.Effect<A, ChainFailure>

  /** A ledger that a resource of history names; where the endpoint has named one that is no older than `least`, that, without asking. */
  readonly ledgerFrom: <A, I>(
    least: number,
    question: Question,
    schema: Schema.Schema<A, I>,
    ledgerOf: (answer: A) => number
  ) => Effect.Effect<number, ChainFailure>

  /** A resource of history, or none when the ledger API itself says that there is none, or none any more. */
  readonly findHistory: <A, I>(question: Question, schema: Schema.Schema<A, I>) => Effect.Effect<Option.Option<A>, ChainFailure>
}

/** What a text says as JSON; none where it is no JSON. */
const readJson = Option.liftThrowable((text: string): unknown => JSON.parse(text))

const Problem = Schema.parseJson(Schema.Struct({ status: Int }))

const isProblem = (answer: Answer): boolean =>
  Option.exists(Schema.decodeOption(Problem)(answer.text), (problem) => problem.status === answer.status)

/** What a question is about, for the log. */
const kindOf = ({ path }: Question): string => path[0] ?? ""

/** The resource that is requested, without whose: for metrics and traces. What stands third is a word of ours. */
const methodOf = ({ path: [first = "root", , third] }: Question): string => (third === undefined ? first : `${first}/${third}`)

/** What an answer says, decoded. */
const decodeAny = <A, I>(question: Question, schema: Schema.Schema<A, I>, { text }: Answer): Effect.Effect<A, Fault> => {
  const unusable = (why: string) => new Undecodable({ reason: `${kindOf(question)}: ${why}` })
  const read = Effect.suspend((): Effect.Effect<A, Fault> => {
    const value = readJson(text)
    if (Option.isNone(value)) return unusable(unreadable)
    return Effect.flatMap(
      yieldBefore(text),
      () => Effect.mapError(Schema.decodeUnknown(schema)(value.value), (error) => unusable(decodeError(error)))
    )
  })
  return Effect.flatMap(yieldBefore(text), () => read)
}

const decodeLedger = Schema.decodeUnknownOption(Schema.NumberFromString.pipe(Schema.int(), Schema.positive()))

const urlOf = (base: URL, { parameters = [], path }: Question): URL => {
  const url = new URL(base)
  url.pathname = [base.pathname.replace(/\/+$/, ""), ...path.map(encodeURIComponent)].join("/")
  for (const [name, value] of parameters) url.searchParams.set(name, value)
  return url
}

type Get = (base: URL, question: Question) => Effect.Effect<Option.Option<Answer>, Fault>

/**
 * GET over HTTP. A 404, 410 or 400 counts only when the body is the ledger API's own problem report with that status: any proxy can say
 * "not found". 410 stands for history that it has forgotten. 400 is `Refused`; every other status but 200 is `Undecodable`.
 */
const getOver = (client: HttpClient.HttpClient): Get => (base, question) =>
  Effect.flatMap(
    exchange(
      client,
      { endpoint: base, method: methodOf(question) },
      HttpClientRequest.get(urlOf(base, question)).pipe(HttpClientRequest.acceptJson)
    ),
    (answer): Effect.Effect<Option.Option<Answer>, Fault> => {
      const { status } = answer
      if (status === 200) return Effect.succeedSome(answer)
      if ((status === 404 || status === 410) && isProblem(answer)) return Effect.succeedNone
      const reason = `${kindOf(question)}: status ${status}`
      return status === 400 && isProblem(answer) ? new Refused({ reason }) : new Undecodable({ reason })
    }
  )

/** An answer that must be there. */
const required = (get: Get): (base: URL, question: Question) => Effect.Effect<Answer, Fault> => (base, question) =>
  Effect.flatMap(
    get(base, question),
    (found): Effect.Effect<Answer, Fault> =>
      Option.isSome(found) ? Effect.succeed(found.value) : new Undecodable({ reason: `${kindOf(question)}: status 404` })
  )

/** Decodes answers, and notes those that this version does not know whole. */
const decodeNoting = (newer: NewerXdrSeen) => <A, I>(base: URL, question: Question, schema: Schema.Schema<A, I>, answer: Answer) =>
  newer.watch(base, methodOf(question), () => decodeAny(question, schema, answer))

/** Decodes answers about the ledger's state, and notes the ledger that each names. */
const decodeState =
  (facts: LedgerFacts, decode: ReturnType<typeof decodeNoting>) =>
  <A, I>(base: URL, question: Question, schema: Schema.Schema<A, I>) =>
  (answer: Answer): Effect.Effect<DatedRecord<A>, Fault> =>
    Effect.flatMap(
      decode(base, question, schema, answer),
      (value): Effect.Effect<DatedRecord<A>, Fault> =>
        Option.match(decodeLedger(answer.headers["latest-ledger"]), {
          onNone: () => new Undecodable({ reason: `${kindOf(question)}: no Latest-Ledger header` }),
          onSome: (latestLedger) => {
            facts.note(base, latestLedger)
            return Effect.succeed({ value, latestLedger })
          }
        })
    )

/** Questions that are put to some endpoints by a client. */
export const askOver = (client: HttpClient.HttpClient, endpoints: Endpoints, newer: NewerXdrSeen): Ask => {
  const [facts, decode] = [new LedgerFacts(), decodeNoting(newer)]
  const get = getOver(client)
  const [there, seen] = [required(get), decodeState(facts, decode)]
  const history = <A, I>(question: Question, schema: Schema.Schema<A, I>) => (base: URL): Effect.Effect<A, Fault> =>
    Effect.flatMap(there(base, question), (answer) => decode(base, question, schema, answer))
  const ifThere =
    <A>(question: Question, read: (base: URL) => (answer: Answer) => Effect.Effect<A, Fault>) =>
    (base: URL): Effect.Effect<Option.Option<A>, Fault> =>
      Effect.flatMap(get(base, question), (found) => Option.isSome(found) ? Effect.asSome(read(base)(found.value)) : Effect.succeedNone)
  return {
    one: (question, schema) =>
      endpoints.run((base) => Effect.flatMap(there(base, question), seen(base, question, schema)), {
        searched: question.searched ?? false
      }),
    find: (question, schema) => endpoints.run(ifThere(question, (base) => seen(base, question, schema))),
    history: (question, schema) => endpoints.run(history(question, schema)),
    fact: (question, schema) => {
      const fact = facts.fact(history(question, schema))
      return endpoints.run(fact.fetch, fact)
    },
    ledgerFrom: (least, question, schema, ledgerOf) =>
      endpoints.run((base) => Effect.map(history(question, schema)(base), ledgerOf), {
        recall: (url) => {
          const newest = facts.newestOf(url)
          return newest < least ? null : newest
        }
      }),
    findHistory: (question, schema) => endpoints.run(ifThere(question, (base) => (answer) => decode(base, question, schema, answer)))
  }
}
