import type { Held } from "../operations/Expected.ts"

/** How often positions that appear have the close planned anew: a stranger can give shares in every ledger. */
const mostSurprises = 2

const isPosition = ({ id }: Held): boolean => id.startsWith("position:")

/** What an account had outside of its own entries when its close began, and which positions of it must still be there. */
export class Inventory {
  readonly #began: ReadonlyMap<string, Held>
  /** Positions, without those that a call may have withdrawn since they were last shown. */
  readonly #there: Map<string, Held>
  /** Ids of what was shown so far. */
  readonly #shown: Set<string>
  #surprises = 0

  constructor(held: ReadonlyArray<Held>) {
    this.#began = new Map(held.map((one) => [one.id, one]))
    this.#there = new Map([...this.#began].filter(([, one]) => isPosition(one)))
    this.#shown = new Set(this.#began.keys())
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
    for (const one of held) if (isPosition(one) && this.has(one.id)) this.#there.set(one.id, one)
    return [...this.#there.keys()].find((id) => !shown.has(id) && !givenUp.has(id))
  }

  /**
   * A position that no reading showed before, so that the last plan may not have seen it; undefined: none, or it has happened too often. A
   * source that hid it when the close began shows it like that, and so does a gift.
   */
  appeared(held: ReadonlyArray<Held>): string | undefined {
    const one = held.find((each) => isPosition(each) && !this.#shown.has(each.id))
    for (const { id } of held) this.#shown.add(id)
    return one !== undefined && this.#surprises++ < mostSurprises ? one.id : undefined
  }
}
