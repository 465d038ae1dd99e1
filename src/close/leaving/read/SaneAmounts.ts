import type { ContractAddress } from "../../../domain/Address.ts"
import { largestAmount } from "../../../domain/Amount.ts"
import type { ContractCall } from "../../../operations/ContractCall.ts"
import { largestUnits, type PlannedExit } from "../../situation/Exits.ts"
import type { TokenAssets } from "../../situation/TokenAssets.ts"

const isPossible = (assets: TokenAssets, token: ContractAddress, units: bigint): boolean =>
  units >= 0n && units <= (assets.has(token) ? largestAmount : largestUnits)

const amountsOf = ({ holds, payouts }: ContractCall): ReadonlyArray<readonly [ContractAddress, bigint]> => [
  ...payouts.map(({ expected, token }) => [token, expected] as const),
  ...holds.map(({ amount, token }) => [token, amount] as const)
]

const amountsIn = ({ exit, foreseen }: PlannedExit): ReadonlyArray<readonly [ContractAddress, bigint]> => {
  const calls = [...(exit._tag === "Calls" ? exit.calls : []), ...foreseen].flatMap(amountsOf)
  const short = exit._tag === "Refused" && exit.refusal._tag === "RepayAssetShort" ? exit.refusal : null
  return short === null ? calls : [...calls, [short.token, short.needed], [short.token, short.held]]
}

/** An exit whose figures no token can have rests on entries that a source made up, or a contract that is broken: nothing is reckoned with them. */
export const withSaneAmounts = (assets: TokenAssets) => (one: PlannedExit): PlannedExit =>
  amountsIn(one).every(([token, units]) => isPossible(assets, token, units)) ? one : {
    ...one,
    foreseen: [],
    exit: {
      _tag: "Refused",
      refusal: { _tag: "Undecodable", contract: one.position.contract, reason: "it holds an amount that its token cannot have" }
    }
  }
