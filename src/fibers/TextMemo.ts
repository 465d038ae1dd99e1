/**
 * A function of a text, memoized for the texts that it was given of late (LRU by generations): the last `most` at least, and twice as many at
 * most. Nothing that is undefined is kept.
 */
export const textMemo = <A, Text extends string = string>(most: number, make: (text: Text) => A): (text: Text) => A => {
  let young = new Map<Text, A>()
  let old = new Map<Text, A>()
  return (text) => {
    const known = young.get(text)
    if (known !== undefined) return known
    const made = old.get(text) ?? make(text)
    if (made === undefined) return made
    if (young.size >= most) {
      old = young
      young = new Map()
    }
    young.set(text, made)
    return made
  }
}
