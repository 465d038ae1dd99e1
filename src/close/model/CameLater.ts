import { type PlanBlocker, warning } from "../../domain/Blocker.ts"
import type { DecisionPoint } from "../../domain/Decision.ts"
import type { CloseInput } from "./CloseInput.ts"
import { laterDecision } from "./DecisionId.ts"

/** Something that others can give without being asked: a claimable balance, a token, shares. */
export interface Gift {
  /** The decision that names it and nothing else. */
  readonly id: string
  /** The ledger that last modified its entry. */
  readonly modified: number
  /** Stroops of lumens it is quoted at now; null: it has no quote. Asked only where an answer makes it matter. */
  readonly lumens: () => bigint | null
}

/** The ledger after which gifts are left behind, by the owner's answer; null: there is no such answer. */
export const cutoffIn = ({ decisions }: Pick<CloseInput, "decisions">): number | null =>
  decisions.get(laterDecision)?.params?.ledger ?? null

/**
 * Whether a gift is left behind because it came after the ledger the owner answered for. One that an answer names is not, nor one that
 * is quoted at more lumens than the answer lets go.
 */
export const isLeftBehind = (input: Pick<CloseInput, "decisions">, { id, lumens, modified }: Gift): boolean => {
  const cutoff = cutoffIn(input)
  if (cutoff === null || modified <= cutoff || input.decisions.has(id)) return false
  const most = input.decisions.get(laterDecision)?.params?.maxLumensEach
  return most === undefined || (lumens() ?? 0n) <= most
}

/** The question every plan asks, with the ledger it read, and nobody must answer: without an answer whatever strangers add is asked about like the rest. */
export const laterPoint = (input: Pick<CloseInput, "decisions">, ledger: number): DecisionPoint => ({
  id: laterDecision,
  type: "later",
  subject: "What strangers add from now on: claimable balances, tokens, shares",
  options: [{
    id: "leave_what_came_later",
    note:
      "What came after this ledger is left behind, so that no gift can hold the close up. Add maxLumensEach to be asked about anything worth more.",
    params: { ledger }
  }],
  default: null,
  required: false,
  answered: input.decisions.has(laterDecision)
})

/** What is left behind by that answer; `what` begins the sentence, for instance "3 claimable balances". */
export const cameLaterWarning = (what: string, ledger: number, subject?: string): PlanBlocker =>
  warning("came_later", `${what} came after ledger ${ledger} and will be left behind.`, subject)
