/**
 * A pure function of a text that remembers what it made lately: the last `most` texts at least, and twice as many at most, whoever
 * chooses them. Where it makes nothing, nothing is remembered.
 */
export const remembered = <A, Text extends string = string>(most: number, make: (text: Text) => A): (text: Text) => A => {
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
