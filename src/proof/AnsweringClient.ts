import { HttpClient } from "@effect/platform"
import { Array as Arr, Deferred, Effect } from "effect"
import { steadyMillis } from "../fibers/SteadyTime.ts"
import { ended, type Question, questionOf } from "./CallEnds.ts"
import type { SourceCall } from "./ProofBundle.ts"
import { recordedEntries } from "./RecordedEntries.ts"

const nameOf = ({ body, method, url }: Question): string => JSON.stringify([method, url, body])

/** A client that answers from recorded calls, and the first question that they do not answer. */
export interface Answering {
  readonly client: HttpClient.HttpClient
  readonly lacking: Deferred.Deferred<Question>
}

/**
 * Answers each question as often as it was recorded, in that order, and then with its last answer; no sooner than it came when it was
 * recorded, so that answers follow one another as they did. It reaches no network. A question that was not recorded gets no answer at all.
 */
export const answering = (calls: ReadonlyArray<SourceCall>): Effect.Effect<Answering> =>
  Effect.gen(function*() {
    const begun = yield* steadyMillis
    const lacking = yield* Deferred.make<Question>()
    const open = new Map<string, Array<SourceCall>>(Object.entries(Arr.groupBy(calls, nameOf)))
    const joined = recordedEntries(calls)
    const next = (question: Question, now: number) => {
      const known = open.get(nameOf(question)) ?? []
      return (known.length > 1 ? known.shift() : known[0]) ?? joined(question, now)
    }
    const client = HttpClient.make((request, url) =>
      Effect.flatMap(steadyMillis, (millis) => {
        const now = millis - begun
        const question = questionOf(request, url)
        const call = next(question, now)
        if (call === null) return Effect.zipRight(Deferred.succeed(lacking, question), Effect.never)
        return Effect.zipRight(Effect.sleep(Math.max(0, call.endedAt - now)), ended(request, call.end))
      })
    )
    return { client, lacking }
  })
