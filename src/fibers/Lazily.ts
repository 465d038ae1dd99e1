/** A value that is made when it is first asked for, and then kept. */
export const lazily = <A>(make: () => A): () => A => {
  let made: { readonly value: A } | null = null
  return () => (made ??= { value: make() }).value
}
