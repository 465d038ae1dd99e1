import { contractFunction, type ContractModel } from "../../../ledger/soroban/Contract.ts"
import { u128, variant } from "../../../ledger/soroban/Values.ts"
import { amountAt } from "./Instance.ts"

export const boostFeedHash = "549842559c3cd85231e5ef6fbb704351178bfda39443a07106812b869145b626"

/** How much of the token that boosts rewards is locked altogether. */
const boostSupplyKey = variant("TotalSupply")

/** The contract that tells how much of the token that boosts rewards is locked. */
export const boostFeed: ContractModel = {
  functions: { total_supply: contractFunction([], (host) => u128(amountAt(host, boostSupplyKey))) }
}
