import { HttpServerResponse } from "@effect/platform"
import { Effect, type Schema } from "effect"
import { inTurns } from "../../chain/pace/Turns.ts"
import { HelpLinks } from "./HelpLinks.ts"
import { encodedInParts } from "./InParts.ts"

/** The answer of a handler that may be long: as its schema has it, written in turns of the event loop, its links such that they can be followed. */
export const answerInParts = <A, I>(schema: Schema.Schema<A, I>) => (value: A): Effect.Effect<HttpServerResponse.HttpServerResponse> =>
  Effect.zipWith(
    inTurns(() => encodedInParts(schema, value)),
    HelpLinks,
    (text, links) => HttpServerResponse.text(links(text), { contentType: "application/json" })
  )
