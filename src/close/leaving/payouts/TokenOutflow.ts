import type { ContractAddress } from "../../../domain/Address.ts"
import { type AssetId, native } from "../../../domain/Asset.ts"
import type { Exits } from "../../situation/Exits.ts"
import { callsOf, type PlannedExit } from "../../situation/PlannedExit.ts"

/** What leaving a position hands over beside its own shares; base units, by token. */
export const tokenOutflow = (one: PlannedExit): ReadonlyMap<ContractAddress, bigint> => {
  const [calls, { contract, owes, shareToken }] = [callsOf(one), one.position]
  const taken = calls.length > 0 ? calls.flatMap(({ holds }) => holds) : owes
  const sums = new Map<ContractAddress, bigint>()
  for (const { amount, token } of taken) if (token !== contract && token !== shareToken) sums.set(token, (sums.get(token) ?? 0n) + amount)
  return sums
}

/** What the next call of an exit hands over where it is a trade, in stroops; null where it is none, or of no asset of the ledger. */
export const handedInTrade = (
  { assets }: Pick<Exits, "assets">,
  { exit }: PlannedExit
): { readonly asset: AssetId; readonly amount: bigint } | null => {
  const [held] = exit._tag === "Calls" && exit.isTrade === true ? exit.calls[0].holds : []
  const asset = held === undefined ? undefined : assets.get(held.token)
  return held === undefined || asset === undefined || asset === native ? null : { asset, amount: held.amount }
}
