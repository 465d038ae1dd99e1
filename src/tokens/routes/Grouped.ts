/** Things by what they have in common, each group in their order. */
export const grouped = <A, K>(all: Iterable<A>, keyOf: (one: A) => K): ReadonlyMap<K, ReadonlyArray<A>> => {
  const groups = new Map<K, Array<A>>()
  for (const one of all) {
    const key = keyOf(one)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [one])
    else group.push(one)
  }
  return groups
}
