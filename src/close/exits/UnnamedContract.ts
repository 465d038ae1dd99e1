import { showAmount } from "../../domain/Amount.ts"
import { callsOf, type PlannedExit } from "../model/Exits.ts"
import { handedOver } from "../model/HandedOver.ts"
import type { Situation } from "../model/Situation.ts"

/** Why leaving a position is not the default although nothing else speaks against it: whom it hands what to. Null where its contract is known. */
export const unnamedContract = ({ exits: { assets, unnamed } }: Situation, one: PlannedExit): string | null => {
  const { contract, rows } = one.position
  if (!unnamed.has(contract)) return null
  const code = rows.flatMap((row) => row.wasmHash ?? [])[0] ?? callsOf(one)[0]?.code ?? "unknown"
  const amounts = [...handedOver(one)].map(([token, amount]) => `${assets.has(token) ? showAmount(amount) : amount} ${assets.get(token) ?? token}`)
  return `No file lists the contract ${contract} (code ${code}), and no second source confirms it. Leaving hands over to it ${amounts.join(", ")}.`
}
