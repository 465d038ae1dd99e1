import type { Held } from "../operations/Expected.ts"

/** What an account had outside of its own entries when its close began, and which positions of it must still be there. */
export class Inventory {
  readonly #began: ReadonlyMap<string, Held>
  /** Positions, without those that a call may have withdrawn since they were last shown. */
  readonly #there: Map<string, Held>

  constructor(held: ReadonlyArray<Held>) {
    this.#began = new Map(held.map((one) => [one.id, one]))
    this.#there = new Map([...this.#began].filter(([id]) => id.startsWith("position:")))
  }

  /** Whether the account had it when the close began. */
  has(id: string): boolean {
    return this.#began.has(id)
  }

  /** A call of these contracts is signed: what lies in them may be withdrawn. */
  called(contracts: ReadonlyArray<string>): void {
    for (const [id, held] of this.#there) {
      if ((held.contracts ?? []).some((one) => contracts.includes(one))) this.#there.delete(id)
    }
  }

  /** A position that a reading does not show any more, though it must still be there; undefined: none. */
  missing(held: ReadonlyArray<Held>, givenUp: ReadonlySet<string>): string | undefined {
    const shown = new Set(held.map(({ id }) => id))
    for (const one of held) if (one.id.startsWith("position:") && this.has(one.id)) this.#there.set(one.id, one)
    return [...this.#there.keys()].find((id) => !shown.has(id) && !givenUp.has(id))
  }
}
