import { assert } from "@effect/vitest"

/** An answer as pages show it: JSON in which `...` marks omitted parts. */
export const shortened = (text: string): unknown => {
  const whole = text
    .replaceAll(/\n\s*/g, " ")
    .replaceAll(/,\s*\.\.\.\s*(?=[}\]])/g, "")
    .replaceAll(/,\s*\.\.\.\s*(?=")/g, ", ")
  try {
    return JSON.parse(whole)
  } catch (problem) {
    return assert.fail(`the page shows an answer that is not JSON: ${String(problem)}: ${whole}`)
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Values that differ between runs: times, hashes, addresses, ids and shortened texts. */
const isVarying = (text: string): boolean => /\.\.\.$|^\d{4}-\d\d-\d\dT|^[0-9a-f]{64}$|^[GC][A-Z2-7]{55}$|^tx-\d+$/.test(text)

/** A shortened sentence: its whole words are as on the page. */
const isBeginning = (text: string): boolean => / .*\.\.\.$/.test(text)

/** Differences of an answer from the page; empty: it has at least everything that the page shows. */
export const differences = (shown: unknown, actual: unknown, at = "answer"): ReadonlyArray<string> => {
  if (Array.isArray(shown)) {
    if (!Array.isArray(actual)) return [`${at} is no list`]
    return shown.flatMap((one, index) => {
      const ways = actual.map((other) => differences(one, other, `${at}[${index}]`))
      return ways.some((way) => way.length === 0) ? [] : (ways[index] ?? [`${at}[${index}] is missing`])
    })
  }
  if (isObject(shown)) {
    if (!isObject(actual)) return [`${at} is no object`]
    return Object.entries(shown).flatMap(([key, one]) =>
      key in actual ? differences(one, actual[key], `${at}.${key}`) : [`${at}.${key} is missing`]
    )
  }
  if (typeof shown !== typeof actual) return [`${at} is ${JSON.stringify(actual)}`]
  if (typeof shown === "string" && typeof actual === "string" && isBeginning(shown)) {
    return actual.startsWith(shown.replace(/[^ ]*\.\.\.$/, "")) ? [] : [`${at} is ${JSON.stringify(actual)}`]
  }
  if (typeof shown === "number" || (typeof shown === "string" && isVarying(shown))) return []
  return shown === actual ? [] : [`${at} is ${JSON.stringify(actual)}, not ${JSON.stringify(shown)}`]
}
