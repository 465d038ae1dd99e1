import type { Getter, GetterAnswer } from "../../chain/Getter.ts"
import type { AccountAddress } from "../../domain/Address.ts"
import { account } from "../../stellar/ScValCodec.ts"
import { xdrBase64 } from "../../xdr/XdrBytes.ts"
import type { HeldPosition } from "../HeldPosition.ts"

/** What contracts answered about a user. */
export interface UserAnswers {
  readonly getters: ReadonlyArray<Getter>
  /** The positions as other answers would show them, in the order of the getters; null: they could not be made out. */
  readonly positionsWith: (answers: ReadonlyArray<GetterAnswer>) => ReadonlyArray<HeldPosition> | null
}

/** Contracts that are queried for the user. */
const about = (user: AccountAddress, getters: ReadonlyArray<Getter>): ReadonlyArray<Getter> => {
  const name = xdrBase64(account.encode(user))
  return getters.filter(({ args }) => args.some((arg) => xdrBase64(arg) === name))
}

/** What contracts returned about a user, and what other answers would change. Empty where no contract was queried. */
export const userAnswersOf = (
  user: AccountAddress,
  all: ReadonlyArray<Getter>,
  valueWith: (answers: ReadonlyArray<readonly [Getter, GetterAnswer]>) => { readonly positions: ReadonlyArray<HeldPosition> } | null
): { readonly userAnswers?: UserAnswers } => {
  const getters = about(user, all)
  if (getters.length === 0) return {}
  return {
    userAnswers: {
      getters,
      positionsWith: (answers) => {
        const others = getters.flatMap((getter, at) => (answers[at] === undefined ? [] : [[getter, answers[at]] as const]))
        return valueWith(others)?.positions ?? null
      }
    }
  }
}
