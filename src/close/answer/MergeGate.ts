import { Effect } from "effect"
import { tolerableLag } from "../../chain/CloseInterval.ts"
import { type AccountStatement, contradict, statementOf } from "../../chain/witness/AccountStatement.ts"
import { ContractRpcLagging, SourcesDisagree } from "../../domain/failure/Upstream.ts"
import { sponsorshipsOf } from "../../stellar/Entries.ts"
import { unseenGifts } from "../claims/UnseenClaims.ts"
import type { PlannedTransaction } from "../project/PlannedTransaction.ts"
import { type Disagreement, readingDisagreement } from "../read/AccountAgreement.ts"
import type { AgreementFailure, BelievedEntries, SourceAgreement } from "../read/SourceAgreement.ts"
import { isResidue } from "../situation/ResidueLimit.ts"
import type { Situation } from "../situation/Situation.ts"

/** Whether what was read of the account is what is believed of it, but for so little more that it may stay with the mediator. */
const isCurrent = ({ snapshot: { accountEntry: read } }: Situation, { closer }: BelievedEntries): boolean =>
  closer !== null && closer.seqNum === read.seqNum && closer.numSubEntries === read.numSubEntries &&
  sponsorshipsOf(closer).numSponsoring === sponsorshipsOf(read).numSponsoring && isResidue(closer.balance - read.balance)

/** What the reading says of the account. */
const readIn = ({ snapshot: { entries, header, ledgers } }: Situation): AccountStatement =>
  statementOf("reading", Math.min(header.ledgerSeq, ledgers.confirmed.oldest), entries[0] ?? null)

/** Why the two sources do not agree on an account that a transaction merges; null where they do, or where it merges nothing. */
export const mergeDoubt = (situation: Situation, { merges }: PlannedTransaction): Disagreement | null =>
  merges
    ? readingDisagreement(situation.snapshot, { tolerable: tolerableLag(situation.closeInterval), unseen: unseenGifts(situation) })
    : null

/** Whether the lumens of a merge go through the mediator. */
export const isMediated = ({ merges, reason }: PlannedTransaction): boolean => merges && reason === "mediator"

/**
 * Fails while the two sources do not agree on an account that is about to be merged. Where its lumens go through the mediator, the
 * transaction must rest on what is believed of the account (`SourceAgreement`).
 */
export const mergeGate = (
  agreement: SourceAgreement["Type"],
  situation: Situation,
  planned: PlannedTransaction
): Effect.Effect<void, AgreementFailure> =>
  Effect.gen(function*() {
    const failure = mergeDoubt(situation, planned)
    if (failure !== null) return yield* failure
    if (!isMediated(planned)) return
    const believed = yield* agreement.believed(situation.input.source, [])
    if (isCurrent(situation, believed)) return
    if (contradict(readIn(situation), believed.statement)) return yield* new SourcesDisagree({ about: "account" })
    return yield* new ContractRpcLagging({
      behind: Math.max(believed.header.sequence - situation.snapshot.header.ledgerSeq, 0),
      ageSeconds: null
    })
  })
