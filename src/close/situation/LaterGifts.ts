import type { Acceptance } from "../../domain/Acceptance.ts"
import type { ContractAddress } from "../../domain/Address.ts"
import { lumen } from "../../domain/Amount.ts"
import { type PlanBlocker, warning } from "../../domain/Blocker.ts"
import { mostGiftIds } from "../../domain/Decision.ts"
import type { Answers } from "./Answers.ts"
import { DecisionId, subjectTag } from "./DecisionId.ts"

/** The owner's answer that leaves behind what came after a plan. */
export interface LaterAnswer {
  /** The ledger of that plan. */
  readonly ledger: number
  /** Decisions of what that plan saw: nothing of it came later. */
  readonly had: ReadonlySet<string>
  /** Whether that plan may have seen more than `had` has room for. */
  readonly isFull: boolean
  /** A gift quoted above this is not left behind, stroops; null: every gift is. */
  readonly maxLumensEach: bigint | null
}

/** That answer, among the answers of a request; null where it is not given. */
export const laterAnswerIn = (answers: Answers): LaterAnswer | null => {
  const { had, ledger, maxLumensEach } = answers.later?.params ?? {}
  return ledger === undefined || had === undefined
    ? null
    : { ledger, had: new Set(had), isFull: had.length >= mostGiftIds, maxLumensEach: maxLumensEach ?? null }
}

/** What came later than an accepted plan: left behind up to one lumen each, where it does not say otherwise. */
export const laterOf = ({ had, ledger, maxLumensEach }: Acceptance): LaterAnswer => ({
  ledger,
  had: new Set(had),
  isFull: had.length >= mostGiftIds,
  maxLumensEach: maxLumensEach ?? lumen
})

/** Whether a decision names something that came after the plan that is answered for. */
export const isOfLater = (later: LaterAnswer | null, id: string): boolean =>
  later !== null && !later.isFull && !later.had.has(id) && ["position", "token"].includes(subjectTag(id) ?? "")

/** The ledger after which gifts are left behind; null: the owner did not answer so. */
export const cutoffIn = ({ later }: { readonly later: LaterAnswer | null }): number | null => later?.ledger ?? null

/** Whether the plan saw a token. */
export const sawToken = ({ had }: LaterAnswer, contract: ContractAddress): boolean => had.has(DecisionId.token(contract))

/** Something that others can give unasked. */
export interface Gift {
  /** The decision that names it and nothing else. */
  readonly id: string
  /** The ledger that last modified its entry. */
  readonly modified: number
}

/** Whether a gift is not among what the plan saw, and its entry was modified since. An amount may still be older than its entry. */
export const isNewSince = (later: LaterAnswer, { id, modified }: Gift): boolean => modified > later.ledger && !later.had.has(id)

/** Whether a quote in stroops of lumens is more than the answer leaves behind; null: there is no quote that counts. */
export const exceedsMost = ({ maxLumensEach }: LaterAnswer, lumens: () => bigint | null): boolean =>
  maxLumensEach !== null && (lumens() ?? 0n) > maxLumensEach

/** What is left behind by that answer; `what` begins the sentence, for instance "3 claimable balances". */
export const cameLaterWarning = (what: string, ledger: number, subject?: string): PlanBlocker =>
  warning("came_later", `${what} came after ledger ${ledger} and will be left behind.`, subject)
