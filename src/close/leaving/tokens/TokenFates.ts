import type { ContractAddress } from "../../../domain/Address.ts"
import type { CloseInput } from "../../situation/CloseInput.ts"
import { exceedsMost } from "../../situation/LaterGifts.ts"
import { mayBeGrouped, type PlannedToken, type TokenFate, type UnreadableToken } from "../../situation/TokenWork.ts"

/** Tokens that strangers may have sent, asked about one by one. */
const mostSingle = 200

type Undecided = Omit<PlannedToken, "fate" | "disposal" | "simulation">

/** Contracts of tokens that came later, and of the token list. */
export interface TokenSets {
  readonly late: ReadonlySet<ContractAddress>
  readonly listed: ReadonlySet<ContractAddress>
}

/** Whether a token is left behind because it came later: no position pays it still, no answer names it, and no quote that counts exceeds the answer's. */
const isLater = ({ later }: CloseInput, { late, listed }: TokenSets, { answer, route, token: { contract }, waits }: Undecided): boolean =>
  later !== null && late.has(contract) && !waits && answer === undefined &&
  !exceedsMost(later, () => (listed.has(contract) ? route?.amountOut ?? null : null))

/** How each of some tokens is asked about, and each that cannot be read. */
export const fatesOf = (
  input: CloseInput,
  tokens: ReadonlyArray<Undecided>,
  unreadable: ReadonlyArray<Omit<UnreadableToken, "fate">>,
  sets: TokenSets
): { readonly of: (one: Undecided) => TokenFate; readonly ofUnreadable: (one: Omit<UnreadableToken, "fate">) => TokenFate } => {
  const later = new Set(tokens.filter((one) => isLater(input, sets, one)).map(({ id }) => id))
  const grouped = (one: Undecided): boolean => !later.has(one.id) && !one.waits && mayBeGrouped(one)
  const isUnreadLater = ({ answer, contract }: Omit<UnreadableToken, "fate">): boolean => answer === undefined && sets.late.has(contract)
  const count = tokens.filter(grouped).length + unreadable.filter((one) => one.answer === undefined && !isUnreadLater(one)).length
  const together = count > mostSingle || input.answers.otherTokens !== undefined
  return {
    of: (one) => {
      if (later.has(one.id)) return "later"
      return together && grouped(one) ? "grouped" : "asked"
    },
    ofUnreadable: (one) => {
      if (isUnreadLater(one)) return "later"
      return together && one.answer === undefined ? "grouped" : "asked"
    }
  }
}
