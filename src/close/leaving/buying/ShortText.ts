import type { ContractAddress } from "../../../domain/Address.ts"
import { showAmount } from "../../../domain/Amount.ts"
import type { Exits } from "../../situation/Exits.ts"
import { sellingLiabilitiesIn, trustlineIn } from "../../situation/Holdings.ts"
import type { PlannedExit } from "../../situation/PlannedExit.ts"
import type { TokenShortage } from "../../situation/RepayShortage.ts"
import type { Situation } from "../../situation/Situation.ts"

/** Decimal where the token stands for an asset of the ledger, else in base units. */
export const showUnits = (
  assets: Exits["assets"],
  token: ContractAddress,
  units: bigint
): string => (assets.has(token) ? showAmount(units) : units.toString())

/** Whether more of a token is held than is there for a debt: other debts take it. */
const isPromised = ({ exits, input, ledgerState }: Situation, token: ContractAddress, held: bigint): boolean => {
  const asset = exits.assets.get(token)
  const line = asset === undefined || asset === "native" ? null : trustlineIn(ledgerState, input.source, asset)
  return asset !== undefined && line !== null && line.balance - sellingLiabilitiesIn(ledgerState, input.source, asset) > held
}

/** What a debt lacks, with every figure that helps to bring it. */
export const shortText = (situation: Situation, one: PlannedExit, { held, needed, token }: TokenShortage): string => {
  const { assets } = situation.exits
  const pledged = one.position.pledged?.find((each) => each.token === token)
  return [
    `The debt needs ${showUnits(assets, token, needed)} of ${assets.get(token) ?? token}, and ${
      showUnits(assets, token, held)
    } can be spent.`,
    ...(isPromised(situation, token, held) ? ["The rest of the account's balance pays other debts."] : []),
    ...(pledged === undefined
      ? []
      : [`The ${showUnits(assets, token, pledged.amount)} of it that are collateral for the debt can be withdrawn only afterwards.`])
  ].join(" ")
}
