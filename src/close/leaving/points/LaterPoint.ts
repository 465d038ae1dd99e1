import { native } from "../../../domain/Asset.ts"
import { type DecisionPoint, mostGiftIds } from "../../../domain/Decision.ts"
import { DecisionId } from "../../situation/DecisionId.ts"
import type { Situation } from "../../situation/Situation.ts"
import { payoutValue } from "../payouts/PayoutValue.ts"

/** Something that a plan saw: its decision, and stroops of lumens that it is quoted at. */
interface QuotedSubject {
  readonly id: string
  readonly lumens: bigint
}

/** Positions, and the tokens that leaving them pays: shares among these are no gift either. */
const positionsSeen = (situation: Situation): ReadonlyArray<QuotedSubject> =>
  situation.exits.planned.flatMap((one) => {
    const lumens = payoutValue(situation, one) ?? 0n
    return [one.id, ...one.position.pays.map(DecisionId.token)].map((id) => ({ id, lumens }))
  })

/** Tokens that are held, that cannot be read, and that there was no room to ask. */
const tokensSeen = ({ snapshot: { tokens }, tokenWork }: Situation): ReadonlyArray<QuotedSubject> => {
  const quoted = new Map(tokenWork.tokens.map(({ id, route }) => [id, route?.amountOut ?? 0n]))
  return [...tokens.held.map(({ contract }) => contract), ...tokens.unreadable, ...tokens.unasked].map(DecisionId.token).map((id) => ({
    id,
    lumens: quoted.get(id) ?? 0n
  }))
}

/** Claimable balances as they are listed. Of those in other assets the larger ones count as dearer. */
const claimsSeen = ({ snapshot: { state } }: Situation): ReadonlyArray<QuotedSubject> =>
  state.claimableBalances.map(({ amount, asset, id }) => ({
    id: DecisionId.claim(id),
    lumens: asset === native ? amount : amount / 1_000n
  }))

/** The ids of what a plan saw, the dearest first where there are more than there is room for. */
const hadIn = (situation: Situation): ReadonlyArray<string> => {
  const all = new Map<string, bigint>()
  for (const { id, lumens } of [...positionsSeen(situation), ...tokensSeen(situation), ...claimsSeen(situation)]) {
    const known = all.get(id)
    if (known === undefined || known < lumens) all.set(id, lumens)
  }
  if (all.size <= mostGiftIds) return [...all.keys()].toSorted()
  return [...all].toSorted(([, a], [, b]) => (a < b ? 1 : -1)).slice(0, mostGiftIds).map(([id]) => id)
}

/**
 * The question every plan asks, with what it saw, and no close needs an answer to: without one whatever strangers add is asked about like
 * the rest. A given answer is repeated as it is, so that what came since never counts as seen.
 */
export const laterPoint = (situation: Situation): DecisionPoint => {
  const answer = situation.input.answers.later
  return {
    id: DecisionId.later,
    type: "later",
    subject: "What strangers add from now on: claimable balances, tokens, shares",
    options: [{
      id: "leave_what_came_later",
      note:
        "What came after this ledger, and is not in had, is left behind, so that no gift can hold the close up. Add maxLumensEach to be asked about anything worth more.",
      params: answer?.params ?? { ledger: situation.snapshot.header.ledgerSeq, had: hadIn(situation) }
    }],
    default: null,
    required: false,
    answered: answer !== undefined
  }
}
