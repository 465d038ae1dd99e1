import type { DecisionPoint } from "../../domain/Decision.ts"
import { PlanChanged } from "../../domain/failure/Planning.ts"
import { DecisionId } from "../situation/DecisionId.ts"
import { partlyListed } from "../situation/OpenClaims.ts"
import type { ClaimSituation } from "./ClaimSituation.ts"

/** What the question about balances that were not listed says: there are more, or nothing lists them. */
const unreadTexts = ({ claimableListed: { count }, unlisted }: ClaimSituation["snapshot"]) =>
  unlisted === true
    ? {
      subject:
        `Claimable balances beyond the ${count} that are known by name: this network is read without a ledger API, which would list them`,
      note: "You give them up permanently, without seeing them. Look them up in an explorer first, and name them in `entries`."
    }
    : {
      subject: `Claimable balances beyond the ${count} that were listed`,
      note: "You give them up permanently, without seeing them. What answers claim, lumens and assets with a trustline were listed first."
    }

/** Answers that a note names at most. */
const mostNamed = 5

/** Answers that must not be given up with the rest, as a sentence with a space before it; empty when there are none. */
const lostNote = (ids: ReadonlyArray<string>): string => {
  const more = ids.length - mostNamed
  return ids.length === 0
    ? ""
    : ` Not all balances were listed that these answers claim: ${ids.slice(0, mostNamed).join(", ")}${
      more > 0 ? ` and ${more} more` : ""
    }. Plan again later. Without these answers they are given up.`
}

const isAccepted = ({ input, snapshot: { claimableListed: { count } } }: ClaimSituation): boolean => {
  const atLeast = input.answers.unreadClaims?.params?.atLeast
  return atLeast !== undefined && atLeast <= count
}

/** Answers whose balances the next transaction would give up unseen: it merges the account, and not all of them may be listed. */
const lostAnswers = ({ snapshot }: ClaimSituation, mergesNext: boolean): ReadonlyArray<string> => mergesNext ? partlyListed(snapshot) : []

/** Why the balances that were not listed cannot be given up, as the owner agreed: other answers claim some of them. Null: they can. */
export const unreadFailure = (situation: ClaimSituation, mergesNext: boolean): PlanChanged | null => {
  const lost = lostAnswers(situation, mergesNext)
  if (lost.length === 0 || !isAccepted(situation)) return null
  return new PlanChanged({ planHash: null, changes: lost.map((subject) => ({ kind: "facts", subject })) })
}

/** The decision point about claimable balances that exist but were not listed; null where the list is complete. */
export const unreadPoint = (situation: ClaimSituation, mergesNext: boolean): DecisionPoint | null => {
  const { complete, count } = situation.snapshot.claimableListed
  const lost = lostAnswers(situation, mergesNext)
  const { note, subject } = unreadTexts(situation.snapshot)
  return complete ? null : {
    id: DecisionId.unreadClaims,
    type: "claims_unread",
    subject,
    about: { kind: "claims_unread", listed: count },
    options: [{
      id: "i_accept_unread_claims",
      note: `${note}${lostNote(lost)}`,
      loses: [],
      // How many are listed before the time is up differs from call to call.
      params: { atLeast: Math.floor(count / 2) }
    }],
    default: null,
    required: true,
    answered: lost.length === 0 && isAccepted(situation)
  }
}
