import { Effect } from "effect"
import { inTurns, yieldTurn } from "../../chain/pace/Turns.ts"
import { InvalidBody, SecretKeyRefused } from "../../domain/failure/Input.ts"
import { holdsSecretSeed } from "./SecretSeeds.ts"
import { seedLength } from "./SeedWindow.ts"

const quote = 0x22
const backslash = 0x5c

/** The index after the quote that ends the string begun before `from`; -1 when none does. */
const endOf = (text: string, from: number): number => {
  for (let index = from; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code === backslash) index++
    else if (code === quote) return index + 1
  }
  return -1
}

/** What a string literal says; as it is written where JSON does not know it. */
const said = (literal: string): string => {
  if (!literal.includes("\\")) return literal.slice(1, -1)
  try {
    return String(JSON.parse(literal))
  } catch {
    return literal.slice(1, -1)
  }
}

/** Every string of a JSON text, names and repeated names too, in order. What is shorter than `least` characters is left out. */
function* jsonStrings(text: string, least: number): Generator<string, void> {
  for (let from = text.indexOf("\""); from >= 0;) {
    const end = endOf(text, from + 1)
    if (end < 0) return
    if (end - from - 2 >= least) yield said(text.slice(from, end))
    from = text.indexOf("\"", end)
  }
}

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

/** Whether any string of a JSON text holds a secret seed. Each is searched by itself: what stands in two of them is no run. */
function* stringsHoldSeed(text: string): Generator<number, boolean> {
  for (const string of jsonStrings(text, seedLength)) {
    if (yield* holdsSecretSeed(string)) return true
  }
  return false
}

const parse = (text: string): Effect.Effect<unknown, InvalidBody> =>
  Effect.suspend(() => {
    if (text.trim() === "") return refuse("is empty; send a JSON object")
    if (tooDeep(text)) return refuse(`nests deeper than ${maxDepth} levels`)
    return Effect.try({ try: (): unknown => JSON.parse(text), catch: () => refuse("is not valid JSON") })
  })

/** The JSON value that a body holds. A secret seed anywhere in it, also in one that is no JSON, refuses the whole. */
export const parseJson = Effect.fnUntraced(function*(bytes: Uint8Array) {
  const text = yield* Effect.try({
    try: () => new TextDecoder("utf-8", { fatal: true }).decode(bytes),
    catch: () => refuse("is not UTF-8")
  })
  if (yield* inTurns(() => stringsHoldSeed(text))) return yield* new SecretKeyRefused()
  yield* yieldTurn
  const value = yield* Effect.catchAll(
    parse(text),
    (refusal) => Effect.flatMap(inTurns(() => holdsSecretSeed(text)), (found) => Effect.fail(found ? new SecretKeyRefused() : refusal))
  )
  yield* yieldTurn
  return value
})

/** The JSON object that a body holds, by the rules of `parseJson`. */
export const parseBody = (bytes: Uint8Array): Effect.Effect<object, InvalidBody | SecretKeyRefused> =>
  Effect.flatMap(
    parseJson(bytes),
    (
      value
    ) => (typeof value === "object" && value !== null && !Array.isArray(value) ? Effect.succeed(value) : refuse("must be a JSON object"))
  )
