import type { Array as Arr } from "effect"
import { type AccountStatement, contradict, statementOf } from "../../chain/witness/AccountStatement.ts"
import { type EndpointAnswer, laterAnswer } from "../../chain/witness/NewestEntries.ts"
import { SourcesDisagree } from "../../domain/failure/Upstream.ts"

const said = ({ entries: [entry], origin, readAt }: EndpointAnswer): AccountStatement => statementOf(origin, readAt, entry ?? null)

/**
 * Decides which answer about one entry is believed where a false one pauses the mediator: the newest, once another origin had the time to
 * contradict it. One that answers alone is believed.
 */
export class Confirmation {
  /** The newest answer of the last look where it was not believed. */
  private unconfirmed: EndpointAnswer | null = null

  /** Null: the others have not reached the ledger that changed the entry, and the look at a later ledger decides without them. */
  believed(answers: Arr.NonEmptyReadonlyArray<EndpointAnswer>): EndpointAnswer | SourcesDisagree | null {
    const told = answers.reduce(laterAnswer)
    const others = answers.filter(({ origin }) => origin !== told.origin).map(said)
    const isContradicted = (one: EndpointAnswer): boolean => others.some((other) => contradict(said(one), other))

    const earlier = this.unconfirmed
    const isUnseen = others.length > 0 && others.every(({ to }) => to < said(told).from)
    if (isUnseen && earlier !== null && told.ledger <= earlier.ledger) return null
    this.unconfirmed = told
    if (isContradicted(told) || (isUnseen && earlier !== null && isContradicted(earlier))) return new SourcesDisagree({ about: "account" })
    if (isUnseen && earlier === null) return null
    this.unconfirmed = null
    return told
  }
}
