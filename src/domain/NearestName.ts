/** Insertions, deletions and replacements that turn one text into the other (Levenshtein). Work grows with the product of their lengths. */
const distance = (from: string, to: string): number => {
  let previous = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (const [row, character] of [...from].entries()) {
    const current = [row + 1]
    for (const [column, other] of [...to].entries()) {
      const replaced = (previous[column] ?? 0) + (character === other ? 0 : 1)
      current.push(Math.min(replaced, (previous[column + 1] ?? 0) + 1, (current[column] ?? 0) + 1))
    }
    previous = current
  }
  return previous[to.length] ?? 0
}

/** More of a name than this is not compared: it is the caller's, and may be of any length. */
const mostCompared = 64

/** The known name that a misspelt one most likely stands for; null when nothing is known. Upper and lower case count as the same. */
export const nearestName = (given: string, known: ReadonlyArray<string>): string | null => {
  const text = given.slice(0, mostCompared).toLowerCase()
  const ranked = known.map((name) => ({ name, far: distance(text, name.toLowerCase()) })).toSorted((a, b) => a.far - b.far)
  return ranked[0]?.name ?? null
}

/** So many slips leave one piece untouched of one piece more: a quick look before the long one. */
const sharesPiece = (one: string, other: string, slips: number): boolean => {
  const length = Math.ceil(other.length / (slips + 1))
  for (let at = 0; at < other.length; at += length) if (one.includes(other.slice(at, at + length))) return true
  return false
}

/** Whether two names differ by no more than a slip of the hand. Upper and lower case, and underscores, count as the same. */
export const isSlip = (given: string, known: string): boolean => {
  const [one, other] = [given, known].map((name) => name.toLowerCase().replaceAll("_", ""))
  if (one === undefined || other === undefined || one.length > mostCompared) return false
  const most = Math.min(2, Math.floor(other.length / 5))
  // Every letter that one has more is a slip of its own.
  return Math.abs(one.length - other.length) <= most && sharesPiece(one, other, most) && distance(one, other) <= most
}
