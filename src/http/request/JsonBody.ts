import { Effect } from "effect"
import { InvalidBody, SecretKeyRefused } from "../../domain/failure/Input.ts"
import { containsSecretSeed } from "./SecretSeeds.ts"

/** Deepest nesting of arrays and objects that is accepted. */
export const maxDepth = 64

const refuse = (message: string) => new InvalidBody({ issues: [{ path: "", message }] })

/** Whether brackets outside strings nest deeper than is accepted. Counted on the text, so that nothing deep is ever built. */
const tooDeep = (text: string): boolean => {
  let depth = 0
  let inString = false
  for (let index = 0; index < text.length; index++) {
    const character = text[index]
    if (inString) {
      if (character === "\\") index++
      else if (character === "\"") inString = false
    } else if (character === "\"") inString = true
    else if (character === "{" || character === "[") {
      if (++depth > maxDepth) return true
    } else if (character === "}" || character === "]") depth--
  }
  return false
}

/** The JSON object that a body holds. A secret seed anywhere in it refuses the whole. */
export const parseBody = Effect.fn("JsonBody.parse")(function*(bytes: Uint8Array) {
  const text = yield* Effect.try({
    try: () => new TextDecoder("utf-8", { fatal: true }).decode(bytes),
    catch: () => refuse("is not UTF-8")
  })
  if (containsSecretSeed(text)) return yield* new SecretKeyRefused()
  if (text.trim() === "") return yield* refuse("is empty; a JSON object is expected")
  if (tooDeep(text)) return yield* refuse(`nests deeper than ${maxDepth} levels`)
  const value: unknown = yield* Effect.try({ try: () => JSON.parse(text), catch: () => refuse("is not valid JSON") })
  return typeof value === "object" && value !== null && !Array.isArray(value) ? value : yield* refuse("must be a JSON object")
})
