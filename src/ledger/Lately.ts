/**
 * What was made lately, by a text that tells it apart. When there is too much of it all is forgotten: whoever names strange things costs the
 * work of making them, not memory.
 */
export const lately = <A extends {}>(most: number): (text: string, make: () => A) => A => {
  const known = new Map<string, A>()
  return (text, make) => {
    const found = known.get(text)
    if (found !== undefined) return found
    const made = make()
    if (known.size >= most) known.clear()
    known.set(text, made)
    return made
  }
}

/** The same by two texts. They are looked for one after the other: to join them costs more than to find them. */
export const latelyOfTwo = <A extends {}>(most: number): (one: string, other: string, make: () => A) => A => {
  const known = new Map<string, Map<string, A>>()
  let count = 0
  return (one, other, make) => {
    const found = known.get(one)?.get(other)
    if (found !== undefined) return found
    const made = make()
    if (count >= most) {
      known.clear()
      count = 0
    }
    count += 1
    const ofOne = known.get(one)
    if (ofOne === undefined) known.set(one, new Map([[other, made]]))
    else ofOne.set(other, made)
    return made
  }
}
