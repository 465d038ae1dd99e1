import { variant } from "../../ledger/soroban/Values.ts"
import { tokenModel, type TokenTraits } from "./Token.ts"

/** The share token of amm_1 pools: the common family with error numbers of its own. */
export const AMM_1_SHARE_TOKEN: TokenTraits = {
  refusals: { negativeAmount: 604, insufficientBalance: 602, insufficientAllowance: 603, pastLedger: 606 },
  adminKey: variant("Admin")
}

export const AMM_1_SHARE_TOKEN_HASH = "06672bb9c201ca4084c22396a6081ef026774432efba5038d0ae36703717a2e6"

export const amm1ShareToken = tokenModel(AMM_1_SHARE_TOKEN)
