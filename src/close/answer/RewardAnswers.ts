import type { ContractAnswers } from "../../chain/witness/Statement.ts"
import type { HeldPosition } from "../../protocols/ProtocolRegistry.ts"
import type { Exits } from "../situation/Exits.ts"
import { judgedClaims, noClaims } from "../situation/RewardJudge.ts"
import type { Situation } from "../situation/Situation.ts"

/** What of positions is left, or given up by a call, and what is not: never an amount. */
const factsOf = ({ rewardFacts }: Pick<Exits, "rewardFacts">, positions: ReadonlyArray<HeldPosition>): string =>
  positions.flatMap((position) => {
    const { contract, dust, key, rewards = [], rewardsUnread = false } = position
    const { left } = rewardFacts === null ? noClaims : judgedClaims(rewardFacts, position)
    return [
      `${contract} ${key}${dust === undefined ? "" : " dust"}${rewardsUnread ? " unread" : ""}`,
      ...rewards.flatMap(({ amount, claim, token }) => (amount > 0n && !left.has(claim) ? [`${contract} ${key} ${token}`] : []))
    ]
  }).toSorted().join("\n")

/**
 * What contracts answered about the account's rewards, by protocol. `differs`: whether other answers would change what is left behind or
 * given up.
 */
export const spokenIn = ({ exits, snapshot: { protocols } }: Pick<Situation, "exits" | "snapshot">): ReadonlyArray<ContractAnswers> =>
  protocols.flatMap((reading) => {
    if (reading._tag !== "Read" || reading.userAnswers === undefined) return []
    const { positions, userAnswers: { getters, positionsWith } } = reading
    const facts = factsOf(exits, positions)
    return [{
      getters,
      differs: (answers) => {
        const other = positionsWith(answers)
        return other === null || factsOf(exits, other) !== facts
      }
    }]
  })
