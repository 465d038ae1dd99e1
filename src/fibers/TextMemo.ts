/**
 * A function of a text, memoized for the texts that it was given of late (LRU by generations): the last `most` at least, and twice as many at
 * most. Nothing that is undefined is kept.
 *
 * @param make the function; what it is given besides the text has no part in its result
 */
export const textMemo = <A, Text extends string = string, More extends ReadonlyArray<unknown> = []>(
  most: number,
  make: (text: Text, ...more: More) => A
): (text: Text, ...more: More) => A => {
  let young = new Map<Text, A>()
  let old = new Map<Text, A>()
  return (text, ...more) => {
    const known = young.get(text)
    if (known !== undefined) return known
    const made = old.get(text) ?? make(text, ...more)
    if (made === undefined) return made
    if (young.size >= most) {
      old = young
      young = new Map()
    }
    young.set(text, made)
    return made
  }
}
