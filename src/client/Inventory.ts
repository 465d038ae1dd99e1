import type { Held } from "../operations/Expected.ts"

/** How often positions that appear have the close planned anew: a stranger can give shares in every ledger. */
const mostSurprises = 2

const isPosition = ({ id }: Held): boolean => id.startsWith("position:")

/** What an account had outside of its own entries when its close began, and which positions are there since. */
export class Inventory {
  readonly #began: ReadonlySet<string>
  /** Positions that were shown, without those that a call may have withdrawn since. */
  readonly #there: Map<string, Held>
  /** Ids of positions that are planned for. */
  readonly #planned: Set<string>
  /** What the last reading shows. */
  #held: ReadonlyArray<Held>
  #surprises = 0

  constructor(held: ReadonlyArray<Held>) {
    const positions = held.filter(isPosition)
    this.#began = new Set(held.map(({ id }) => id))
    this.#there = new Map(positions.map((one) => [one.id, one]))
    this.#planned = new Set(this.#there.keys())
    this.#held = held
  }

  /** Whether the account had it when the close began. */
  has(id: string): boolean {
    return this.#began.has(id)
  }

  /** A reading shows this. */
  see(held: ReadonlyArray<Held>): void {
    this.#held = held
    for (const one of held) if (isPosition(one)) this.#there.set(one.id, one)
  }

  /** A call of these contracts is signed: what lies in them may be withdrawn. */
  called(contracts: ReadonlyArray<string>): void {
    for (const [id, held] of this.#there) {
      if ((held.contracts ?? []).some((one) => contracts.includes(one))) this.#there.delete(id)
    }
  }

  /** A position that the last reading does not show, though it must still be there; undefined: none. */
  missing(givenUp: ReadonlySet<string>): string | undefined {
    const shown = new Set(this.#held.map(({ id }) => id))
    return [...this.#there.keys()].find((id) => !shown.has(id) && !givenUp.has(id))
  }

  /**
   * A position of the last reading that the close is not planned for; undefined: none, or it has happened too often. A source that hid it when
   * the close began shows it like that, and so does a gift.
   */
  appeared(): string | undefined {
    const one = this.#held.find((each) => isPosition(each) && !this.#planned.has(each.id))
    for (const { id } of this.#held) this.#planned.add(id)
    return one !== undefined && this.#surprises++ < mostSurprises ? one.id : undefined
  }
}
