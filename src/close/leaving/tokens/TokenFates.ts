import { Effect } from "effect"
import type { ContractAddress } from "../../../domain/Address.ts"
import type { HeldToken } from "../../../tokens/HeldToken.ts"
import type { OwnerEvents } from "../../../tokens/OwnerEvents.ts"
import { receivedSince } from "../../../tokens/TokenReceipts.ts"
import type { CloseInput } from "../../situation/CloseInput.ts"
import { DecisionId } from "../../situation/DecisionId.ts"
import { exceedsMost, isNewSince, type LaterAnswer, sawToken } from "../../situation/LaterGifts.ts"
import type { Situation } from "../../situation/Situation.ts"
import { mayBeGrouped, type PlannedToken, type TokenFate, type UnreadableToken } from "../../situation/TokenWork.ts"

/** Whether the plan did not see a token of unlisted code: its entries and events say nothing, so only what the plan saw counts. */
const isUnseen = (later: LaterAnswer, contract: ContractAddress): boolean => !later.isFull && !sawToken(later, contract)

const isNewEntry = (later: LaterAnswer, { contract, modified }: HeldToken): boolean =>
  modified !== null && isNewSince(later, { id: DecisionId.token(contract), modified })

/**
 * Tokens that came after the plan that the owner's `later` answers, and that no successful call of the account's own had to do with; none
 * where such calls may not have been read. Of listed code the whole balance must be what events brought since (`getEvents`); of other code
 * the token must be one that the plan did not see, and that no endpoint hides: a plan that rested on that endpoint did not see it either.
 */
export const lateTokens = (
  events: OwnerEvents["Type"],
  { input: { later, source }, snapshot: { called, callsUnread, tokens } }: Pick<Situation, "input" | "snapshot">
): Effect.Effect<ReadonlySet<ContractAddress>> =>
  Effect.gen(function*() {
    if (later === null || callsUnread === true) return new Set()
    const isHidden = (contract: ContractAddress): boolean => tokens.told?.contradicted.has(contract) ?? false
    const strange = [...tokens.held.filter(({ inEntry }) => !inEntry).map(({ contract }) => contract), ...tokens.unreadable].filter((
      contract
    ) => isUnseen(later, contract) && !called.has(contract) && !isHidden(contract))
    const changed = tokens.held.filter((token) => token.inEntry && isNewEntry(later, token) && !called.has(token.contract))
    const report = changed.length === 0 ? null : yield* events.of(source)
    const since = { from: later.ledger + 1, leftIn: 0 }
    const came = changed.filter(({ balance, contract }) => report !== null && balance <= receivedSince(report, contract, since))
    return new Set([...strange, ...came.map(({ contract }) => contract)])
  })

/** Tokens that strangers may have sent, with one decision point each. */
const mostSingle = 200

type UndecidedToken = Omit<PlannedToken, "fate" | "disposal" | "simulation">

/** Contracts of tokens that came later, of the token list, and those that the account's own calls had to do with. */
export interface TokenSets {
  readonly late: ReadonlySet<ContractAddress>
  readonly listed: ReadonlySet<ContractAddress>
  readonly called: ReadonlySet<ContractAddress>
}

/** Whether a token is left behind because it came later: no position pays it still, no answer names it, and no quote that counts exceeds the answer's. */
const isLater = (
  { later }: CloseInput,
  { late, listed }: TokenSets,
  { answer, route, token: { contract }, waits }: UndecidedToken
): boolean =>
  later !== null && late.has(contract) && !waits && answer === undefined &&
  !exceedsMost(later, () => (listed.has(contract) ? route?.amountOut ?? null : null))

/** The decision points of some tokens, and of each that cannot be read. */
export const fatesOf = (
  input: CloseInput,
  tokens: ReadonlyArray<UndecidedToken>,
  unreadable: ReadonlyArray<Omit<UnreadableToken, "fate">>,
  sets: TokenSets
): { readonly of: (one: UndecidedToken) => TokenFate; readonly ofUnreadable: (one: Omit<UnreadableToken, "fate">) => TokenFate } => {
  const later = new Set(tokens.filter((one) => isLater(input, sets, one)).map(({ id }) => id))
  const grouped = (one: UndecidedToken): boolean => !later.has(one.id) && !one.waits && mayBeGrouped(one)
  const isUnreadLater = ({ answer, contract }: Omit<UnreadableToken, "fate">): boolean => answer === undefined && sets.late.has(contract)
  const isStrange = ({ answer, contract }: Omit<UnreadableToken, "fate">): boolean =>
    answer === undefined && !sets.listed.has(contract) && !sets.called.has(contract)
  const count = tokens.filter(grouped).length + unreadable.filter((one) => isStrange(one) && !isUnreadLater(one)).length
  const together = count > mostSingle || input.answers.otherTokens !== undefined
  return {
    of: (one) => {
      if (later.has(one.id)) return "later"
      return together && grouped(one) ? "grouped" : "asked"
    },
    ofUnreadable: (one) => {
      if (isUnreadLater(one)) return "later"
      return together && isStrange(one) ? "grouped" : "asked"
    }
  }
}
