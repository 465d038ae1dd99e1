/**
 * A function of an object that never changes, memoized: its result lives as long as the object. Nothing that is undefined is kept.
 */
export const objectMemo = <Key extends object, A>(make: (key: Key) => A): (key: Key) => A => {
  const made = new WeakMap<Key, A>()
  return (key) => {
    const known = made.get(key)
    if (known !== undefined) return known
    const value = make(key)
    made.set(key, value)
    return value
  }
}
