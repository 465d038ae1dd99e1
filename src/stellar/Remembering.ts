/**
 * The same pure function, which remembers what it last made of so many arguments: the oldest is forgotten first. What it makes is shared,
 * so it must be something that never changes.
 */
export const remembering = <Argument extends string, Value>(
  most: number,
  make: (argument: Argument) => Value
): (argument: Argument) => Value => {
  const known = new Map<Argument, Value>()
  return (argument) => {
    const found = known.get(argument)
    if (found !== undefined) return found
    const made = make(argument)
    const [oldest] = known.keys()
    if (known.size >= most && oldest !== undefined) known.delete(oldest)
    known.set(argument, made)
    return made
  }
}
