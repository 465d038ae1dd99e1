import type { Array as Arr } from "effect"
import type { EndpointAnswer } from "../../chain/witness/NewestEntries.ts"
import { SourcesDisagree } from "../../domain/failure/Upstream.ts"

/** What one endpoint says of one account. */
export type AccountAnswer = Pick<EndpointAnswer, "header" | "entries" | "ledger">

const newer = (a: AccountAnswer, b: AccountAnswer): AccountAnswer => (b.ledger > a.ledger ? b : a)

/** The ledger from which on an endpoint must show the same entry; of an account that is gone, that of the answer. */
const shownSince = ({ entries: [entry], ledger }: AccountAnswer): number => entry?.lastModifiedLedgerSeq ?? ledger

/** Whether another answer can be true together with this one: it shows the same entry, or one that was changed later. */
const fits = ({ entries: [entry], ledger }: AccountAnswer) => (other: AccountAnswer): boolean => {
  const [shown] = other.entries
  if (shown === undefined) return entry === undefined || other.ledger > ledger
  return shown.lastModifiedLedgerSeq > ledger || shown.toXdr("base64") === entry?.toXdr("base64")
}

/**
 * Decides which answer about one entry is believed where a false one pauses the mediator: the newest, once another endpoint had the time to
 * contradict it. One that answers alone is believed.
 */
export class Confirmation {
  /** The newest answer of the last look where it was not believed. */
  private unconfirmed: AccountAnswer | null = null

  /** Null: the others have not reached the ledger that changed the entry, and the look at a later ledger decides without them. */
  believed(answers: Arr.NonEmptyReadonlyArray<AccountAnswer>): AccountAnswer | SourcesDisagree | null {
    const told = answers.reduce(newer)
    const others = answers.filter((one) => one !== told)
    const reaching = (one: AccountAnswer) => others.filter(({ ledger }) => ledger >= shownSince(one))
    const isContradicted = (one: AccountAnswer): boolean => !reaching(one).every(fits(one))

    const earlier = this.unconfirmed
    const isUnseen = others.length > 0 && reaching(told).length === 0
    if (isUnseen && earlier !== null && told.ledger <= earlier.ledger) return null
    this.unconfirmed = told
    if (isContradicted(told) || (isUnseen && earlier !== null && isContradicted(earlier))) return new SourcesDisagree({ about: "account" })
    if (isUnseen && earlier === null) return null
    this.unconfirmed = null
    return told
  }
}
