/** Values by their key, in the order in which keys first come. Browsers and Node 20 do not all have `Map.groupBy`. */
export const alike = <Key, Value>(values: Iterable<Value>, keyOf: (value: Value) => Key): ReadonlyMap<Key, ReadonlyArray<Value>> => {
  const found = new Map<Key, Array<Value>>()
  for (const value of values) {
    const key = keyOf(value)
    const known = found.get(key)
    if (known === undefined) found.set(key, [value])
    else known.push(value)
  }
  return found
}
