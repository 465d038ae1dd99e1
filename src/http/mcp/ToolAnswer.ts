import { Effect, type Schema } from "effect"
import { type AnyFailure, ErrorTable } from "../../api/ErrorTable.ts"
import { inTurns } from "../../chain/pace/Turns.ts"
import { shownJson } from "../../domain/ShownText.ts"
import { RequestId } from "../request/RequestId.ts"
import { encodedInParts } from "../wire/AnswerInParts.ts"
import { failureBody } from "../wire/ErrorEnvelope.ts"
import { HelpLinks } from "../wire/HelpLinks.ts"
import { notice } from "./ToolDefinitions.ts"

/** What a tool answers: a sentence of the service's own, and the structured result as JSON text. */
export interface ToolAnswer {
  /** Holds no text that others chose. */
  readonly sentence: string
  readonly json: string
  readonly isError: boolean
}

/** Characters of a text that are worked on without a stop. */
const piece = 65_536

/** A text made anew piece by piece; it yields after each, so that a result of megabytes does not hold the event loop. */
function* inPieces(text: string, make: (part: string) => string): Generator<void, string> {
  const parts: Array<string> = []
  for (let from = 0; from < text.length; from += piece) {
    parts.push(make(text.slice(from, from + piece)))
    yield
  }
  return parts.join("")
}

/** The JSON text of a result as it is sent: its links can be followed, and invisible characters are escaped. */
const shown = (json: string): Effect.Effect<string> => Effect.flatMap(HelpLinks, (links) => inTurns(() => inPieces(links(json), shownJson)))

/** The answer of a tool that succeeded. */
export const toolResult = <A, I>(schema: Schema.Schema<A, I>, value: A, sentence: string): Effect.Effect<ToolAnswer> =>
  inTurns(() => encodedInParts(schema, value)).pipe(
    Effect.flatMap(shown),
    Effect.map((json) => ({ sentence: `${sentence} ${notice}`, json, isError: false }))
  )

/** The answer of a tool that failed: the row of the error table, and the error as every route has it. */
export const toolFailure = (failure: AnyFailure): Effect.Effect<ToolAnswer> =>
  Effect.gen(function*() {
    const error = failureBody(failure, yield* RequestId)
    const { code, meaning } = ErrorTable[failure._tag]
    const ask = failure._tag === "ConfirmationRequired"
      ? " Nothing was built. Ask the account's owner each `ask` of error.details.confirm."
      : ""
    const sentence = `Failed with ${code} (retry: ${String(error.details["retry"])}). ${meaning}${ask} ${notice}`
    return { sentence, json: yield* shown(JSON.stringify({ error })), isError: true }
  })

/** A text as the inside of a JSON string. */
const quoted = (part: string): string => JSON.stringify(part).slice(1, -1)

const block = (inside: string): string => `{"type":"text","text":"${inside}"}`

/** A tool's answer as the result of `tools/call`, JSON text. The structured result is also there as text, for clients that show texts only. */
export const callResult = ({ isError, json, sentence }: ToolAnswer): Effect.Effect<string> =>
  Effect.map(
    inTurns(() => inPieces(json, quoted)),
    (inside) => `{"content":[${block(quoted(sentence))},${block(inside)}],"structuredContent":${json},"isError":${isError}}`
  )
