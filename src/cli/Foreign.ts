import { shownJson, shownText } from "../domain/ShownText.ts"

const cleaned = (value: unknown): unknown => {
  if (typeof value === "string") return shownText(value)
  if (Array.isArray(value)) return value.map(cleaned)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, cleaned(one)]))
}

/**
 * Plain data of others (names, codes, domains, memos, messages) as it may be shown: no text in it has characters that move the cursor,
 * colour the screen, or turn the direction of writing.
 */
export const displayed = <A>(value: A): A => cleaned(value) as A

/** JSON for machines. What a terminal would obey stands as `\uXXXX` in it. */
export const jsonText = (value: unknown, indent = 0): string =>
  shownJson(JSON.stringify(value, (_, one: unknown) => (typeof one === "bigint" ? one.toString() : one), indent))

/** Addresses are long; both ends tell them apart. */
export const short = (text: string): string => text.replace(/\b([GCM][A-Z2-7]{3,4})[A-Z2-7]{47,}([A-Z2-7]{4})\b/g, "$1…$2")
