import { Array as Arr } from "effect"
import type { Held } from "../operations/Expected.ts"
import type { AccountView } from "./AccountView.ts"
import { knowsPosition, type PlanWords } from "./PlannedPositions.ts"

/** How often positions that appear have the close planned anew: a stranger can give shares in every ledger. */
const mostSurprises = 2

const isPosition = ({ id }: Held): boolean => id.startsWith("position:")

/** A position's protocol and contract, and its key there, from `position:PROTOCOL:CONTRACT:KEY`. */
const placeOf = (id: string) => {
  const end = id.lastIndexOf(":")
  return { place: id.slice(0, end), key: id.slice(end + 1) }
}

/** The positions that a call may withdraw: of several in one contract those that it names, or all of them where it names none. */
const reachedBy = (names: ReadonlySet<string>, positions: ReadonlyArray<Held>): ReadonlyArray<Held> => {
  const reached = positions.filter(({ contracts = [] }) => contracts.some((one) => names.has(one)))
  return Object.values(Arr.groupBy(reached, ({ id }) => placeOf(id).place)).flatMap((together) => {
    const named = together.filter(({ id }) => names.has(placeOf(id).key))
    return named.length === 0 ? together : named
  })
}

type Reading = Pick<AccountView, "held" | "sequence">

/** What an account had outside of its own entries when its close began, and which positions are there since. */
export class Inventory {
  readonly #began: ReadonlySet<string>
  /** Positions that were shown, without those that a call may have withdrawn since. */
  readonly #there = new Map<string, Held>()
  /** The transaction that was signed last, and what its call may have withdrawn. */
  #signed: { readonly sequence: bigint; readonly reached: ReadonlyArray<Held> } = { sequence: 0n, reached: [] }
  /** Ids of positions that are planned for, and of those that a plan had to see and does not name. */
  readonly #planned: Set<string>
  readonly #overlooked = new Set<string>()
  #surprises = 0
  /** What the last reading shows. */
  #held: ReadonlyArray<Held> = []
  /** The highest sequence number that was seen, or used by this close. */
  #sequence: bigint

  constructor(began: Reading) {
    this.#began = new Set(began.held.map(({ id }) => id))
    this.#planned = new Set(this.#began)
    this.#sequence = began.sequence
    this.see(began)
  }

  /** Whether the account had it when the close began. */
  has(id: string): boolean {
    return this.#began.has(id)
  }

  /** A reading shows this. */
  see({ held, sequence }: Reading): void {
    // Transactions that this close did not sign may have withdrawn anything.
    if (sequence > this.#sequence) {
      this.#there.clear()
      this.#sequence = sequence
    }
    this.#held = held
    for (const one of held) if (isPosition(one)) this.#there.set(one.id, one)
  }

  /** A plan was made after the last reading. */
  plannedBy(plan: PlanWords): void {
    const isKnown = knowsPosition(plan)
    const open = this.#unplanned()
    if (open.length > 0) this.#surprises++
    for (const { id } of open) (isKnown(id) ? this.#planned : this.#overlooked).add(id)
  }

  /** A transaction of the account is signed; `names`: the contracts that it may write to, and what its call names. */
  signed(sequence: bigint, names: ReadonlySet<string>): void {
    const reached = reachedBy(names, [...this.#there.values()])
    this.#signed = { sequence, reached }
    for (const { id } of reached) this.#there.delete(id)
  }

  /** The transaction that was signed last is in a ledger. */
  landed(): void {
    if (this.#signed.sequence > this.#sequence) this.#sequence = this.#signed.sequence
  }

  /** It is there and has failed: it withdrew nothing. */
  failed(): void {
    this.landed()
    for (const one of this.#signed.reached) this.#there.set(one.id, one)
  }

  /** A position that the last reading does not show, though it must still be there; undefined: none. */
  missing(givenUp: ReadonlySet<string>): string | undefined {
    const shown = new Set(this.#held.map(({ id }) => id))
    return [...this.#there.keys()].find((id) => !shown.has(id) && !givenUp.has(id))
  }

  /**
   * A position of the last reading that the close is not planned for; undefined: none, or new ones came too often. A source that hid it when
   * the close began shows it like that, and so does a gift.
   */
  appeared(): string | undefined {
    const open = this.#unplanned()
    const overlooked = open.find(({ id }) => this.#overlooked.has(id))
    return (this.#surprises < mostSurprises ? overlooked ?? open[0] : overlooked)?.id
  }

  #unplanned(): ReadonlyArray<Held> {
    return this.#held.filter((one) => isPosition(one) && !this.#planned.has(one.id))
  }
}
