import { variant } from "../../ledger/soroban/Values.ts"
import { tokenModel, type TokenTraits } from "./Token.ts"

/** The share token of amm_3 pools: the common family, which panics without error numbers. */
export const amm3ShareTokenTraits: TokenTraits = {
  refusals: { negativeAmount: "trap", insufficientBalance: "trap", insufficientAllowance: "trap", pastLedger: "trap" },
  adminKey: variant("Admin")
}

export const amm3ShareTokenHash = "255e57de9a1a43a672c9499354cd0bb7f99c29a407938ffa4117f443fcf90272"

/** Hash of the same token as pools whose withdrawal takes six arguments use it. */
export const amm3SixArgumentShareTokenHash = "c9fe635e9f7e12865a1e94632aab5e5f9a546e83ae3e01d28faecad23f684da3"

export const amm3ShareToken = tokenModel(amm3ShareTokenTraits)
