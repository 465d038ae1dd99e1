import { symbol } from "../../ledger/soroban/Values.ts"
import { tokenModel, type TokenTraits } from "./Token.ts"

/** A plain SEP-41 token of the soroban-examples family. */
export const exampleTokenTraits: TokenTraits = {
  refusals: { negativeAmount: "trap", insufficientBalance: 10, insufficientAllowance: 9, pastLedger: 9 },
  adminKey: symbol("ADMIN")
}

export const exampleTokenHash = "bd9235029d8d9f74041175288d05dee60a2307eda6f895be59c995279848afef"

export const exampleToken = tokenModel(exampleTokenTraits)
