import { isLeftBehind } from "../../model/CameLater.ts"
import type { CloseInput } from "../../model/CloseInput.ts"
import { otherTokensDecision } from "../../model/DecisionId.ts"
import { isToldByStrangers, mayBeGrouped, type PlannedToken, type TokenFate, type UnreadableToken } from "../../model/TokenWork.ts"

/** Tokens that strangers may have sent, asked about one by one. */
const mostSingle = 200

type Undecided = Omit<PlannedToken, "fate" | "disposal" | "simulation">

/** Whether a token that only strangers may have named came after the ledger that the owner answered for. */
const isLater = (input: CloseInput, { id, route, token }: Undecided): boolean =>
  token.modified !== null && isToldByStrangers(token) &&
  isLeftBehind(input, { id, modified: token.modified, lumens: () => route?.amountOut ?? null })

/** How each of some tokens is asked about, and each that cannot be read. */
export const fatesOf = (
  input: CloseInput,
  tokens: ReadonlyArray<Undecided>,
  unreadable: ReadonlyArray<Omit<UnreadableToken, "fate">>
): { readonly of: (one: Undecided) => TokenFate; readonly ofUnreadable: (one: Omit<UnreadableToken, "fate">) => TokenFate } => {
  const later = new Set(tokens.filter((one) => isLater(input, one)).map(({ id }) => id))
  const grouped = (one: Undecided): boolean => !later.has(one.id) && !one.waits && mayBeGrouped(one)
  const count = tokens.filter(grouped).length + unreadable.filter(({ answer }) => answer === undefined).length
  const together = count > mostSingle || input.decisions.has(otherTokensDecision)
  return {
    of: (one) => {
      if (later.has(one.id)) return "later"
      return together && grouped(one) ? "grouped" : "asked"
    },
    ofUnreadable: ({ answer }) => (together && answer === undefined ? "grouped" : "asked")
  }
}
