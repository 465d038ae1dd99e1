import type { ContractAddress } from "../../domain/Address.ts"
import type { Situation } from "../model/Situation.ts"

/** Sales through contracts that use pools which another one of the close uses too, in words: each was quoted as if it were the only one. */
export const soldThroughSamePools = ({ tokenWork: { sales, tokens } }: Pick<Situation, "tokenWork">): ReadonlyArray<string> => {
  const used = new Set<ContractAddress>()
  return [...tokens, ...sales].flatMap(({ disposal: { call, price }, id, route }) => {
    if (call === null || route === null || price.receive === 0n) return []
    const shared = route.pools.find((pool) => used.has(pool))
    for (const pool of route.pools) used.add(pool)
    return shared === undefined
      ? []
      : [
        `${id} is sold through pool ${shared} as another sale of this close is, and each was quoted by itself: the later one will pay less.`
      ]
  })
}
