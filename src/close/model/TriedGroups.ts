import type { AtomicGroup } from "./AtomicGroup.ts"
import type { Workbench } from "./Workbench.ts"

const tried = new WeakMap<AtomicGroup, Workbench>()

/** A group of which it is known already what comes of it: a quote applies most of it. */
export const triedGroup = (group: AtomicGroup, after: Workbench | null): AtomicGroup => {
  if (after !== null) tried.set(group, after)
  return group
}

/** The workbench after a group that was tried on it; null: it was not. */
export const afterGroup = (bench: Workbench, group: AtomicGroup): Workbench | null => {
  const after = tried.get(group)
  return after?.isOn(bench) === true ? after : null
}
