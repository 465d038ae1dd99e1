import type { Getter, GetterAnswer } from "../../chain/Getter.ts"
import type { Spoken } from "../../chain/Testimony.ts"
import type { AccountAddress } from "../../domain/Address.ts"
import { account } from "../../stellar/ScValCodec.ts"
import { xdrBase64 } from "../../xdr/XdrBytes.ts"
import type { HeldPosition } from "../HeldPosition.ts"
import { getterText } from "../kit/Question.ts"

/** What of positions is left, or given up by a call, and what is not: never an amount. */
const factsOf = (positions: ReadonlyArray<HeldPosition>): string =>
  positions.flatMap(({ contract, dust, key, rewards = [], rewardsUnread = false }) => [
    `${contract} ${key}${dust === undefined ? "" : " dust"}${rewardsUnread ? " unread" : ""}`,
    ...rewards.flatMap((one) => (one.amount > 0n && !one.dust ? [`${contract} ${key} ${one.token}`] : []))
  ]).toSorted().join("\n")

/** Those that are asked about the user. */
const about = (user: AccountAddress, getters: ReadonlyArray<Getter>): ReadonlyArray<Getter> => {
  const name = xdrBase64(account.encode(user))
  return getters.filter(({ args }) => args.some((arg) => xdrBase64(arg) === name))
}

/** What contracts said of a user, and whether other answers would change what is left or given up. Nothing where none was asked. */
export const spokenOf = (
  user: AccountAddress,
  positions: ReadonlyArray<HeldPosition>,
  all: ReadonlyArray<Getter>,
  retold: (told: ReadonlyMap<string, GetterAnswer>) => { readonly positions: ReadonlyArray<HeldPosition> } | null
): { readonly spoken?: Spoken } => {
  const getters = about(user, all)
  if (getters.length === 0) return {}
  const facts = factsOf(positions)
  const spoken: Spoken = {
    getters,
    differs: (answers) => {
      const other = retold(
        new Map(getters.flatMap((getter, at) => (answers[at] === undefined ? [] : [[getterText(getter), answers[at]] as const])))
      )
      return other === null || factsOf(other.positions) !== facts
    }
  }
  return { spoken }
}
