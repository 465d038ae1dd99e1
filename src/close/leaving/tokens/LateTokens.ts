import { Effect } from "effect"
import type { ContractAddress } from "../../../domain/Address.ts"
import type { HeldToken } from "../../../tokens/HeldToken.ts"
import type { OwnerEvents } from "../../../tokens/OwnerEvents.ts"
import { receivedSince } from "../../../tokens/TokenReceipts.ts"
import { DecisionId } from "../../situation/DecisionId.ts"
import { isNewSince, type LaterAnswer, sawToken } from "../../situation/LaterGifts.ts"
import type { Situation } from "../../situation/Situation.ts"

/** Whether the plan did not see a token of unlisted code: its entries and events say nothing, so only what the plan saw counts. */
const isUnseen = (later: LaterAnswer, contract: ContractAddress): boolean => !later.isFull && !sawToken(later, contract)

const isNewEntry = (later: LaterAnswer, { contract, modified }: HeldToken): boolean =>
  modified !== null && isNewSince(later, { id: DecisionId.token(contract), modified })

/**
 * Tokens that came after the plan that the owner's `later` answers, and that no successful call of the account's own had to do with. Of listed
 * code the whole balance must be what events brought since (`getEvents`); of other code the token must be one that the plan did not see.
 */
export const lateTokens = (
  events: OwnerEvents["Type"],
  { input: { later, source }, snapshot: { called, tokens } }: Pick<Situation, "input" | "snapshot">
): Effect.Effect<ReadonlySet<ContractAddress>> =>
  Effect.gen(function*() {
    if (later === null) return new Set()
    const strange = [...tokens.held.filter(({ inEntry }) => !inEntry).map(({ contract }) => contract), ...tokens.unreadable].filter((
      contract
    ) => isUnseen(later, contract) && !called.has(contract))
    const changed = tokens.held.filter((token) => token.inEntry && isNewEntry(later, token) && !called.has(token.contract))
    const told = changed.length === 0 ? null : yield* events.of(source)
    const since = { from: later.ledger + 1, leftIn: 0 }
    const came = changed.filter(({ balance, contract }) => told !== null && balance <= receivedSince(told, contract, since))
    return new Set([...strange, ...came.map(({ contract }) => contract)])
  })
