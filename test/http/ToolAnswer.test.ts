import { assert, it } from "@effect/vitest"
import { Effect, FastCheck, Schema } from "effect"
import { callResult, toolResult } from "../../src/http/mcp/ToolAnswer.ts"

/** Text with invisible characters, across the pieces in which results are written. */
const odd = FastCheck.tuple(FastCheck.fullUnicodeString(), FastCheck.nat({ max: 4 })).map(([text, before]) =>
  `${"x".repeat(65_500 + before)}\u202e\u{1f600}\u{e0041}\u0085\u2028${text}`
)

it.effect("an answer of a tool keeps every text, and shows no invisible character", () =>
  Effect.promise(() =>
    FastCheck.assert(
      FastCheck.asyncProperty(odd, async (text) => {
        const answer = await Effect.runPromise(
          Effect.flatMap(toolResult(Schema.Struct({ text: Schema.String }), { text }, "Done."), callResult)
        )
        const { content, structuredContent } = JSON.parse(answer)
        assert.strictEqual(structuredContent.text, text)
        assert.strictEqual(JSON.parse(content[1].text).text, text)
        assert.notMatch(content[1].text, /[\p{C}\p{Zl}\p{Zp}]/u)
        assert.notMatch(answer, /[\p{C}\p{Zl}\p{Zp}]/u)
      }),
      { numRuns: 30 }
    )
  ))
