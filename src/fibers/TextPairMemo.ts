/**
 * A function of two texts, memoized for `most` pairs; then all are forgotten. The texts are looked up one after the other, since joining them
 * costs several times as much.
 *
 * @param make the function; what it is given besides the texts has no part in its result
 */
export const textPairMemo = <A, More extends ReadonlyArray<unknown> = []>(
  most: number,
  make: (one: string, other: string, ...more: More) => A
): (one: string, other: string, ...more: More) => A => {
  const known = new Map<string, Map<string, A>>()
  let count = 0
  return (one, other, ...more) => {
    const found = known.get(one)?.get(other)
    if (found !== undefined) return found
    const made = make(one, other, ...more)
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
