import type { Held } from "../operations/Expected.ts"

/** What is known of an account's positions since its close began. */
export interface SinceBegun {
  /** What the account had then outside of its own entries, by id. */
  readonly had: ReadonlyMap<string, Held>
  /** Contracts that transactions which were signed since may write to. */
  readonly written: ReadonlySet<string>
}

/**
 * A position that the account had when the close began and has no more, though nothing that was signed since writes to its contracts;
 * undefined: none. A source that hides positions or is behind shows an account like that, and so does one who withdrew elsewhere.
 */
export const vanished = ({ had, written }: SinceBegun, held: ReadonlyArray<Held>): Held | undefined => {
  const ids = new Set(held.map(({ id }) => id))
  return [...had.values()].find(({ contracts, id }) =>
    id.startsWith("position:") && !ids.has(id) && !(contracts ?? []).some((one) => written.has(one))
  )
}
