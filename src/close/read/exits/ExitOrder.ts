import type { HeldPosition } from "../../../protocols/ProtocolRegistry.ts"

/** Whether leaving one position pays what another owes. */
const feeds = (one: HeldPosition, other: HeldPosition): boolean => other.owes.some(({ token }) => one.pays.includes(token))

/** Positions in the order of leaving them: whatever pays a token that a debt needs goes before that debt; else as they come. */
export const inOrder = <A extends { readonly position: HeldPosition }>(exits: ReadonlyArray<A>): ReadonlyArray<A> => {
  const left = [...exits]
  const ordered: Array<A> = []
  while (left.length > 0) {
    // In a circle of debts nobody is free to go first: then the first goes.
    const at = Math.max(0, left.findIndex((one) => left.every((other) => other === one || !feeds(other.position, one.position))))
    ordered.push(...left.splice(at, 1))
  }
  return ordered
}
