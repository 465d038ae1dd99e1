import { Array as Arr, Option, Schema } from "effect"
import type { Question } from "./CallEnds.ts"
import type { CallEnd, SourceCall } from "./ProofBundle.ts"

const EntriesQuestion = Schema.parseJson(Schema.Struct({
  id: Schema.Unknown,
  method: Schema.Literal("getLedgerEntries"),
  params: Schema.Struct({ keys: Schema.NonEmptyArray(Schema.String) })
}))

const EntriesAnswer = Schema.parseJson(Schema.Struct({
  result: Schema.Struct({
    entries: Schema.NullOr(Schema.Array(Schema.Struct({ key: Schema.String }, { key: Schema.String, value: Schema.Unknown }))),
    latestLedger: Schema.Number
  })
}))

const readQuestion = Schema.decodeUnknownOption(EntriesQuestion)
const readAnswer = Schema.decodeUnknownOption(EntriesAnswer)

/** What an endpoint showed under a key at some time; null: nothing. */
interface Sighting {
  /** Of the endpoint and the key. */
  readonly name: string
  readonly endedAt: number
  readonly latestLedger: number
  readonly entry: unknown
}

const nameOf = (url: string, key: string): string => `${url} ${key}`

const sightingsIn = ({ body, end, endedAt, url }: SourceCall): ReadonlyArray<Sighting> => {
  const question = Option.getOrNull(readQuestion(body))
  const answer = "text" in end ? Option.getOrNull(readAnswer(end.text)) : null
  if (question === null || answer === null) return []
  const { entries, latestLedger } = answer.result
  const found = new Map((entries ?? []).map((entry) => [entry.key, entry]))
  return question.params.keys.map((key) => ({ name: nameOf(url, key), endedAt, latestLedger, entry: found.get(key) ?? null }))
}

/** An answer that is put together, and when the last part of it was there. */
export interface JoinedAnswer {
  readonly end: CallEnd
  readonly endedAt: number
}

/**
 * Answers questions for ledger entries key by key. Which keys share a call depends on timing, so that a replay puts other keys together than the
 * recording did. Of each key it takes what was shown first from `now` on, else last. Null where a key has no recorded answer.
 */
export const recordedEntries = (calls: ReadonlyArray<SourceCall>): (question: Question, now: number) => JoinedAnswer | null => {
  const known = new Map(Object.entries(Arr.groupBy(calls.flatMap(sightingsIn), ({ name }) => name)))
  return ({ body, url }, now) => {
    const question = Option.getOrNull(readQuestion(body))
    if (question === null) return null
    const parts = question.params.keys.flatMap((key) => {
      const all = known.get(nameOf(url, key)) ?? []
      return all.find(({ endedAt }) => endedAt >= now) ?? all.at(-1) ?? []
    })
    if (parts.length < question.params.keys.length) return null
    const result = {
      entries: parts.flatMap(({ entry }) => (entry === null ? [] : [entry])),
      latestLedger: Math.max(...parts.map(({ latestLedger }) => latestLedger))
    }
    return {
      endedAt: Math.max(...parts.map(({ endedAt }) => endedAt)),
      end: { status: 200, headers: {}, text: JSON.stringify({ jsonrpc: "2.0", id: question.id, result }) }
    }
  }
}
