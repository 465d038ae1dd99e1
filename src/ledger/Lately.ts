/**
 * What was made lately, by a text that tells it apart. When there is too much of it all is forgotten: whoever names strange things costs the work
 * of making them, not memory.
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
