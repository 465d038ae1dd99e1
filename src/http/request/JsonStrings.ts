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
export function* jsonStrings(text: string, least: number): Generator<string, void> {
  for (let from = text.indexOf("\""); from >= 0;) {
    const end = endOf(text, from + 1)
    if (end < 0) return
    if (end - from - 2 >= least) yield said(text.slice(from, end))
    from = text.indexOf("\"", end)
  }
}
