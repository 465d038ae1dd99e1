/** Differences that are named at most. */
const most = 10

/** Characters of a value that are shown. */
const shownAtMost = 80

const shown = (value: unknown): string => {
  const text = value === undefined ? "nothing" : JSON.stringify(value)
  return text.length <= shownAtMost ? text : `${text.slice(0, shownAtMost)}…`
}

const entriesOf = (value: object): ReadonlyMap<string, unknown> => new Map(Object.entries(value))

function* within(file: unknown, again: unknown, path: string): Generator<string, void> {
  if (JSON.stringify(file) === JSON.stringify(again)) return
  if (typeof file !== "object" || file === null || typeof again !== "object" || again === null) {
    yield `${path === "" ? "the answer" : path}: ${shown(file)} in the file, ${shown(again)} computed`
    return
  }
  const [left, right] = [entriesOf(file), entriesOf(again)]
  let found = false
  for (const name of new Set([...left.keys(), ...right.keys()])) {
    for (const part of within(left.get(name), right.get(name), path === "" ? name : `${path}.${name}`)) {
      found = true
      yield part
    }
  }
  if (!found) yield `${path === "" ? "the answer" : path}: the order of fields`
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Where two JSON texts differ, by the names of fields; the first ten places. They differ at least in their spelling. */
export const differencesOf = (file: string, again: string): ReadonlyArray<string> => {
  const parts: Array<string> = []
  for (const part of within(parsed(file), parsed(again), "")) {
    if (parts.length === most) return [...parts, "and more"]
    parts.push(part)
  }
  return parts.length === 0 ? ["the answer: its spelling as JSON"] : parts
}
