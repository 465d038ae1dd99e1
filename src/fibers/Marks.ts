import { type FiberId, type FiberRef, FiberRefs } from "effect"

/** A fiber ref, and what it is to hold in a fiber. */
export interface Mark {
  readonly ref: FiberRef.FiberRef<unknown>
  readonly value: unknown
}

export const markOf = <A>(ref: FiberRef.FiberRef<A>, value: A): Mark => ({ ref: ref as unknown as FiberRef.FiberRef<unknown>, value })

/** What a fiber holds, with more marks. All of them are set at once: each time costs a copy of everything that it holds. */
export const marked = (
  refs: FiberRefs.FiberRefs,
  fiber: FiberId.Single,
  [first, ...more]: readonly [Mark, ...ReadonlyArray<Mark>]
): FiberRefs.FiberRefs => {
  const entry = ({ ref, value }: Mark) => [ref, [[fiber, value]]] as const
  return FiberRefs.updateManyAs(refs, { entries: [entry(first), ...more.map(entry)] })
}
