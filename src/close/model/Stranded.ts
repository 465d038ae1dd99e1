import type { ContractAddress } from "../../domain/Address.ts"
import type { Situation } from "./Situation.ts"
import { callsOf, type PlannedExit } from "./Exits.ts"

/**
 * Tokens that leaving a position brings and that no step of the close can carry on: they would be stranded. A token that is itself one of
 * the protocol's contracts, as the shares of a pool are, is a position that is left next.
 */
export const strandedTokens = ({ exits, snapshot }: Pick<Situation, "exits" | "snapshot">, one: PlannedExit): ReadonlyArray<ContractAddress> => {
  if (snapshot.state.contractTokens !== undefined) return []
  const calls = callsOf(one)
  const carried = snapshot.protocols.flatMap(({ protocol }) => (protocol.name === one.position.protocol ? protocol.contracts ?? [] : []))
  const spent = new Set([...carried, ...calls.flatMap(({ holds }) => holds.map(({ token }) => token))])
  return [...new Set(calls.flatMap(({ payouts }) => payouts.map(({ token }) => token)).filter((token) => !exits.assets.has(token) && !spent.has(token)))]
}
